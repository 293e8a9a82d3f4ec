package identity

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"strings"
)

//go:embed known.txt
var file string

// facts are what the file has.
type facts struct {
	serials, tags, uuids map[string]bool
	macs                 []string            // beginnings, in upper case
	adapters             []string            // words, in lower case
	makers               map[string]string   // the key of a maker, by that of each of its names
	spellings            map[string][]string // the keys of all names of a maker, by its own
}

var known = readFacts(file)

// readFacts reads the file. A line that says nothing is a programmer's mistake.
func readFacts(text string) *facts {
	f := &facts{
		serials: map[string]bool{}, tags: map[string]bool{}, uuids: map[string]bool{},
		makers: map[string]string{}, spellings: map[string][]string{},
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		word, value, _ := strings.Cut(line, " ")
		switch word {
		case "serial":
			f.serials[Fold(value)] = true
		case "tag":
			f.tags[Fold(value)] = true
		case "uuid":
			key := strings.ToLower(value)
			f.uuids[key], f.uuids[Swapped(key)] = true, true
		case "mac":
			f.macs = append(f.macs, value)
		case "adapter":
			f.adapters = append(f.adapters, strings.ToLower(value))
		case "maker":
			f.addMaker(strings.Split(value, " | "))
		default:
			panic(fmt.Sprintf("identity: known.txt has the line %q", line))
		}
	}
	return f
}

// addMaker adds the names of a maker, of which the first is its own.
func (f *facts) addMaker(names []string) {
	own := Fold(names[0])
	for _, name := range names {
		if key := Fold(name); f.makers[key] == "" {
			f.makers[key] = own
			f.spellings[own] = append(f.spellings[own], key)
		}
	}
}

// Version identifies the lists of known values, which differ between versions of the program.
func Version() string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(file)) // never fails
	return fmt.Sprintf("%016x", h.Sum64())
}
