package demo

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

var now = time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)

// people returns the users as a store would: with ids.
func people() []kind.Person {
	var out []kind.Person
	for i, u := range Users() {
		u.ID = int64(i + 1)
		out = append(out, u.Person())
	}
	return out
}

func TestComputerIsTheSameEachTime(t *testing.T) {
	for i := range 500 {
		a, b := Computer(i, people(), now), Computer(i, people(), now)
		if !reflect.DeepEqual(a, b) {
			diff := inventory.Computers.Diff(a, b)
			t.Errorf("computer %d: second call differs: %s", i, diff.Message())
		}
	}
}

// TestComputerStaysTheSame guards figures that are compared between releases:
// a changed sum means that benchmarks no longer measure the same records.
func TestComputerStaysTheSame(t *testing.T) {
	everybody := people()
	for i, want := range map[int]string{
		0: "fa5237eb50023a39", 1: "877c10d8e461b75d", 32: "4f48181b8b9fd193",
		3: "64cc92837a978d70", 16: "4a75c6d4dfdcdb75", 57: "4e40c1aff3be76df", 96: "49be116dc8fb01ec",
		999_999: "155de46933ccedd4",
	} {
		sum := fnv.New64a()
		rec := Computer(i, everybody, now)
		sum.Write(inventory.Computers.AppendRecord(nil, kind.XML, "https://muster.example", rec))
		sum.Write(inventory.Computers.Parts.Pack(nil, rec))
		if got := fmt.Sprintf("%016x", sum.Sum64()); got != want {
			t.Errorf("computer %d: got sum %s, want %s", i, got, want)
		}
	}
}

func TestComputerIsValid(t *testing.T) {
	everybody := people()
	for i := range 2000 {
		rec := Computer(i, everybody, now)
		if faults := inventory.Computers.Check(rec, nil); faults != nil {
			t.Errorf("computer %d: got faults %q, want none", i, faults)
		}
		if rec.DetectedAt.After(now) {
			t.Errorf("computer %d: got a report of %v, after now", i, rec.DetectedAt)
		}
		if rec.Record != (kind.Record{}) {
			t.Errorf("computer %d: got record %+v, want none", i, rec.Record)
		}
		settled := inventory.Computers.Copy(rec)
		if inventory.Computers.Settle(settled, rec); !reflect.DeepEqual(settled, any(rec)) {
			t.Errorf("computer %d: is not settled", i)
		}
	}
}

// TestComputerIsConsistent checks what the parts of a computer say of one
// another.
func TestComputerIsConsistent(t *testing.T) {
	everybody := people()
	for i := range 2000 {
		rec := Computer(i, everybody, now)
		if rec.DetectedAt.IsZero() {
			if n := parts(rec); n != 0 {
				t.Errorf("computer %d: got %d parts without a report, want 0", i, n)
			}
			continue
		}
		up := 0
		for _, n := range rec.Networks {
			if n.Status == "Up" && n.IP == rec.IP {
				up++
			}
		}
		if up != 1 {
			t.Errorf("computer %d: got %d adapters up with its address, want 1", i, up)
		}
		if len(rec.BIOSes) != 1 || rec.SerialNumber != rec.BIOSes[0].SSN {
			t.Errorf("computer %d: serial number %q is not its only BIOS's %+v", i, rec.SerialNumber, rec.BIOSes)
		}
		for _, v := range rec.Drives {
			if v.FreeSpace.V > v.TotalSpace.V {
				t.Errorf("computer %d: drive %+v has more free than total space", i, v)
			}
		}
	}
}

func TestComputerWithoutPeople(t *testing.T) {
	for i := range 100 {
		if rec := Computer(i, nil, now); rec.Owner.ID != 0 || rec.TechnicalContact.ID != 0 {
			t.Errorf("computer %d: got owner %v, contact %v, want none", i, rec.Owner, rec.TechnicalContact)
		}
	}
}

func TestComputersAreDistinct(t *testing.T) {
	everybody, seen := people(), map[string]int{}
	distinct := func(i int, sort, value string) {
		if other, ok := seen[sort+value]; ok {
			t.Errorf("computers %d and %d: both have %s %q", other, i, sort, value)
		}
		seen[sort+value] = i
	}
	for i := range 20_000 {
		rec := Computer(i, everybody, now)
		distinct(i, "name", rec.Name)
		distinct(i, "serial number", rec.SerialNumber)
		for _, n := range rec.Networks {
			distinct(i, "MAC", n.MAC)
		}
		if rec.IP != "" {
			distinct(i, "IP", rec.IP)
		}
		if rec.AssetID != "" {
			distinct(i, "asset id", rec.AssetID)
		}
	}
}

// sizes returns the number of items of each nested collection.
func sizes(rec *inventory.Computer) map[string]int {
	out := map[string]int{}
	v := reflect.ValueOf(rec).Elem()
	for i := range v.NumField() {
		// which is read beside it
		if f := v.Field(i); f.Kind() == reflect.Slice && v.Type().Field(i).Name != "Softwares" {
			out[v.Type().Field(i).Name] = f.Len()
		}
	}
	return out
}

