package collect

import "strconv"

// Words of the specification about memory.
var (
	memoryForms = []string{
		3: "SIMM", "SIP", "Chip", "DIP", "ZIP", "Proprietary Card", "DIMM", "TSOP", "Row Of Chips", "RIMM", "SODIMM",
		"SRIMM", "FB-DIMM", "Die",
		"CAMM",
	}
	memoryTypes = []string{
		3: "DRAM", "EDRAM", "VRAM", "SRAM", "RAM", "ROM", "Flash", "EEPROM", "FEPROM", "EPROM", "CDRAM", "3DRAM",
		"SDRAM", "SGRAM", "RDRAM", "DDR",
		"DDR2", "DDR2 FB-DIMM", 24: "DDR3", "FBD2", "DDR4", "LPDDR", "LPDDR2", "LPDDR3", "LPDDR4",
		"Logical non-volatile device", "HBM", "HBM2",
		"DDR5", "LPDDR5", "HBM3",
	}
	memoryUses        = []string{3: "System Memory", "Video Memory", "Flash Memory", "Non-volatile RAM", "Cache Memory"}
	memoryCorrections = []string{4: "Parity", "Single-bit ECC", "Multi-bit ECC", "CRC"}
)

// memories adds each slot for a memory module, with what is in it.
func (f *firmware) memories(d *document) {
	arrays := map[uint16]*structure{}
	for i := range f.table {
		if s := &f.table[i]; s.kind == memoryArrayKind {
			arrays[s.handle] = s
		}
	}
	slot := 0
	for i := range f.table {
		if s := &f.table[i]; s.kind == memoryKind {
			s.memory(d, slot, arrays[s.word(4)])
			slot++
		}
	}
}

// memory adds a slot. Numbers begin with 0, as with OCS. The array that it belongs to may be unknown.
func (s *structure) memory(d *document, slot int, array *structure) {
	if array == nil {
		array = &structure{}
	}
	capacity, speed := s.capacity(), ""
	description := word(memoryForms, s.byte(0x0e))
	if capacity > 0 {
		speed = whole(s.transfers())
		if correction := word(memoryCorrections, array.byte(6)); correction != "" {
			description += " (" + correction + ")"
		}
	}
	d.row("MEMORIES",
		field{"CAPACITY", whole(capacity)},
		field{"CAPTION", s.text(0x10)},
		field{"DESCRIPTION", description},
		field{"NUMSLOTS", strconv.Itoa(slot)},
		field{"PURPOSE", word(memoryUses, array.byte(5))},
		field{"SPEED", speed},
		field{"TYPE", word(memoryTypes, s.byte(0x12))},
	)
}

// capacity returns the size of a module in MiB, 0 for an empty slot.
func (s *structure) capacity() uint32 {
	switch size := s.word(0x0c); {
	case size == 0xffff: // unknown
		return 0
	case size == 0x7fff: // 32 GiB and more
		return s.double(0x1c) &^ (1 << 31)
	case size&0x8000 != 0: // in KiB
		return uint32(size&0x7fff) / 1024
	default:
		return uint32(size)
	}
}

// transfers returns the speed of a module in millions a second, 0 when it is unknown.
func (s *structure) transfers() uint32 {
	if speed := s.word(0x15); speed != 0xffff {
		return uint32(speed)
	}
	return s.double(0x54)
}
