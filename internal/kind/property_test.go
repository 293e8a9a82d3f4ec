package kind_test

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"muster/internal/kind"
)

// anyText draws a text that a record can hold, or null.
func anyText(t *rapid.T, label string) string {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab<>&'\"\t\n\r ]-*\\é€😀\u0085\u00a0\uFFFD\U0010FFFD"),
		unicode.Latin, unicode.Han), 0, 20, -1).Draw(t, label)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

func anyInt(t *rapid.T, label string) kind.Int {
	return rapid.OneOf(rapid.Just(kind.Int{}), rapid.Map(rapid.Int64Min(0), kind.Some[int64])).Draw(t, label)
}

func anyBool(t *rapid.T, label string) kind.Bool {
	return rapid.SampledFrom([]kind.Bool{{}, kind.Some(false), kind.Some(true)}).Draw(t, label)
}

// anyTime draws a time of the years 1 to 9999 in whole units, or null.
func anyTime(t *rapid.T, label string, unit int64) time.Time {
	first, last := at("0001-01-02T00:00:00Z").Unix(), at("9999-12-31T00:00:00Z").Unix()
	n := rapid.Int64Range(first/unit, last/unit).Draw(t, label)
	if n%7 == 0 {
		return time.Time{}
	}
	return time.Unix(n*unit, 0).UTC()
}

func anyAmount(t *rapid.T, label string) kind.Decimal {
	return kind.Decimal(anyInt(t, label))
}

// anyLinks draws linked records as a store reads them.
func anyLinks(t *rapid.T, label string, from ...kind.Linked) (links []kind.Linked) {
	for _, l := range from {
		if rapid.Bool().Draw(t, label) {
			links = append(links, l)
		}
	}
	return links
}

// anyPart draws a part that has a value.
func anyPart(t *rapid.T) part {
	const d = 24 * 60 * 60
	p := part{
		Name: anyText(t, "part name"), State: rapid.SampledFrom([]string{"", "Up", "Down"}).Draw(t, "part state"),
		Size: anyInt(t, "size"), Good: anyBool(t, "good"), At: anyTime(t, "at", 1), On: anyTime(t, "on", d),
		Cost: anyAmount(t, "cost"),
	}
	if p == (part{}) {
		p.Name = "x"
	}
	return p
}

func anyTool(t *rapid.T) tool {
	return tool{Maker: "m" + anyText(t, "maker"), Serial: anyText(t, "serial")}
}

// anyDevice draws a device that is in order.
func anyDevice(t *rapid.T) *device {
	people := rapid.SampledFrom([]kind.Person{{}, anna, bert})
	return &device{
		Record: kind.Record{ID: rapid.Int64Range(1, 1<<62).Draw(t, "id"), CreatedAt: anyTime(t, "created", 1)},
		Code:   anyText(t, "code"), Name: "n" + anyText(t, "name"),
		State: rapid.SampledFrom([]string{"New", "In Use", "Gone"}).Draw(t, "state"),
		Chip:  anyText(t, "chip"), Site: strings.TrimSpace(anyText(t, "site")), Count: anyInt(t, "count"),
		Live:   anyBool(t, "live"),
		SeenAt: anyTime(t, "seen", 1), BoughtOn: anyTime(t, "bought", 24*60*60), Owner: people.Draw(t, "owner"),
		Keeper: people.Draw(t, "keeper"),
		Note:   anyText(t, "note"), Origin: anyText(t, "origin"), Secret: anyText(t, "secret"),
		Parts: rapid.SliceOfN(rapid.Custom(anyPart), 0, 4).Draw(t, "parts"),
		Tools: rapid.SliceOfN(rapid.Custom(anyTool), 0, 4).Draw(t, "tools"),
		Price: anyAmount(t, "price"), Maker: rapid.SampledFrom([]kind.Ref{{}, acme, brand}).Draw(t, "maker"),
		RetiredOn: anyTime(t, "retired", 24*60*60),
		Sockets:   anyLinks(t, "sockets", full().Sockets...), Places: anyLinks(t, "places", full().Places...),
	}
}

// compute sets what is not part of a device, but read beside it.
func compute(t *rapid.T, d *device) {
	d.Load, d.LastVisit = anyInt(t, "load"), anyText(t, "last visit")
	d.Visits = rapid.SliceOfN(rapid.Just(visit{User: anna}), 0, 2).Draw(t, "visits")
	devices.Derive(d, anyTime(t, "today", 1))
}

// writable returns the part of a device that documents can set.
func writable(d *device) *device {
	c := *d
	c.Record, c.Origin, c.Secret = kind.Record{}, "", ""
	c.Phase, c.Load, c.LastVisit, c.Visits = "", kind.Int{}, "", nil
	return &c
}

// reread reads the document of d into rec.
func reread(t *rapid.T, d, rec *device) {
	patch, err := devices.Decode(devices.AppendRecord(nil, kind.XML, base, d))
	if err != nil {
		t.Fatal(err)
	}
	if err := patch.Resolve(known); err != nil {
		t.Fatal(err)
	}
	if faults := patch.Faults(); faults != nil {
		t.Fatalf("got faults %v in a document of ours", faults)
	}
	patch.Apply(rec)
}

// TestRoundTrip holds for any device: its document makes the same device of an
// empty one and changes nothing in the device itself, and so with its parts.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := anyDevice(r)
		if faults := devices.Check(d, nil); faults != nil {
			r.Fatalf("got faults %v in a device that is in order", faults)
		}
		compute(r, d)
		var copied device
		reread(r, d, &copied)
		equal(t, "device", &copied, writable(d))

		same := devices.Copy(d).(*device)
		reread(r, d, same)
		equal(t, "device itself", same, d)
		diff := devices.Diff(d, same)
		equal(t, "changes", diff.Changes, []kind.Change(nil))
		equal(t, "same", devices.Same(d, same), true)

		var unpacked device
		if err := unpack(t, layout, string(devices.Parts.Pack(nil, d)), &unpacked); err != nil {
			r.Fatal(err)
		}
		equal(t, "parts", unpacked, device{Parts: d.Parts, Tools: d.Tools})
		if t.Failed() {
			r.FailNow()
		}
	})
}

// TestDiffIsComplete holds for any two devices: the diff is empty if and only
// if no document shows a difference, and has a sentence for each change.
func TestDiffIsComplete(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		a, b := anyDevice(r), anyDevice(r)
		b.Record = a.Record
		if rapid.Bool().Draw(r, "equal") {
			*b = *a
		}
		diff := devices.Diff(a, b)
		same := string(devices.AppendRecord(nil, kind.XML, base, a)) == string(devices.AppendRecord(nil, kind.XML,
			base, b))
		if (len(diff.Changes) == 0) != same || len(diff.Sentences) != len(diff.Changes) {
			r.Fatalf("got %d changes and %d sentences of devices that are the same: %v", len(diff.Changes),
				len(diff.Sentences), same)
		}
	})
}
