package collect

import "strings"

// makers are the words by which the firmware of a virtual machine is known, and what the machine is called.
var makers = []struct{ word, name string }{
	{"vmware", "VMware"}, {"virtualbox", "VirtualBox"}, {"innotek", "VirtualBox"}, {"parallels", "Parallels"},
	{"bhyve", "bhyve"},
	{"xen", "Xen"}, {"qemu", "QEMU"}, {"bochs", "QEMU"}, {"kvm", "KVM"}, {"openstack", "KVM"},
	{"microsoft corporation virtual machine", "Hyper-V"},
	{"google compute engine", "KVM"},
}

// virtual returns Physical, or the name of the hypervisor or container that the system runs in.
func (m *Machine) virtual(f *firmware) string {
	if container := m.container(); container != "" {
		return container
	}
	words := strings.ToLower(f.maker + " " + f.product + " " + f.biosMaker)
	for _, maker := range makers {
		if strings.Contains(words, maker.word) {
			return maker.name
		}
	}
	if strings.HasPrefix(words, "amazon ec2") && !strings.Contains(words, "metal") {
		return "KVM"
	}
	hypervisor := strings.Contains(" "+m.cpuinfo()["flags"]+" ", " hypervisor ")
	switch {
	case strings.Contains(m.text("proc/xen/capabilities"), "control_d"): // the system that runs the others
		return "Physical"
	case m.text("sys/hypervisor/type") == "xen":
		return "Xen"
	case hypervisor:
		return "Virtual Machine"
	}
	return "Physical"
}

// container returns the name of what contains the system, if anything does.
func (m *Machine) container() string {
	known := map[string]string{
		"docker": "Docker", "podman": "Podman", "lxc": "LXC", "lxc-libvirt": "LXC", "systemd-nspawn": "nspawn",
	}
	container := m.text("run/systemd/container")
	switch {
	case container != "":
		return first(known[container], container)
	case m.has(".dockerenv"):
		return "Docker"
	case m.has("run/.containerenv"):
		return "Podman"
	case m.has("dev/lxd/sock"), strings.Contains(m.text("proc/1/cgroup"), "/lxc"):
		return "LXC"
	}
	return ""
}
