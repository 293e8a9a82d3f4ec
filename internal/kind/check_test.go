package kind_test

import (
	"errors"
	"strings"
	"testing"

	"muster/internal/kind"
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
		{"too long", func(d *device) { d.Chip = tooLong }, []string{"Chip set is too long (maximum is 255 characters)"}},
		{"longest text", func(d *device) { d.Note = strings.Repeat("x", 64<<10) }, nil},
		{"too long text", func(d *device) { d.Note = strings.Repeat("ä", 32<<10) + "x" }, []string{"Note is too long (maximum is 65536 bytes)"}},
		{"not allowed", func(d *device) { d.State = "Lost" }, []string{"State must be one of New, In Use, Gone"}},
		{"negative", func(d *device) { d.Count = kind.Some[int64](-1) }, []string{"Item count must be greater than or equal to 0"}},
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
		equal(t, test.name, devices.Check(d, nil), test.want)
		equal(t, test.name+": changed", devices.Check(d, full()), test.want)
		equal(t, test.name+": not changed", devices.Check(d, devices.Copy(d)), []string(nil))
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
		equal(t, fields, devices.Check(d, full()), want)
	}
}

// TestOneFault shows that a value that cannot be read is not told as absent
// too.
func TestOneFault(t *testing.T) {
	patch := decode(t, inDevice("<name><b/></name>"))
	d := full()
	patch.Apply(d)
	equal(t, "faults", append(patch.Faults(), devices.Check(d, full())...), []string{"Name must be plain text, not hold <b>"})
}

// TestRequired shows that a value of any type can be required, and that 0 and
// false are values.
func TestRequired(t *testing.T) {
	type form struct {
		kind.Record
		Count  kind.Int
		Agreed kind.Bool
		Signer kind.Person
	}
	forms := kind.Define("form", "forms", "", func(r *form, f *kind.Fields) {
		f.Record(&r.Record)
		f.Int("count", &r.Count).Required()
		f.Bool("agreed", &r.Agreed).Required()
		f.Person("signer", &r.Signer).Required()
	})
	equal(t, "empty", forms.Check(&form{}, nil), []string{"Count can't be blank", "Agreed can't be blank", "Signer can't be blank"})
	equal(t, "full", forms.Check(&form{Count: kind.Some[int64](0), Agreed: kind.Some(false), Signer: anna}, nil), []string(nil))
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

func TestPeopleFails(t *testing.T) {
	failure := errors.New("disk on fire")
	patch := decode(t, inDevice("<owner><id>1</id></owner>"))
	if err := patch.People(func(*kind.Person) (string, error) { return "", failure }); !errors.Is(err, failure) {
		t.Errorf("got %v, want %v", err, failure)
	}
}

func TestMeta(t *testing.T) {
	d := full()
	devices.Meta(d).ID = 5
	if d.ID != 5 || devices.Values(d).ID() != 5 {
		t.Errorf("got id %d, want 5", d.ID)
	}
}
