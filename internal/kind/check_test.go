package kind_test

import (
	"errors"
	"strings"
	"testing"

	"muster/internal/kind"
	"muster/internal/message"
)

func TestCheck(t *testing.T) {
	tooLong := strings.Repeat("ä", 256)
	for _, test := range []struct {
		name   string
		change func(*device)
		want   []string
	}{
		{"nothing", func(d *device) {}, nil},
		{"required", func(d *device) { d.Name = "" }, []string{"Name can't be blank"}},
		{"required enumeration", func(d *device) { d.State = "" }, []string{"State can't be blank"}},
		{"longest string", func(d *device) { d.Code = strings.Repeat("ä", 255) }, nil},
		{"too long", func(d *device) { d.Chip = tooLong }, []string{
			"Chip set is too long (maximum is 255 characters)",
		}},
		{"longest text", func(d *device) { d.Note = strings.Repeat("x", 64<<10) }, nil},
		{"too long text", func(d *device) { d.Note = strings.Repeat("ä", 32<<10) + "x" }, []string{
			"Note is too long (maximum is 65536 bytes)",
		}},
		{"not allowed", func(d *device) { d.State = "Lost" }, []string{"State must be one of New, In Use, Gone"}},
		{"negative", func(d *device) { d.Count = kind.Some[int64](-1) }, []string{
			"Item count must be greater than or equal to 0",
		}},
		{"negative amount", func(d *device) { d.Price.V = -1 }, []string{"Price must be greater than or equal to 0"}},
		{"computed", func(d *device) { d.Load.V, d.Visits = -1, []visit{{ID: kind.Some[int64](-1)}} }, nil},
		{"links", func(d *device) { d.Places = []kind.Linked{{Item: "house", ID: kind.Some[int64](1)}, {}} }, []string{
			"Places item 1: asset type must be one of wall-socket, room",
			"Places item 2: asset type can't be blank", "Places item 2: id can't be blank",
		}},
		{"in an item", func(d *device) {
			d.Parts = []part{{Name: "ok"}, {Name: tooLong, State: "Sideways", Size: kind.Some[int64](-1)}}
		}, []string{
			"Parts item 2: name is too long (maximum is 255 characters)",
			"Parts item 2: part state must be one of Up, Down",
			"Parts item 2: size must be greater than or equal to 0",
		}},
	} {
		d := full()
		test.change(d)
		equal(t, test.name, message.Strings(devices.Check(d, nil)), test.want)
		equal(t, test.name+": changed", message.Strings(devices.Check(d, full())), test.want)
		equal(t, test.name+": not changed", message.Strings(devices.Check(d, devices.Copy(d))), []string(nil))
	}
}

// TestClearing shows that clearing a required field is a fault, and naming
// another is none.
func TestClearing(t *testing.T) {
	for fields, want := range map[string][]string{
		"<name/>":             {"Name can't be blank"},
		"<name>  </name>":     {"Name can't be blank"},
		`<state nil="true"/>`: {"State can't be blank"},
		"<code/>":             nil,
	} {
		d := full()
		decode(t, inDevice(fields)).Apply(d)
		equal(t, fields, message.Strings(devices.Check(d, full())), want)
	}
}

// TestOneFault checks that a value that cannot be read is not reported as missing too.
func TestOneFault(t *testing.T) {
	patch := decode(t, inDevice("<name><b/></name>"))
	d := full()
	patch.Apply(d)
	equal(t, "faults", message.Strings(append(patch.Faults(), devices.Check(d, full())...)),
		[]string{"Name must be plain text, not hold <b>"})
}

// TestRequired shows that a value of any type can be required, and that 0 and
// false are values.
func TestRequired(t *testing.T) {
	type form struct {
		kind.Record
		Count  kind.Int
		Agreed kind.Bool
		Signer kind.Person
		Fee    kind.Decimal
		Maker  kind.Ref
	}
	forms := kind.Define("form", "forms", "", func(r *form, f *kind.Fields) {
		f.Record(&r.Record)
		f.Int("count", &r.Count).Required()
		f.Bool("agreed", &r.Agreed).Required()
		f.Person("signer", &r.Signer).Required()
		f.Decimal("fee", &r.Fee).Required()
		f.Ref("maker", &r.Maker, makers.Schema).Required()
	})
	equal(t, "empty", message.Strings(forms.Check(&form{}, nil)),
		[]string{"Count can't be blank", "Agreed can't be blank", "Signer can't be blank", "Fee can't be blank",
			"Maker can't be blank"})
	equal(t, "full", message.Strings(forms.Check(&form{
		Count: kind.Some[int64](0), Agreed: kind.Some(false), Signer: anna, Fee: cents(0), Maker: acme,
	}, nil)), []string(nil))
}

