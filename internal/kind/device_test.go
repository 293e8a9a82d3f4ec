package kind_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"muster/internal/kind"
	"muster/internal/message"
)

// A device is a record of a kind that only tests know. It has a field of every
// type and with every option.
type device struct {
	kind.Record
	Code, Name, State, Chip, Site string
	Count                         kind.Int
	Live                          kind.Bool
	SeenAt, BoughtOn              time.Time
	Owner, Keeper                 kind.Person
	Note, Origin, Secret          string
	Parts                         []part
	Tools                         []tool
	Price                         kind.Decimal
	Maker                         kind.Ref
	RetiredOn                     time.Time
	Phase                         string        // follows from the dates
	Sockets                       []kind.Linked // of one kind
	Places                        []kind.Linked // of two kinds
	Load                          kind.Int      // computed
	LastVisit                     string        // the address of a record
	Visits                        []visit       // computed
}

type part struct {
	Name, State string
	Size        kind.Int
	Good        kind.Bool
	At, On      time.Time
	Cost        kind.Decimal
}

type tool struct{ Maker, Serial string }

type visit struct {
	ID   kind.Int
	User kind.Person
}

// A thing is a record that devices refer to.
type thing struct {
	kind.Record
	Name string
}

func (r *thing) fields(f *kind.Fields) {
	f.Record(&r.Record)
	f.Text("name", &r.Name).Filter()
	f.Stamps(&r.Record)
}

var (
	makers  = kind.Define("maker", "makers", "", (*thing).fields)
	sockets = kind.Define("wall-socket", "wall-sockets", "", (*thing).fields)
	rooms   = kind.Define("room", "rooms", "", (*thing).fields)
)

var devices = kind.Define("test-device", "test-devices", "Devices List", func(d *device, f *kind.Fields) {
	f.Noun("device")
	f.Record(&d.Record)
	f.Text("code", &d.Code).Unique().Filter()
	f.Text("name", &d.Name).Required().Filter()
	f.Text("state", &d.State).Required().OneOf("New", "In Use", "Gone").Added("states").Default("New").Filter()
	f.Text("chip-set", &d.Chip).Label("Chip").Padded().FilterAs("processor")
	f.Text("site", &d.Site).Named().Filter()
	f.Ref("maker", &d.Maker, makers.Schema).Filter()
	f.Int("item-count", &d.Count).Unit("pieces").Filter()
	f.Decimal("price", &d.Price).Unit("EUR").Filter()
	f.Bool("live", &d.Live).Filter()
	f.Time("seen-at", &d.SeenAt).Filter()
	phase := f.Text("phase", &d.Phase)
	f.Date("bought-on", &d.BoughtOn).Filter()
	f.Date("retired-on", &d.RetiredOn)
	phase.ByDay(f.Past("retired-on", "Retired"), f.Coming("bought-on", "To Come"), kind.Always("Here")).Filter()
	f.Person("owner", &d.Owner).Filter()
	f.Text("origin", &d.Origin).ReadOnly().Filter()
	kind.Links(f, "sockets", "socket", &d.Sockets, sockets.Schema).Label("Wall sockets")
	kind.Links(f, "places", "place", &d.Places, sockets.Schema, rooms.Schema)
	f.Int("load", &d.Load).Computed()
	f.Address("last-visit-href", &d.LastVisit)
	f.Stamps(&d.Record)
	f.Link("tools-href", "/tools")
	f.Link("old-tools-href", "/tools?view=old&all=1")

	f.Detail()
	f.LongText("note", &d.Note)
	f.Person("keeper", &d.Keeper).Shows("email", "first-name", "last-name", "last-login", "phone")
	kind.Many(f, "parts", "part", &d.Parts, func(p *part, f *kind.Fields) {
		f.Text("name", &p.Name)
		f.Text("part-state", &p.State).OneOf("Up", "Down")
		f.Int("size", &p.Size).Unit("MB")
		f.Bool("good", &p.Good)
		f.Time("at", &p.At).FilterAs("part_at")
		f.Date("on", &p.On)
		f.Decimal("cost", &p.Cost)
	}).Key("name")
	kind.Many(f, "tools", "toolse", &d.Tools, func(t *tool, f *kind.Fields) {
		f.Noun("tool")
		f.Text("maker", &t.Maker)
		f.Text("serial", &t.Serial).Label("SN").FilterAs("tool_serial")
	}).Key("serial").ItemAlias("tool")
	kind.Many(f, "visits", "visit", &d.Visits, func(v *visit, f *kind.Fields) {
		f.Int("id", &v.ID)
		f.Person("user", &v.User)
	}).Computed()

	f.Listed()
	f.Text("secret", &d.Secret).Hidden()
	f.Within("recent", "created-at")
	f.NotWithin("silent", "seen-at", "created-at")
})

