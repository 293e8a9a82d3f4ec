package demo

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// play takes all steps of a story as a store would: records get ids. It returns
// the records by kind.
func play(t *testing.T, n int, now time.Time) map[*kind.Schema][]any {
	t.Helper()
	users := Users()
	for i, u := range users {
		u.ID = int64(i + 1)
	}
	made := map[*kind.Schema][]any{inventory.Users.Schema: all(users)()}
	last := time.Time{}
	for i, step := range Story(n, users, now) {
		if step.At.Before(last) || step.At.After(now) || now.Sub(step.At) > past+3*24*time.Hour {
			t.Errorf("step %d, %s: is at %v, after %v", i, step.Kind.Plural, step.At, last)
		}
		if day := step.At.Weekday(); (day == time.Saturday || day == time.Sunday) &&
			step.At.Before(now.Truncate(24*time.Hour)) {
			t.Errorf("step %d, %s: is at %v, a %v", i, step.Kind.Plural, step.At, day)
		}
		last = step.At
		if step.New == nil {
			check(t, step)
			continue
		}
		for _, rec := range step.New() {
			if meta := step.Kind.Meta(rec); meta.CreatedAt.After(step.At) {
				t.Errorf("%s: is created at %v, before the step at %v", step.Kind.Plural, meta.CreatedAt, step.At)
			}
			made[step.Kind] = append(made[step.Kind], rec)
			step.Kind.Meta(rec).ID = int64(len(made[step.Kind]))
		}
	}
	return made
}

// check checks that a change is one of a record that is there, and reads as
// one.
func check(t *testing.T, step Step) {
	t.Helper()
	if step.Kind.Meta(step.Of).ID == 0 {
		t.Errorf("%s: a change comes before its record", step.Kind.Plural)
	}
	if step.Software != nil {
		checkSoftware(t, step)
		return
	}
	if _, err := step.Kind.Decode([]byte(step.Document())); err != nil {
		t.Errorf("%s: %v", step.Document(), err)
	}
}

// checkSoftware checks what a computer has installed, and remembers it there.
func checkSoftware(t *testing.T, step Step) {
	t.Helper()
	c := step.Of.(*inventory.Computer)
	for i := range step.Software {
		if faults := inventory.Installations.Check(&step.Software[i], nil); faults != nil {
			t.Errorf("software: got faults %q, want none", faults)
		}
	}
	if step.At.After(c.DetectedAt) {
		t.Errorf("%s: software is reported at %v, after the last report at %v", c.Name, step.At, c.DetectedAt)
	}
	c.Softwares = step.Software
}

func TestStoryIsValid(t *testing.T) {
	for _, n := range []int{1, 60, Size} {
		for k, recs := range play(t, n, now) {
			for _, rec := range recs {
				if k == inventory.Tickets.Schema && rec.(*inventory.Ticket).Requester.ID == 0 {
					t.Errorf("%d computers: a ticket has no requester", n)
				}
				k.Settle(rec, nil)
				if faults := k.Check(rec, nil); faults != nil {
					t.Errorf("%d computers: %s: got faults %q, want none", n, k.Plural, faults)
				}
			}
		}
	}
}

// TestStoryOnEachWeekday: on whatever day somebody looks, at whatever time, the
// steps are in order and in the week.
func TestStoryOnEachWeekday(t *testing.T) {
	for hours := range 7 * 24 {
		play(t, 30, now.Add(time.Duration(hours)*time.Hour))
	}
}

// TestContractOfMany: an organisation of any size has contracts whose documents
// can be read.
func TestContractOfMany(t *testing.T) {
	s := &story{}
	for i := range 20_000 {
		c := &inventory.Computer{Name: "pc"}
		c.ID = int64(i + 1)
		s.computers = append(s.computers, c)
	}
	doc := linkDocument(inventory.Contracts.Item, "hardwares", "hardware", s.covered(&deal{Computers: &criteria{}}))
	if _, err := inventory.Contracts.Decode([]byte(doc)); err != nil {
		t.Errorf("a document of %d bytes: %v", len(doc), err)
	}
}

