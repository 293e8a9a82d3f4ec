package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
)

// set changes a setting of a server.
func set(s *mustertest.Server, name, value string) {
	s.Settings(server.SettingCommand{Do: "set", Name: name, Value: value})
}

// TestPageSize: the setting is the default of per_page, at once and on every
// list.
func TestPageSize(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 30)
		c := s.Admin()
		for _, test := range []struct{ size, want string }{
			{"", "25"}, {"7", "7"}, {" 0030 ", "30"}, {"1000", "1000"}, {"25", "25"},
		} {
			if test.size != "" {
				set(s, "page-size", test.size)
			}
			r := c.Get("/hardwares")
			equal(t, test.size, []string{
				value(t, r.Body, "per_page"), r.Header.Get("X-Per-Page"),
				value(t, c.Get("/hardwares/1/tickets").Body, "per_page"),
			},
				[]string{test.want, test.want, test.want})
			equal(t, test.size+": per_page", value(t, c.Get("/hardwares?per_page=3").Body, "per_page"), "3")
		}
		set(s, "page-size", "12")
		equal(t, "the last page", ids(t, c.Get("/hardwares?page=3").Body), "25 26 27 28 29 30")
		r := c.Get("/hardwares?after=0")
		equal(t, "by id", ids(t, r.Body), "1 2 3 4 5 6 7 8 9 10 11 12")
		if got := r.Header.Get("Link"); !strings.Contains(got, "after=12>; rel=\"next\"") {
			t.Errorf("Link: got %s, want the next page after 12", got)
		}
	})
}

// setting returns the value of a setting.
func setting(s *mustertest.Server, name string) string {
	for _, one := range s.Settings(server.SettingCommand{Do: "list"}).Settings {
		if one.Name == name {
			return one.Value
		}
	}
	return "missing"
}

// TestStatusesAdded: statuses that an administrator adds are like those that are
// there always.
func TestStatusesAdded(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		computer := create(t, c, "<name>a</name>")
		const declared = "Status must be one of Operational, Broken, In Repair, Spare, Disposed, Lost"
		refused(t, "before", c.Do("PUT", computer, hardware("<status>Lent</status>")), http.StatusUnprocessableEntity,
			declared)
		set(s, "statuses", " At Home,, Lent ")
		equal(t, "the setting", setting(s, "statuses"), "At Home, Lent")
		r := c.Do("PUT", computer, hardware("<status> LENT </status>"))
		equal(t, "an added status", []any{r.Status, value(t, r.Body, "status")}, []any{200, "Lent"})
		r = c.Do("POST", "/other_assets", "<other-asset><name>b</name><status>at home</status></other-asset>")
		equal(t, "of an other asset", []any{r.Status, value(t, r.Body, "status")}, []any{201, "At Home"})
		r = c.Do("PUT", computer, c.Get(computer).Body)
		equal(t, "sent back", []any{r.Status, value(t, r.Body, "status")}, []any{200, "Lent"})
		equal(t, "the filter", ids(t, c.Get("/hardwares?status=lent").Body), "1")
		refused(t, "another", c.Do("PUT", computer, hardware("<status>Gone</status>")), http.StatusUnprocessableEntity,
			declared+", At Home, Lent")
		equal(t, "one that is there always", c.Do("PUT", computer, hardware("<status>broken</status>")).Status,
			http.StatusOK)
		set(s, "statuses", "At Home")
		refused(t, "one that was removed", c.Do("PUT", computer, hardware("<status>lent</status>")),
			http.StatusUnprocessableEntity, declared+", At Home")

		_, err := s.Setting(context.Background(), server.SettingCommand{Do: "set", Name: "statuses"})
		if want := "statuses cannot lose At Home, which is the status of 1 other asset: give them another first"; err == nil || err.Error() != want {
			t.Errorf("removing a status in use: got %v, want %s", err, want)
		}
		equal(t, "after it", c.Do("PUT", computer, hardware("<status>At Home</status>")).Status, http.StatusOK)
		_, err = s.Setting(context.Background(), server.SettingCommand{Do: "set", Name: "statuses", Value: "AT HOME"})
		if want := "the status of 1 computer and 1 other asset"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("another spelling of a status in use: got %v, want %s", err, want)
		}
	})
}

// TestSettingAudit: a change of a setting writes an audit record, and what
// changes nothing writes none.
func TestSettingAudit(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		before := len(s.Audits())
		set(s, "page-size", "25")
		set(s, "page-size", "50")
		set(s, "page-size", "050")
		set(s, "statuses", "Lent")
		set(s, "statuses", "")
		var recorded []string
		for _, a := range s.Audits()[before:] {
			change := a.Changes[0]
			recorded = append(recorded, strings.Join([]string{
				a.Action, a.RecordType, a.RecordName, a.Origin, a.User.Email, a.Message, change.Field, change.From,
				change.To,
			}, "|"))
			equal(t, "the record's id", a.RecordID.Valid, false)
		}
		equal(t, "audit records", recorded, []string{
			"update|setting|page-size|command||Setting page-size changed from 25 to 50|value|25|50",
			"update|setting|statuses|command||Setting statuses changed from nothing to Lent|value||Lent",
			"update|setting|statuses|command||Setting statuses changed from Lent to nothing|value|Lent|",
		})
		r := s.Admin().Get("/audits?record_type=setting")
		equal(t, "in the list",
			[]any{r.Status, r.Header.Get("X-Total-Count"), value(t, r.Body, "audit", "record-name")},
			[]any{200, "3", "page-size"})
	})
}

// TestUnknownSettings: what a newer version has stored does not keep this one
// from starting.
func TestUnknownSettings(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		database := db.New(t)
		ctx := context.Background()
		st, err := store.Open(ctx, store.Config{Database: database, Kinds: inventory.All()})
		if err != nil {
			t.Fatal(err)
		}
		err = st.Update(ctx, func(tx *store.Tx) error {
			for name, value := range map[string]string{"page-size": "many", "colour": "red", "statuses": "Broken"} {
				if err := tx.SetSetting(ctx, name, value); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || st.Close() != nil {
			t.Fatalf("store settings: %v", err)
		}
		s := mustertest.Start(t, mustertest.Options{Database: database})
		c := s.Admin()
		equal(t, "per_page", value(t, c.Get("/hardwares").Body, "per_page"), "25")
		refused(t, "a status", c.Do("POST", "/hardwares", hardware("<name>a</name><status>red</status>")),
			http.StatusUnprocessableEntity, "Status must be one of")
		if log := s.Log.String(); strings.Count(log,
			"the stored value of a setting is not allowed; its default is used") != 2 {
			t.Errorf("got the log\n%s\nwant a line for each value that is not allowed", log)
		}
		set(s, "page-size", "9")
		equal(t, "per_page once it is set", value(t, c.Get("/hardwares").Body, "per_page"), "9")
	})
}
