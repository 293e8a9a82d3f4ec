package collect

import (
	"regexp"
	"strconv"
	"strings"
)

// hardware adds the name, system, processor and memory of the machine.
func (m *Machine) hardware(d *document, f *firmware) {
	release := m.settings("etc/os-release")
	if len(release) == 0 {
		release = m.settings("usr/lib/os-release")
	}
	name, domain, _ := strings.Cut(m.Name, ".")
	cpu, speed := m.processor(f)
	memory := m.meminfo()
	d.row("HARDWARE",
		field{"NAME", name},
		field{"WORKGROUP", first(domain, m.domain())},
		field{"OSNAME", first(release["PRETTY_NAME"], release["NAME"], "Linux")},
		field{"OSVERSION", release["VERSION_ID"]},
		field{"PROCESSORT", cpu},
		field{"PROCESSORS", whole(speed)},
		field{"MEMORY", memory["MemTotal"]},
		field{"SWAP", memory["SwapTotal"]},
		field{"DEFAULTGATEWAY", m.gateways()[""]},
		field{"UUID", f.uuid},
		field{"VMSYSTEM", m.virtual(f)},
	)
}

// domain returns the one in which the computer looks names up.
func (m *Machine) domain() string {
	found := map[string]string{}
	for line := range strings.Lines(m.text("etc/resolv.conf")) {
		if words := strings.Fields(line); len(words) > 1 && words[1] != "." {
			found[words[0]] = words[1]
		}
	}
	return first(found["domain"], found["search"])
}

// meminfo returns the kernel's figures about memory in MiB.
func (m *Machine) meminfo() map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(m.text("proc/meminfo")) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		if n, err := strconv.ParseUint(words[1], 10, 64); err == nil {
			values[strings.TrimSuffix(words[0], ":")] = strconv.FormatUint(n/1024, 10)
		}
	}
	return values
}

// processor returns the name of the processor and its speed in MHz.
func (m *Machine) processor(f *firmware) (name string, speed int) {
	info := m.cpuinfo()
	name = first(info["model name"], f.processor.name, info["cpu model"], info["cpu"], info["Processor"])
	return name, m.speed(name, info["cpu MHz"], f)
}

// cpuinfo returns what the kernel reports of the first processor.
func (m *Machine) cpuinfo() map[string]string {
	info := map[string]string{}
	for line := range strings.Lines(m.text("proc/cpuinfo")) {
		name, value, _ := strings.Cut(line, ":")
		if name = strings.TrimSpace(name); info[name] == "" {
			info[name] = strings.TrimSpace(value)
		}
	}
	return info
}

// rated is the speed in a processor's name, such as "@ 2.40GHz".
var rated = regexp.MustCompile(`([0-9.]+) ?([GM])Hz$`)

// speed returns the one that the processor was made for: the speed of the moment would change each time.
func (m *Machine) speed(name, now string, f *firmware) int {
	if found := rated.FindStringSubmatch(name); found != nil {
		n, _ := strconv.ParseFloat(found[1], 64)
		if found[2] == "G" {
			n *= 1000
		}
		return int(n + 0.5)
	}
	const scaling = "sys/devices/system/cpu/cpu0/cpufreq"
	if kHz := m.number(scaling, "base_frequency"); kHz > 0 {
		return kHz / 1000
	}
	if f.processor.speed > 0 {
		return f.processor.speed
	}
	if kHz := m.number(scaling, "cpuinfo_max_freq"); kHz > 0 {
		return kHz / 1000
	}
	// Without scaling it is a constant, but one that is measured at each start.
	mhz, _ := strconv.ParseFloat(now, 64)
	return int(mhz/10+0.5) * 10
}

// number returns the number in a file, 0 when there is none.
func (m *Machine) number(parts ...string) int {
	n, _ := strconv.Atoi(m.text(parts...))
	return n
}

// people adds who is logged in, users at the computer before those over the network.
func (m *Machine) people(d *document) {
	const folder = "run/systemd/users"
	for _, state := range []string{"active", "online"} {
		for _, uid := range m.names(folder) {
			n, err := strconv.Atoi(uid)
			user := m.settings(folder, uid)
			if err == nil && n >= 1000 && user["STATE"] == state { // below are accounts of the system
				d.row("USERS", field{"LOGIN", user["NAME"]})
			}
		}
	}
}
