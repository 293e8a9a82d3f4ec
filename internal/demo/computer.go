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
	site       *site
	department string
	class      *class
	model      *model
	family     family
}

// A statusShare is a status, by index, and how often it occurs.
type statusShare struct {
	share
	index int
}

// statusShares are the statuses of computers.
var statusShares = []statusShare{
	{share{86}, 0}, {share{3}, 1}, {share{3}, 2}, {share{4}, 3}, {share{3}, 4}, {share{1}, 5},
}

// newDraft decides which computer the i-th one is. Each tenth is a
// workstation, so that the first computer has parts of every sort.
func newDraft(i int) *draft {
	d := &draft{Computer: &inventory.Computer{}, index: i}
	d.Seed(seed, scatter(uint64(i), 63))
	d.class = draw(&d.dice, data().classes)
	if i%10 == 0 {
		d.class = data().class(workstation)
	}
	d.model = draw(&d.dice, data().models[d.class.Name])
	d.site, d.department = draw(&d.dice, data().sites), draw(&d.dice, data().departments).Name
	if d.class.Owned == 0 && d.chance(80) {
		d.department = informationTechnology
	}
	return d
}

// describe sets what persons say about any computer.
func (d *draft) describe() {
	d.Category = d.class.Category
	d.Status = inventory.Statuses[draw(&d.dice, statusShares).index]
	if d.class.Name == guest && d.Status != "Disposed" {
		d.Status = "Operational" // nobody repairs or loses a virtual machine
	}
	if d.index%50 == 7 {
		d.AssetID = "LAB-" + padded(d.index, 4)
	}
	if d.chance(12) {
		d.Tag = pick(&d.dice, data().tags)
	}
	if d.chance(40) {
		d.Description = pick(&d.dice, data().descriptions[d.class.Name]).Text
	}
	if d.chance(15) {
		d.Notes = pick(&d.dice, data().remarks)
	}
}

// assign gives the computer to a person, whose site and department become the
// computer's, to one who looks after it, and a name that follows from both.
func (d *draft) assign(people []kind.Person) {
	owned, attended := d.chance(d.class.Owned), d.chance(75)
	owner, contact := d.Uint64(), d.Uint64()
	if n := uint64(len(people)); n > 0 {
		if owned {
			d.Owner = people[owner%n]
		}
		if attended {
			d.TechnicalContact = people[contact%min(n, technicians)]
		}
	}
	if m := data().byEmail[d.Owner.Email]; m != nil {
		d.site, d.department = m.site, m.Department
	}
	d.Site, d.Department = d.site.Name, d.department
	d.Name = d.site.Code + "-" + d.class.Code + "-" + padded(d.index+1, 4)
}

// enteredByHand completes a computer that no agent has reported: a person
// copied what stands on its label.
func (d *draft) enteredByHand() {
	d.SerialNumber = d.serial()
	d.Manufacturer, d.Model = d.model.maker.Name, d.model.Name
}

// serial returns the serial number that its maker gave the computer.
func (d *draft) serial() string {
	return code(d.model.maker.Serial, d.index, d.model.maker.Digits)
}

// reported completes a computer as its agent describes it.
func (d *draft) reported(now time.Time) {
	d.DetectedAt = now.Add(-d.silence()).Truncate(time.Second).UTC()
	d.runs()
	d.processor()
	d.IP = addressOf(d.site.index, d.index).String()
	d.Username = d.user()
	d.memories()
	d.BIOSes = []inventory.BIOS{d.bios()}
	d.desk()
	d.storages()
	d.drives()
	d.networks()
	if d.index%97 == 96 {
		d.Model = d.model.Name + " (leased)"
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
	group := d.class.Systems
	if d.model.Maker == apple {
		group = apple
	}
	s := draw(&d.dice, data().systems[group])
	d.family, d.OperatingSystem = s.Family, s.Name
	d.Domain = draw(&d.dice, data().domains[families[s.Family]]).Name
}

// blanks stand before the processor's name in reports of some agents.
const blanks = "              "

// processor sets the processor and the graphics.
func (d *draft) processor() {
	cpu := d.model.cpus[d.below(len(d.model.cpus))]
	d.CPU = cpu.Name
	if d.family == windows && d.chance(25) {
		d.CPU = blanks[:d.within(span{3, len(blanks)})] + cpu.Name
	}
	if d.chance(96) {
		d.ProcessorSpeed = kind.Some(cpu.MHz)
	}
	d.Videos = make([]inventory.Video, 1, 2)
	d.Videos[0] = cpu.video()
	if d.within(d.class.Videos) > 1 && d.model.Maker != apple {
		d.Videos = append(d.Videos, pick(&d.dice, data().cards[d.class.Cards]))
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
	case d.class.Owned > 0:
		return "shared"
	case d.family == windows:
		return "administrator"
	}
	return "root"
}
