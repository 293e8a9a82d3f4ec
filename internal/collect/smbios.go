package collect

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// A structure is one entry of the table in which firmware describes a computer (DSP0134, "SMBIOS").
type structure struct {
	kind    byte
	handle  uint16
	data    []byte // with the header of four bytes
	strings []string
}

// The kinds of structure that are used, and the one at the end of the table.
const (
	processorKind   = 4
	portKind        = 8
	memoryArrayKind = 16
	memoryKind      = 17
	endKind         = 127
)

// structures reads a table. What follows a structure that is cut off or makes no sense is not read.
func structures(table []byte) (all []structure) {
	for len(table) >= 4 && table[0] != endKind {
		length := int(table[1])
		if length < 4 || length > len(table) {
			return all
		}
		s := structure{kind: table[0], handle: binary.LittleEndian.Uint16(table[2:]), data: table[:length]}
		table = table[length:]
		// Strings end with a zero byte, the last of them with two; without strings there are the two alone.
		end := bytes.Index(table, []byte{0, 0})
		if end < 0 {
			return all
		}
		for text := range bytes.SplitSeq(table[:end], []byte{0}) {
			s.strings = append(s.strings, string(text))
		}
		all = append(all, s)
		table = table[end+2:]
	}
	return all
}

// byte returns the byte at an offset, 0 when the structure is of an older version and has none.
func (s *structure) byte(at int) byte {
	if at >= len(s.data) {
		return 0
	}
	return s.data[at]
}

func (s *structure) word(at int) uint16 {
	if at+2 > len(s.data) {
		return 0
	}
	return binary.LittleEndian.Uint16(s.data[at:])
}

func (s *structure) double(at int) uint32 {
	if at+4 > len(s.data) {
		return 0
	}
	return binary.LittleEndian.Uint32(s.data[at:])
}

// text returns the string whose number is at an offset, "" when there is none or it says nothing.
func (s *structure) text(at int) string {
	n := int(s.byte(at))
	if n == 0 || n > len(s.strings) {
		return ""
	}
	return said(s.strings[n-1])
}

// said returns a text of the firmware, "" for the words by which it says that there is none.
func said(text string) string {
	text = strings.TrimSpace(text)
	switch strings.ToLower(text) {
	case "none", "not specified", "unknown", "n/a":
		return ""
	}
	return text
}

// word returns the word for a number in a table of the specification, "" when it has none.
func word[N byte | int](table []string, n N) string {
	if int(n) >= len(table) {
		return ""
	}
	return table[n]
}