func TestNewHasDefaults(t *testing.T) {
	equal(t, "New", devices.New(), &device{State: "New"})
	for _, rec := range devices.Empty(2) {
		equal(t, "Empty", rec, any(&device{}))
	}
}

func TestCopyIsIndependent(t *testing.T) {
	d := full()
	c := devices.Copy(d).(*device)
	equal(t, "copy", c, d)
	patch := decode(t, inDevice("<name>x</name><item-count/><owner/><parts><part><name>x</name></part></parts><tools/>"))
	patch.Apply(c)
	equal(t, "record", d, full())
	want := full()
	want.Name, want.Count, want.Owner, want.Parts, want.Tools = "x", kind.Int{}, kind.Person{}, []part{{Name: "x"}}, nil
	equal(t, "changed copy", c, want)
}

// TestAdded: values that were added are allowed like those that are declared,
// and spelled as they were added.
func TestAdded(t *testing.T) {
	for _, test := range []struct {
		name, field string
		added       []string
		asked       bool
		want, fault string
	}{
		{"declared", "<state>gone</state>", []string{"Lent"}, false, "Gone", ""},
		{"added", "<state>Lent</state>", []string{"At Home", "Lent"}, true, "Lent", ""},
		{"in another case", "<state> AT home </state>", []string{"At Home", "Lent"}, true, "At Home", ""},
		{"neither", "<state>Lost</state>", []string{"At Home", "Lent"}, true, "Lost",
			"State must be one of New, In Use, Gone, At Home, Lent"},
		{"nothing added", "<state>Lent</state>", nil, true, "Lent", "State must be one of New, In Use, Gone"},
		{"cleared", "<state/>", []string{"Lent"}, false, "", "State can't be blank"},
		{"absent", "", []string{"Lent"}, false, "In Use", ""},
	} {
		asked, r := false, known
		r.Added = func(name string) ([]string, error) {
			asked = true
			equal(t, test.name+": added to", name, "states")
			return test.added, nil
		}
		patch, d := decode(t, inDevice(test.field)), full()
		if err := patch.Resolve(r); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		patch.Apply(d)
		equal(t, test.name, d.State, test.want)
		equal(t, test.name+": faults", message.Join(patch.Check(d, full()), "; "), test.fault)
		equal(t, test.name+": asked", asked, test.asked)
	}
	lent := full()
	lent.State = "Lent"
	patch := decode(t, inDevice("<state>Lent</state>"))
	patch.Apply(lent)
	equal(t, "a value that was taken away, sent back", message.Strings(patch.Check(lent, devices.Copy(lent))),
		[]string(nil))
}

// TestResolveFails passes on what the store could not do.
func TestResolveFails(t *testing.T) {
	failure := errors.New("disk on fire")
	broken := kind.Resolver{
		Added:  func(string) ([]string, error) { return nil, failure },
		Person: func(*kind.Person) (message.Predicate, error) { return message.Predicate{}, failure },
		Ref:    func(*kind.Schema, *kind.Ref) (message.Predicate, error) { return message.Predicate{}, failure },
		Links: func(*kind.Field, []kind.Linked) ([]kind.Linked, message.Predicate, error) {
			return nil, message.Predicate{}, failure
		},
	}
	for _, fields := range []string{"<owner><id>1</id></owner>", "<maker>x</maker>", "<state>x</state>",
		"<sockets><socket><id>1</id></socket></sockets>"} {
		if err := decode(t, inDevice(fields)).Resolve(broken); !errors.Is(err, failure) {
			t.Errorf("%s: got %v, want %v", fields, err, failure)
		}
	}
	if err := decode(t, inDevice("<owner/><maker/>")).Resolve(broken); err != nil {
		t.Errorf("got %v where nothing is referred to", err)
	}
}

func TestMeta(t *testing.T) {
	d := full()
	devices.Meta(d).ID = 5
	if d.ID != 5 || devices.Values(d).ID() != 5 {
		t.Errorf("got id %d, want 5", d.ID)
	}
}
