package report

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"muster/internal/identity"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// report makes the report of what has been collected.
func (c *collector) report(from Source) *Report {
	r := &Report{Computer: c.computer, Partial: c.partial, Identity: c.identity(from)}
	m := &r.Computer
	h, b, cpus := c.of("HARDWARE"), c.of("BIOS"), c.of("CPUS")
	m.Name, m.Tag = h.text("NAME"), c.tag
	m.AssetID = identity.AssetTag(b.text("ASSETTAG"))
	m.Category = category(h.text("VMSYSTEM"), h.text("CHASSIS_TYPE")+" "+b.text("TYPE"))
	m.OperatingSystem = c.operatingSystem()
	if m.CPU = h.text("PROCESSORT"); m.CPU == "" {
		m.CPU = cpus.text("NAME", "TYPE")
	}
	if m.ProcessorSpeed = number(h.text("PROCESSORS")); !m.ProcessorSpeed.Valid {
		m.ProcessorSpeed = number(cpus.text("SPEED"))
	}
	m.Memory, m.Swap = number(h.text("MEMORY")), number(h.text("SWAP"))
	m.IP, m.Domain, m.Username = c.address(), c.domain(), c.username()
	m.Description = described(h.text("DESCRIPTION"))
	m.USBs = append(m.USBs, c.usbs...)
	m.BIOSes = c.firmware()
	c.noteMacOS()
	r.At, _ = time.Parse(time.DateTime, c.logDate)
	r.PrinterSerials = c.printerSerials
	r.Programs, r.HasPrograms = c.programs, !c.partial || c.has("SOFTWARES")
	r.Fields = c.fields(m)
	fill(&m.Name, hostOf(c.deviceID))
	return r
}

// account takes in a value that an administrator gave the agent.
func (c *collector) account(r *row) {
	if strings.EqualFold(r.text("KEYNAME"), "TAG") {
		fill(&c.tag, r.text("KEYVALUE"))
	}
}

// user takes in who is logged in.
func (c *collector) user(r *row) { fill(&c.users, person(r.text("LOGIN"))) }

// username returns who uses the computer.
func (c *collector) username() string {
	name := c.users
	fill(&name, person(c.of("HARDWARE").text("USERID")))
	fill(&name, person(c.of("HARDWARE").text("LASTLOGGEDUSER")))
	return name
}

// person returns a login, or "" when it is none of a person: the system's own account, or a word of the file that Unix
// agents read.
func person(login string) string {
	switch strings.ToLower(login[strings.LastIndexByte(login, '\\')+1:]) {
	case "system", "wtmp", "reboot":
		return ""
	}
	return login
}

func (c *collector) domain() string {
	domain := c.of("HARDWARE").text("WORKGROUP")
	fill(&domain, c.of("OPERATINGSYSTEM").text("DNS_DOMAIN"))
	fill(&domain, c.of("HARDWARE").text("USERDOMAIN"))
	return domain
}

// operatingSystem returns the system's name without the escapes of a login prompt, from where some agents have it.
func (c *collector) operatingSystem() string {
	name := c.of("OPERATINGSYSTEM").text("FULL_NAME")
	fill(&name, c.of("HARDWARE").text("OSNAME"))
	name = oneLine(name)
	for _, escape := range []string{`\l`, `\n`} {
		name = strings.TrimSpace(strings.TrimSuffix(name, escape))
	}
	return name
}

// category returns the sort of a computer.
func category(machine, chassis string) string {
	has := func(words ...string) bool {
		for _, word := range words {
			if hasFold(chassis, word) {
				return true
			}
		}
		return false
	}
	switch {
	case machine != "" && !strings.EqualFold(machine, "Physical"):
		return "Virtual Machine"
	case has("notebook", "laptop", "portable", "convertible"):
		return "Laptop"
	case has("rack", "blade", "server"):
		return "Server"
	}
	return "Desktop"
}

// uptime is what the OCS agent for Unix has as description: the architecture and for how long the computer has run.
var uptime = regexp.MustCompile(`^[A-Za-z0-9_.-]+/\d+-\d\d-\d\d \d\d:\d\d:\d\d$`)

func described(text string) string {
	if uptime.MatchString(text) {
		return ""
	}
	return text
}

// birth is what agents put behind the computer's name in their device id.
var birth = regexp.MustCompile(`-\d{4}(-\d\d){5}$`)

// hostOf returns the name of the computer in an agent's device id.
func hostOf(deviceID string) string { return birth.ReplaceAllString(deviceID, "") }

// An agentField is a field that agents report, with the sections that a partial report must have for it.
type agentField struct {
	field    *kind.Field
	sections []string
}

var agentFields = func() (all []agentField) {
	from := map[string]string{
		"name": "HARDWARE", "category": "HARDWARE", "operating-system": "OPERATINGSYSTEM", "cpu": "CPUS",
		"processor-speed": "CPUS",
		"ip":              "NETWORKS", "domain": "HARDWARE", "memory": "HARDWARE", "swap": "HARDWARE",
		"username": "USERS", "description": "HARDWARE",
		"videos": "VIDEOS", "memories": "MEMORIES", "printers": "PRINTERS", "usbs": "CONTROLLERS USBDEVICES",
		"keyboards": "INPUTS",
		"displays":  "MONITORS", "storages": "STORAGES", "bioses": "BIOS", "ports": "PORTS", "sounds": "SOUNDS",
		"mice":     "INPUTS",
		"networks": "NETWORKS", "drives": "DRIVES",
	}
	for _, f := range inventory.Computers.Fields {
		if names := from[f.Name]; names != "" {
			all = append(all, agentField{f, strings.Fields(names)})
		}
	}
	return all
}()

// fields returns the fields of the computer that the report has. The name is among them only when it is not
// empty. A partial report has the fields of its sections, and no scalar that is null.
func (c *collector) fields(m *inventory.Computer) []*kind.Field {
	fields := make([]*kind.Field, 0, len(agentFields))
	v := inventory.Computers.Values(m)
	for _, t := range agentFields {
		switch {
		case t.field.Name == "name" && m.Name == "":
		case !c.partial || c.hasAll(t.sections) && c.known(v, t.field):
			fields = append(fields, t.field)
		}
	}
	return fields
}

// known reports whether a field is a collection, or has a value in the message itself.
func (c *collector) known(v kind.Values, f *kind.Field) bool {
	switch {
	case f.Type == kind.List:
		return true
	case f.Name == "category": // which has a value in any case
		return c.of("HARDWARE").text("CHASSIS_TYPE", "VMSYSTEM") != "" || c.of("BIOS").text("TYPE") != ""
	}
	return v.Format(f) != ""
}

// lacking returns the sections of which the message has no row.
func (c *collector) lacking() (names []string) {
	for _, t := range agentFields {
		if t.field.Type == kind.List && !slices.ContainsFunc(t.sections, c.has) {
			names = append(names, t.field.Name)
		}
	}
	if !c.has("SOFTWARES") {
		names = append(names, SoftwareSection)
	}
	return names
}

func (c *collector) hasAll(names []string) bool {
	for _, name := range names {
		if !c.has(name) {
			return false
		}
	}
	return true
}