func parts(rec *inventory.Computer) (n int) {
	for _, size := range sizes(rec) {
		n += size
	}
	return n
}

func TestFirstComputerIsFull(t *testing.T) {
	rec := Computer(0, people(), now)
	all := sizes(rec)
	if len(all) != 13 {
		t.Fatalf("got %d collections, want 13", len(all))
	}
	for name, n := range all {
		if n == 0 {
			t.Errorf("%s: got no item", name)
		}
	}
	if n := parts(rec); n < 55 || n > 65 {
		t.Errorf("got %d parts, want about 60", n)
	}
}

// TestDistribution checks that the organisation looks like one: of each value
// there are neither none nor too many, in per cent.
func TestDistribution(t *testing.T) {
	const n = 10_000
	everybody, count := people(), map[string]int{}
	note := func(what string, is bool) {
		if is {
			count[what]++
		}
	}
	fields := map[string]map[string]bool{"site": {}, "department": {}, "manufacturer": {}, "model": {}, "system": {}}
	for i := range n {
		rec := Computer(i, everybody, now)
		for _, status := range inventory.Statuses {
			note(status, rec.Status == status)
		}
		note(rec.Category, true)
		note("never reported", rec.DetectedAt.IsZero())
		note("silent", !rec.DetectedAt.IsZero() && now.Sub(rec.DetectedAt) > 30*24*time.Hour)
		note("tag", rec.Tag != "")
		note("owner", rec.Owner.ID != 0)
		note("contact", rec.TechnicalContact.ID != 0)
		note("blanks", strings.HasPrefix(rec.CPU, "   "))
		note("asset id", rec.AssetID != "")
		note("set", rec.SetModel != "")
		note("description", rec.Description != "")
		note("notes", rec.Notes != "")
		note("Windows", strings.Contains(rec.OperatingSystem, "Windows"))
		for name, value := range map[string]string{
			"site": rec.Site, "department": rec.Department, "manufacturer": rec.Manufacturer,
			"model": rec.Model, "system": rec.OperatingSystem,
		} {
			fields[name][value] = true
		}
	}
	for what, want := range map[string]span{
		"Operational": {80, 90}, "Broken": {1, 5}, "In Repair": {1, 5}, "Spare": {1, 6}, "Disposed": {1, 5},
		"Lost": {0, 3}, "Laptop": {35, 55}, "Desktop": {25, 45}, "Server": {4, 12}, "Virtual Machine": {8, 20},
		"never reported": {2, 4}, "silent": {8, 25}, "tag": {5, 20}, "owner": {40, 85}, "contact": {60, 90},
		"blanks": {10, 30}, "asset id": {1, 3}, "set": {2, 6}, "description": {25, 50}, "notes": {8, 20},
		"Windows": {55, 90},
	} {
		if got := count[what]; got == 0 || got < want.min*n/100 || got > want.max*n/100 {
			t.Errorf("%s: got %d of %d computers, want %d to %d %%", what, got, n, want.min, want.max)
		}
	}
	for name, want := range map[string]span{
		"site": {8, 8}, "department": {10, 10}, "manufacturer": {8, 12}, "model": {20, 60}, "system": {12, 20},
	} {
		if got := len(fields[name]); got < want.min || got > want.max {
			t.Errorf("%s: got %d values, want %d to %d", name, got, want.min, want.max)
		}
	}
}

func TestUsers(t *testing.T) {
	roles, emails := map[string]int{}, map[string]bool{}
	for i, u := range Users() {
		if faults := inventory.Users.Check(u, nil); faults != nil {
			t.Errorf("user %d: got faults %q, want none", i, faults)
		}
		if u.ID != 0 || emails[u.Email] || !strings.HasSuffix(u.Email, ".example") || u.Phone == "" || u.Site == "" ||
			u.Department == "" {
			t.Errorf("user %d: got %+v, want an own address of an example domain, a phone, a place and no id", i, *u)
		}
		for _, c := range u.Email {
			if c > 127 {
				t.Errorf("user %d: address %s has a letter %c", i, u.Email, c)
			}
		}
		if emails[u.Email] = true; (u.Role == inventory.Technician) != (i < technicians) {
			t.Errorf("user %d: got role %s", i, u.Role)
		}
		roles[u.Role]++
	}
	want := map[string]int{inventory.Administrator: 1, inventory.Technician: 2, inventory.Requester: 37}
	if !reflect.DeepEqual(roles, want) {
		t.Errorf("got roles %v, want %v", roles, want)
	}
}

func BenchmarkComputer(b *testing.B) {
	everybody := people()
	b.ReportAllocs()
	n := 0
	for i := 0; b.Loop(); i++ {
		n += len(Computer(i, everybody, now).Networks)
	}
	if n == 0 {
		b.Fatal("no computer has an adapter")
	}
}