// TestStoryTellsWhoDescribes: agents report computers, people enter those without
// an agent, and describe some others.
func TestStoryTellsWhoDescribes(t *testing.T) {
	users, described := Users(), 0
	for i, u := range users {
		u.ID = int64(i + 1)
	}
	for _, step := range Story(Size, users, now) {
		switch {
		case step.Kind != inventory.Computers.Schema || step.Software != nil:
		case step.New == nil:
			described++
			if c := step.Of.(*inventory.Computer); step.By == nil || c.DetectedAt.IsZero() {
				t.Errorf("%s: is described by %v, and reported at %v", c.Name, step.By, c.DetectedAt)
			}
		default:
			for _, rec := range step.New() {
				c := rec.(*inventory.Computer)
				if want := map[bool]string{true: "web", false: "agent"}[c.DetectedAt.IsZero()]; step.Origin != want ||
					(step.By == nil) != (want == "agent") {
					t.Errorf("%s, reported at %v: comes from %s, want %s", c.Name, c.DetectedAt, step.Origin, want)
				}
			}
		}
	}
	if described < 10 || described > Size/5 {
		t.Errorf("people describe %d computers, want a few", described)
	}
}

func TestStoryIsTheSameEachTime(t *testing.T) {
	a, b := play(t, 60, now), play(t, 60, now)
	if !reflect.DeepEqual(a, b) {
		t.Error("a second call gives another story")
	}
}

// TestStoryFillsEveryKind counts what there is to see at the least.
func TestStoryFillsEveryKind(t *testing.T) {
	made := play(t, 60, now)
	for k, least := range map[*kind.Schema]int{
		inventory.Computers.Schema: 60, inventory.Tickets.Schema: len(data().cases), inventory.Comments.Schema: 60,
		inventory.Risks.Schema:     len(data().findings),
		inventory.Contracts.Schema: len(data().deals), inventory.Softwares.Schema: 40,
		inventory.Solutions.Schema:   len(data().articles),
		inventory.OtherAssets.Schema: 60, inventory.Vendors.Schema: len(data().firms), inventory.Printers.Schema: 30,
	} {
		if got := len(made[k]); got < least {
			t.Errorf("%s: got %d, want %d or more", k.Plural, got, least)
		}
	}
}

// TestTicketsAndSoftwareOfAnyNumber: what benchmarks take is valid, and no
// software is there twice.
func TestTicketsAndSoftwareOfAnyNumber(t *testing.T) {
	everybody, seen := people(), map[string]bool{}
	for i := range 10_000 {
		ticket, software := Ticket(i, everybody), Software(i)
		faults := append(inventory.Tickets.Check(ticket, nil), inventory.Softwares.Check(software, nil)...)
		key := fmt.Sprint(software.Name, "\n", software.Version, "\n", software.Manufacturer)
		if len(faults) > 0 || seen[key] {
			t.Fatalf("%d: got faults %q and software %q, met before: %v", i, faults,
				strings.ReplaceAll(key, "\n", ", "), seen[key])
		}
		seen[key] = true
	}
}

// TestLicences: with the software that computers have, some licences are
// over-used, some unused and some in order, whatever the size.
func TestLicences(t *testing.T) {
	for _, n := range []int{60, Size} {
		made, seen := play(t, n, now), map[string]int{}
		for _, rec := range made[inventory.Contracts.Schema] {
			c := rec.(*inventory.Contract)
			if c.Type != inventory.SoftwareLicense {
				continue
			}
			c.Installed = kind.Some(installed(made, c))
			inventory.Contracts.Settle(c, nil)
			inventory.Contracts.Derive(c, now)
			seen[c.Compliance]++
		}
		if seen[inventory.OverUsed] < 2 || seen[inventory.Unused] < 1 || seen[inventory.Compliant] < 3 {
			t.Errorf("%d computers: got licences %v, want some of each", n, seen)
		}
	}
}

// installed counts the computers with software that a licence is about.
func installed(made map[*kind.Schema][]any, c *inventory.Contract) (count int64) {
	for _, rec := range made[inventory.Computers.Schema] {
		computer := rec.(*inventory.Computer)
		if computer.Status == "Disposed" || computer.Status == "Lost" {
			continue
		}
		has := slices.ContainsFunc(computer.Softwares, func(s inventory.Software) bool {
			return slices.ContainsFunc(c.Items, func(item inventory.ContractItem) bool {
				name, open := strings.CutSuffix(strings.ToLower(item.Name), "*")
				same := strings.ToLower(s.Name) == name || open && strings.HasPrefix(strings.ToLower(s.Name), name)
				return same && strings.HasPrefix(s.Version, item.Version)
			})
		})
		if has {
			count++
		}
	}
	return count
}
