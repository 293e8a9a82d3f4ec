package intake_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/store"
)

// TestAgentsOfEarlierVersions: of an agent from before it was stored with which token it
// comes, the first report is taken in with any token. From then on other tokens wait.
func TestAgentsOfEarlierVersions(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		first, second := newAgent(t, s), newAgent(t, s)
		document := func(system string) []byte {
			return deflated(inventory("d1",
				"<HARDWARE><NAME>pc</NAME><OSNAME>"+system+
					"</OSNAME></HARDWARE><BIOS><SMANUFACTURER>Dell Inc.</SMANUFACTURER><SSN>ABC1234</SSN></BIOS>"))
		}
		shows := func(what string, from *agent, system, want string, claims int) {
			t.Helper()
			if got := from.post(document(system)); got.status != http.StatusOK {
				t.Fatalf("%s: got %d %s, want 200", what, got.status, got.text)
			}
			c := s.Admin()
			if got := c.Get("/agent_claims").Header.Get("X-Total-Count"); got != fmt.Sprint(claims) {
				t.Errorf("%s: got %s claims, want %d", what, got, claims)
			}
			if got := c.Get("/hardwares?operating_system=" + want).Header.Get("X-Total-Count"); got != "1" {
				t.Errorf("%s: got %s computers with %s, want 1", what, got, want)
			}
		}
		shows("the first token", first, "Debian11", "Debian11", 0)
		ctx := context.Background()
		err := s.Store().Update(ctx, func(tx *store.Tx) error {
			all, err := tx.AgentsOf(ctx, 1)
			if err != nil {
				return err
			}
			old := store.Agent{
				ID: all[0].ID, DeviceID: all[0].DeviceID, ComputerID: 1, Program: all[0].Program,
				Version: all[0].Version, Serial: all[0].Serial, TokenID: all[0].TokenID,
				CreatedAt: all[0].CreatedAt, Sum: all[0].Sum, Digests: all[0].Digests, Programs: all[0].Programs,
			}
			return tx.SetAgent(ctx, &old)
		})
		if err != nil {
			t.Fatal(err)
		}
		shows("another token after the upgrade", second, "Debian12", "Debian12", 0)
		shows("it again", second, "Debian12", "Debian12", 0)
		shows("the first token then", first, "Debian13", "Debian12", 1)
	})
}
