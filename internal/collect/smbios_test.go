package collect_test

import "encoding/binary"

// entry returns a structure of firmware: its kind, its handle, the bytes behind the header, its strings.
func entry(kind byte, handle uint16, data []byte, texts ...string) []byte {
	all := binary.LittleEndian.AppendUint16([]byte{kind, byte(4 + len(data))}, handle)
	all = append(all, data...)
	for _, text := range texts {
		all = append(append(all, text...), 0)
	}
	if len(texts) == 0 {
		all = append(all, 0)
	}
	return append(all, 0)
}

// module returns the structure of a memory slot. The size is in MiB, or one of the numbers with a meaning.
func module(handle, size, speed uint16, extended uint32, form, kind byte, locator string) []byte {
	data := make([]byte, 0x5c-4)
	put := func(at int, n uint16) { binary.LittleEndian.PutUint16(data[at-4:], n) }
	put(0x04, 0x1000)
	put(0x0c, size)
	data[0x0e-4], data[0x10-4], data[0x12-4] = form, 1, kind
	put(0x15, speed)
	binary.LittleEndian.PutUint32(data[0x1c-4:], extended)
	binary.LittleEndian.PutUint32(data[0x54-4:], 70_000)
	return entry(17, handle, data, locator)
}

// laptopTable is the table of a laptop's firmware.
func laptopTable() string {
	cpu := make([]byte, 0x1a-4)
	cpu[0x10-4] = 1
	binary.LittleEndian.PutUint16(cpu[0x16-4:], 1300)
	var table []byte
	for _, s := range [][]byte{
		entry(0, 0, make([]byte, 0x14), "LENOVO", "N3XET52W"),
		entry(4, 0x40, cpu, "13th Gen Intel(R) Core(TM) i5-1335U"),
		entry(8, 0x80, []byte{1, 0, 2, 0x12, 0x10}, "J1", "USB 1"),
		entry(8, 0x81, []byte{0, 0, 1, 0x0b, 0x1f}, "Ethernet"),
		entry(16, 0x1000, []byte{3, 3, 6, 0, 0, 0, 0}),
		module(0x1100, 8192, 4800, 0, 0x0d, 0x22, "DIMM A"),
		module(0x1101, 0x7fff, 0xffff, 1<<31|65536, 0x09, 0x1a, "DIMM B"),
		module(0x1102, 0, 0, 0, 0x0d, 0x02, "DIMM C"),
		module(0x1103, 0x8000|2048, 0, 0, 0x09, 0x0f, "None"),
		entry(127, 0xffff, nil),
		module(0x1104, 8192, 0, 0, 0x09, 0x22, "behind the end"),
	} {
		table = append(table, s...)
	}
	return string(table)
}

// monitor returns the EDID of a display.
func monitor(maker string, number uint32, texts map[byte]string) string {
	data := make([]byte, 128)
	copy(data, "\x00\xff\xff\xff\xff\xff\xff\x00")
	var code uint16
	for _, c := range maker {
		code = code<<5 | uint16(c-'@')
	}
	binary.BigEndian.PutUint16(data[8:], code)
	binary.LittleEndian.PutUint16(data[10:], 0x61ab)
	binary.LittleEndian.PutUint32(data[12:], number)
	data[16], data[17] = 33, 33
	if texts == nil {
		data[16] = 0xff // the year alone is known
	}
	at := 54
	for _, tag := range []byte{0xfe, 0xff, 0xfc} {
		if text, ok := texts[tag]; ok {
			copy(data[at:], append([]byte{0, 0, 0, tag, 0}, (text + "\n             ")[:13]...))
			at += 18
		}
	}
	for ; at < 126; at += 18 {
		data[at] = 1 // a timing
	}
	return string(data)
}
