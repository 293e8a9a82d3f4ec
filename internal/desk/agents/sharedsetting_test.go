package agents_test

import (
	"context"
	"testing"

	"muster/internal/mustertest"
)

// TestSharedSettings: settings of what many computers share are kept in one spelling, and refuse what is none.
func TestSharedSettings(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o, ctx := openOffice(t, db), context.Background()
		for _, c := range []struct{ name, value, want, fault string }{
			{"not-serials", " Lab-1,lab 1 ,Lab 2", "Lab-1, Lab 2", ""},
			{"not-serials", "--", "", "not-serials must have letters or digits, which -- has not"},
			{"not-uuids", "FEEDBEEF-0000-1111-2222-333344445555, efbeedfe-0000-1111-2222-333344445555",
				"feedbeef-0000-1111-2222-333344445555", ""},
			{"not-uuids", "feed", "",
				"not-uuids must be UUIDs such as 03000200-0400-0500-0006-000700080009, which feed is not"},
			{"not-macs", "00-50-b6, a4:bb:6d:12:34:56", "00:50:B6, A4:BB:6D:12:34:56", ""},
			{"not-macs", "00:50", "",
				"not-macs must be MAC addresses such as 00:50:B6:12:34:56, or their first three bytes or more, which 00:50 is not"},
			{"not-macs", "", "", ""},
		} {
			err := o.Settings().Set(ctx, program, c.name, c.value)
			if fault := text(err); fault != c.fault {
				t.Errorf("%s %q: got the error %q, want %q", c.name, c.value, fault, c.fault)
			}
			all, err := o.Settings().All(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range all {
				if s.Name == c.name && c.fault == "" && s.Value != c.want {
					t.Errorf("%s %q: got %q, want %q", c.name, c.value, s.Value, c.want)
				}
			}
		}
	})
}

// text returns what an error says, "" for none.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