// at returns a time from its timestamp.
func at(stamp string) time.Time {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		panic(err)
	}
	return t
}

// day returns a time from its date.
func day(date string) time.Time { return at(date + "T00:00:00Z") }

// anna and bert are users.
var (
	anna = kind.Person{
		ID: 7, Email: "anna@example.com", Name: "Anna <A> Berg", FirstName: "Anna <A>", LastName: "Berg",
		Phone: "+49 & 1", LastLogin: at("2026-01-30T08:00:00Z"),
	}
	bert = kind.Person{ID: 8, Email: "bert@example.com", Name: "bert@example.com"}
)

// full returns a device with every value set.
func full() *device {
	return &device{
		Record: kind.Record{
			ID: 42, Version: 3, CreatedAt: at("2026-01-02T03:04:05Z"), UpdatedAt: at("2026-02-03T04:05:06Z"),
		},
		Code: "D-1", Name: "Press & <Co>", State: "In Use", Chip: "  M1 ", Site: "HQ",
		Count: kind.Some[int64](12), Live: kind.Some(true),
		SeenAt: at("2026-01-31T09:30:00Z"), BoughtOn: day("2025-12-24"),
		Owner: bert, Keeper: anna,
		Note: "one\r\ntwo\tthree", Origin: "import", Secret: "hush",
		Parts: []part{
			{Name: "disk", State: "Up", Size: kind.Some[int64](0), Good: kind.Some(false),
				At: at("2026-01-01T00:00:00Z"), On: day("2026-01-01"), Cost: cents(5)},
			{Name: "fan"},
		},
		Tools: []tool{{Maker: "Acme", Serial: "S1"}},
		Price: cents(1250), Maker: acme, RetiredOn: day("2027-12-24"), Phase: "Here",
		Sockets: []kind.Linked{link(sockets, 4, "left <1>"), link(sockets, 6, "right")},
		Places:  []kind.Linked{link(sockets, 6, "right"), link(rooms, 4, "Attic & Co")},
		Load:    kind.Some[int64](3), LastVisit: "/visits/9",
		Visits: []visit{{kind.Some[int64](9), bert}, {}},
	}
}

// cents returns an amount.
func cents(n int64) kind.Decimal { return kind.Decimal{V: 100 * n, Valid: true} }

// link returns a linked record.
func link(k kind.Kind[thing], id int64, name string) kind.Linked {
	return kind.Linked{Item: k.Item, ID: kind.Some(id), Name: name}
}

// acme and brand are makers.
var acme, brand = kind.Ref{ID: 5, Name: "Acme <Ltd>"}, kind.Ref{ID: 6, Name: "brand"}

// decode reads a document that must be well-formed.
func decode(t *testing.T, doc string) *kind.Patch {
	t.Helper()
	patch, err := devices.Decode([]byte(doc))
	if err != nil {
		t.Fatalf("Decode(%s): %v", doc, err)
	}
	return patch
}

// inDevice puts fields into the root of a document.
func inDevice(fields string) string { return "<test-device>" + fields + "</test-device>" }

// known completes what documents refer to, as a store does.
var known = kind.Resolver{Person: findPerson, Ref: findMaker, Links: findLinks}

func findPerson(p *kind.Person) (message.Predicate, error) {
	for _, known := range []kind.Person{anna, bert} {
		if p.ID == known.ID || p.Email == known.Email || p.Name == known.Name {
			*p = known
			return message.Predicate{}, nil
		}
	}
	return message.Says("does not exist"), nil
}

func findMaker(target *kind.Schema, r *kind.Ref) (message.Predicate, error) {
	for _, known := range []kind.Ref{acme, brand} {
		if target == makers.Schema && strings.EqualFold(r.Name, known.Name) {
			*r = known
			return message.Predicate{}, nil
		}
	}
	return message.Says("does not exist"), nil
}

// findLinks knows sockets and rooms up to id 9, by names that follow from the
// full device.
func findLinks(f *kind.Field, all []kind.Linked) ([]kind.Linked, message.Predicate, error) {
	names := map[kind.Linked]string{}
	for _, l := range append(full().Sockets, full().Places...) {
		names[kind.Linked{Item: l.Item, ID: l.ID}] = l.Name
	}
	for i := range all {
		if !slices.ContainsFunc(f.Targets, func(t *kind.Schema) bool { return t.Item == all[i].Item }) ||
			all[i].ID.V > 9 {
			return nil, message.Says("holds one that does not exist"), nil
		}
		all[i].Name = names[all[i]]
	}
	return all, message.Predicate{}, nil
}

// equal fails the test unless got is want; no items are as good as none.
func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
