package demo

import (
	"fmt"
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// An article is a solution, with the names of the tickets that it is about.
type article struct {
	name, text    string // Markdown
	category, tag string
	state         string
	days          int // ago
	tickets       []string
}

var articles = []article{
	{"Connect to the office from home", "# VPN in four steps\n\n1. Start **Northmere Connect** from the taskbar.\n2. Sign in with your e-mail address and the code of your telephone.\n3. Wait for the green lock.\n4. Open your files as in the office.\n\n" +
		"If the connection drops every few minutes, use a *cable* instead of Wi-Fi and tell the help desk which provider you have.",
		"Network", "vpn", inventory.SolutionPublished, 610, []string{"VPN disconnects every few minutes"}},
	{"Set a new password", "# Your password\n\n- It has at least **14 characters**; a sentence is easier to remember than a puzzle.\n- It expires once a year. A mail tells you two weeks before.\n- Nobody from the help desk ever asks for it.\n\n" +
		"Has it expired while you were away? Call the help desk from your own telephone.",
		"Account", "password", inventory.SolutionPublished, 590, []string{"Password expired while on leave"}},
	{"Screens stay dark at the docking station", "# Try this first\n\n1. Unplug the docking station, power supply too.\n2. Wait for **half a minute**.\n3. Plug in the power supply, then the laptop.\n\n> The lamp at the plug is white when all is well, and orange when the power supply is too weak.",
		"Hardware", "display", inventory.SolutionPublished, 420, []string{"Second screen stays dark", "Docking station does not charge"}},
	{"Report a suspicious mail", "# When a mail looks strange\n\n* Do not open attachments, do not click.\n* Forward it **as an attachment** to `security@northmere.example`.\n* Delete it.\n\nBetter one mail too many than one too few.",
		"Security", "phishing", inventory.SolutionPublished, 380, []string{"Suspicious mail with an invoice attached"}},
	{"Join a video call in a meeting room", "# Meeting rooms\n\nTouch the screen at the wall, choose the meeting, done.\n\n| You see | Do this |\n|---|---|\n| no picture | choose input HDMI 1 |\n| no sound | choose *Rally Bar* as speaker |\n",
		"Meeting Room", "", inventory.SolutionPublished, 240, []string{"Conference system has no sound", "No picture on the projector in the large meeting room"}},
	{"Camera and microphone keys", "# Why nobody sees or hears you\n\nMany laptops have a key with a crossed-out camera, usually `F8` to `F10`. It switches the camera off in hardware, so that no program finds it.",
		"Hardware", "", inventory.SolutionPublished, 160, []string{"Webcam is not found in video calls"}},
	{"Restore files from the night", "# For technicians\n\n1. `restore --list <folder>` shows the nights.\n2. Restore **beside** the present folder, never over it.\n3. Note in the ticket which night it was.\n\nKept: 30 nights, 12 months, 7 years.",
		"Storage", "backup", inventory.SolutionInternal, 500, []string{"Restore a deleted folder", "Backup of the order database failed"}},
	{"Lost or stolen devices", "# Checklist\n\n- [ ] lock and wipe the device\n- [ ] block the card\n- [ ] tell data protection, **within 24 hours**\n- [ ] set the status to *Lost*\n- [ ] hand out a spare one",
		"Security", "", inventory.SolutionInternal, 330, []string{"Telephone lost on the train"}},
	{"Calibrate a label printer", "# Half labels\n\nKeep *feed* pressed for five seconds until three labels have moved.",
		"Hardware", "printer", inventory.SolutionInternal, 90, []string{"Label printer prints half a label"}},
	{"Roll back the storage driver", "# Draft\n\n```\npnputil /enum-drivers\npnputil /delete-driver oem42.inf /uninstall\n```\n\nTo do: say how to get into the recovery environment on each model.",
		"Hardware", "boot", inventory.SolutionDraft, 14, []string{"Laptop does not start after the update"}},
	{"Old browsers in the laboratory network", "# Draft\n\nWho decides about exceptions, and for how long?",
		"Software", "", inventory.SolutionDraft, 5, []string{"Test bench needs an older browser"}},
}

// writeSolutions notes the articles. One is a draft before it is anything
// else.
func (s *story) writeSolutions() {
	for i, a := range articles {
		rec, at, by := inventory.Solutions.New(), s.ago(a.days, 25), s.users[i%technicians]
		rec.Name, rec.Description, rec.Category, rec.Tag = a.name, a.text, a.category, a.tag
		s.add(at, by, inventory.Solutions.Schema, func() []any {
			rec.Tickets = s.about(a.tickets)
			return []any{rec}
		})
		if a.state != inventory.SolutionDraft {
			s.change(workday(at.AddDate(0, 0, 2)), by, inventory.Solutions.Schema, rec, document(inventory.Solutions.Item, "state", a.state))
		}
		s.laterTicket(&a, rec, by)
	}
}

// laterTicket links an article with its tickets once one came after it.
func (s *story) laterTicket(a *article, rec *inventory.Solution, by *inventory.User) {
	for _, l := range s.tickets {
		if l.name != a.tickets[0] || l.opened.Before(s.ago(a.days, 0)) {
			continue
		}
		s.steps = append(s.steps, Step{
			At: workday(l.opened.AddDate(0, 0, 1)), By: by, Origin: door(by), Kind: inventory.Solutions.Schema, Of: rec,
			Document: func() string { return linkDocument(inventory.Solutions.Item, "tickets", "ticket", s.about(a.tickets)) },
		})
		return
	}
}

// linkDocument returns a document that names linked records.
func linkDocument(item, plural, singular string, links []kind.Linked) string {
	var b strings.Builder
	for _, l := range links {
		fmt.Fprintf(&b, "<%s><id>%d</id></%s>", singular, l.ID.V, singular)
	}
	return fmt.Sprintf("<%s><%s>%s</%s></%s>", item, plural, b.String(), plural, item)
}

// about returns the tickets with the given names that were opened.
func (s *story) about(names []string) (all []kind.Linked) {
	for _, name := range names {
		for _, l := range s.tickets {
			if l.name == name && l.ID != 0 {
				all = append(all, link(inventory.Tickets, l.Ticket))
			}
		}
	}
	return kind.InOrder(inventory.Solutions.Field("tickets").Targets, all)
}
