package demo

import (
	"strings"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A draft is a computer in the making.
type draft struct {
	dice
	*inventory.Computer
	index      int
	site       int // index in sites
	department int // index in departments
	class      *class
	model      *model
	family     family
}

// newDraft decides which computer the i-th one is. Each tenth is a
// workstation, so that the first computer has parts of every sort.
func newDraft(i int) *draft {
	d := &draft{Computer: &inventory.Computer{}, index: i}
	d.Seed(seed, scatter(uint64(i), 63))
	d.class = draw(&d.dice, classShares)
	if i%10 == 0 {
		d.class = workstations
	}
	d.model = draw(&d.dice, d.class.models)
	d.site, d.department = draw(&d.dice, siteShares), draw(&d.dice, departmentShares)
	if d.class.owned == 0 && d.chance(80) {
		d.department = informationTechnology
	}
	return d
}

// describe sets what persons say about any computer.
func (d *draft) describe() {
	d.Category = d.class.category
	d.Status = inventory.Statuses[draw(&d.dice, statusShares)]
	if d.class == guests && d.Status != "Disposed" {
		d.Status = "Operational" // nobody repairs or loses a virtual machine
	}
	if d.index%50 == 7 {
		d.AssetID = "LAB-" + padded(d.index, 4)
	}
	if d.chance(12) {
		d.Tag = pick(&d.dice, tags)
	}
	if d.chance(40) {
		d.Description = pick(&d.dice, d.class.texts)
	}
	if d.chance(15) {
		d.Notes = pick(&d.dice, remarks)
	}
}

// assign gives the computer to a person, whose site and department become the
// computer's, to one who looks after it, and a name that follows from both.
func (d *draft) assign(people []kind.Person) {
	owned, attended := d.chance(d.class.owned), d.chance(75)
	owner, contact := d.Uint64(), d.Uint64()
	if n := uint64(len(people)); n > 0 {
		if owned {
			d.Owner = people[owner%n]
		}
		if attended {
			d.TechnicalContact = people[contact%min(n, technicians)]
		}
	}
	if m := byEmail[d.Owner.Email]; m != nil {
		d.site, d.department = m.site, m.department
	}
	d.Site, d.Department = sites[d.site].name, departments[d.department]
	d.Name = sites[d.site].code + "-" + d.class.code + "-" + padded(d.index+1, 4)
}

// enteredByHand completes a computer that no agent has reported: a person
// copied what stands on its label.
func (d *draft) enteredByHand() {
	d.SerialNumber = d.serial()
	d.Manufacturer, d.Model = d.model.maker.name, d.model.name
}

// serial returns the serial number that its maker gave the computer.
func (d *draft) serial() string {
	return code(d.model.maker.serial, d.index, d.model.maker.digits)
}

// reported completes a computer as its agent describes it.
func (d *draft) reported(now time.Time) {
	d.DetectedAt = now.Add(-d.silence()).Truncate(time.Second).UTC()
	d.runs()
	d.processor()
	d.IP = addressOf(d.site, d.index).String()
	d.Username = d.user()
	d.memories()
	d.BIOSes = []inventory.BIOS{d.bios()}
	d.desk()
	d.storages()
	d.drives()
	d.networks()
	if d.index%97 == 96 {
		d.Model = d.model.name + " (leased)"
	}
}

// silence returns how long ago the last report was: hours for most, months
// for some and for what is no longer in use.
func (d *draft) silence() time.Duration {
	inUse := d.Status == "Operational" || d.Status == "In Repair"
	switch recent := d.below(100); {
	case !inUse || recent < 5:
		return time.Duration(d.within(span{35 * 24 * 60, 400 * 24 * 60})) * time.Minute
	case recent < 20:
		return time.Duration(d.within(span{24 * 60, 12 * 24 * 60})) * time.Minute
	default:
		return time.Duration(d.within(span{1, 24 * 3600})) * time.Second
	}
}

// runs sets the operating system and its domain.
func (d *draft) runs() {
	systems := d.class.systems
	if d.model.maker == apple {
		systems = appleSystems
	}
	s := draw(&d.dice, systems)
	d.family, d.OperatingSystem = s.family, s.name
	d.Domain = draw(&d.dice, domainShares[s.family])
}

// blanks stand before the processor's name in reports of some agents.
const blanks = "              "

// processor sets the processor and the graphics.
func (d *draft) processor() {
	cpu := &d.model.cpus[d.below(len(d.model.cpus))]
	d.CPU = cpu.name
	if d.family == windows && d.chance(25) {
		d.CPU = blanks[:d.within(span{3, len(blanks)})] + cpu.name
	}
	if d.chance(96) {
		d.ProcessorSpeed = kind.Some(cpu.mhz)
	}
	d.Videos = make([]inventory.Video, 1, 2)
	d.Videos[0] = cpu.video
	if d.within(d.class.videos) > 1 && d.model.maker != apple {
		d.Videos = append(d.Videos, pick(&d.dice, d.class.cards))
	}
}

// user returns who was signed in: the owner, or nobody in particular.
func (d *draft) user() string {
	nobody := d.chance(40)
	mailbox, _, owned := strings.Cut(d.Owner.Email, "@")
	switch {
	case owned:
		return mailbox
	case nobody:
		return ""
	case d.class.owned > 0:
		return "shared"
	case d.family == windows:
		return "administrator"
	}
	return "root"
}
