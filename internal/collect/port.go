package collect

// Words of the specification about ports, but for a few of old Japanese computers that stand apart.
var (
	connectorTypes = []string{
		1: "Centronics", "Mini Centronics", "Proprietary", "DB-25 male", "DB-25 female", "DB-15 male", "DB-15 female",
		"DB-9 male", "DB-9 female",
		"RJ-11", "RJ-45", "50 Pin MiniSCSI", "Mini DIN", "Micro DIN", "PS/2", "Infrared", "HP-HIL", "Access Bus (USB)",
		"SSA SCSI",
		"Circular DIN-8 male", "Circular DIN-8 female", "On Board IDE", "On Board Floppy",
		"9 Pin Dual Inline (pin 10 cut)",
		"25 Pin Dual Inline (pin 26 cut)", "50 Pin Dual Inline", "68 Pin Dual Inline",
		"On Board Sound Input From CD-ROM", "Mini Centronics Type-14",
		"Mini Centronics Type-26", "Mini Jack (headphones)", "BNC", "IEEE 1394", "SAS/SATA Plug Receptacle",
		"USB Type-C Receptacle",
	}
	portTypes = []string{
		1: "Parallel Port XT/AT Compatible", "Parallel Port PS/2", "Parallel Port ECP", "Parallel Port EPP",
		"Parallel Port ECP/EPP",
		"Serial Port XT/AT Compatible", "Serial Port 16450 Compatible", "Serial Port 16550 Compatible",
		"Serial Port 16550A Compatible", "SCSI Port",
		"MIDI Port", "Joystick Port", "Keyboard Port", "Mouse Port", "SSA SCSI", "USB", "Firewire (IEEE P1394)",
		"PCMCIA Type I", "PCMCIA Type II",
		"PCMCIA Type III", "Cardbus", "Access Bus Port", "SCSI II", "SCSI Wide", "PC-98", "PC-98 Hireso", "PC-H98",
		"Video Port", "Audio Port",
		"Modem Port", "Network Port", "SATA", "SAS", "MFDP (Multi-Function Display Port)", "Thunderbolt",
	}
)

// ports adds the connectors that the firmware lists.
func (f *firmware) ports(d *document) {
	for i := range f.table {
		if s := &f.table[i]; s.kind == portKind {
			d.row("PORTS",
				field{"CAPTION", word(connectorTypes, s.byte(7))},
				field{"DESCRIPTION", word(connectorTypes, s.byte(5))},
				field{"NAME", first(s.text(4), s.text(6))},
				field{"TYPE", word(portTypes, s.byte(8))},
			)
		}
	}
}
