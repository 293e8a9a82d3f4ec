package agents_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/report"
	"muster/internal/store"
)

// claimWith lets another token claim the fleet's computer with a report that has more,
// and returns the claim.
func (f *fleet) claimWith(more string) desk.Target {
	f.t.Helper()
	f.report(said{token: "agents", device: "d1", os: "System 1"})
	f.add(agents.NewToken{Name: "other"})
	m := machine{Device: "d2", Name: "pc", Maker: "Dell Inc.", Serial: "ABC1234", UUID: uuid1, More: more}
	got, err := f.TryBy(f.t, agents.Reporter{Token: f.tokens["other"]}, m.XML())
	if err != nil || got.Outcome != waits || len(f.claims()) != 1 {
		f.t.Fatalf("got %+v, %v, and %d claims, want one", got, err, len(f.claims()))
	}
	return desk.Target{Kind: inventory.AgentClaims.Schema, ID: f.claims()[0].ID}
}

// TestClaimKeeps: of a report that waits nothing is stored but what is read of it, and
// that is taken in once it is accepted.
func TestClaimKeeps(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f, ctx := newFleet(t, db), context.Background()
		claim := f.claimWith("<PROCESSES><CMD>mysql -pHUNTER2</CMD></PROCESSES><ENVS><KEY>SECRET</KEY><VAL>HUNTER2</VAL></ENVS>" +
			"<SOFTWARES><NAME>Editor</NAME><VERSION>3</VERSION><PUBLISHER>Acme</PUBLISHER></SOFTWARES>")
		var kept []byte
		err := f.Store.View(ctx, func(tx *store.Tx) (err error) {
			kept, err = tx.ClaimReport(ctx, claim.ID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		text, err := report.Unpack(kept, 1<<20)
		if err != nil || bytes.Contains(text, []byte("HUNTER2")) || !bytes.Contains(text, []byte("Editor")) {
			t.Errorf("got %s, %v, stored, want what is read of the report alone", text, err)
		}
		f.accept()
		installed, err := f.List(ctx, f.who, inventory.Softwares.Schema, &kind.Query{Page: 1, PerPage: 10})
		if err != nil || installed.Total != 1 || installed.Records[0].(*inventory.Software).Name != "Editor" {
			t.Errorf("got %+v, %v, want the program of the report", installed, err)
		}
	})
}

// TestClaimUnreadable: a claim whose report cannot be read, as one that was stored as it
// was sent, is none.
func TestClaimUnreadable(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f, ctx := newFleet(t, db), context.Background()
		claim := f.claimWith("")
		err := f.Store.Update(ctx, func(tx *store.Tx) error {
			return tx.SetClaimReport(ctx, claim.ID, report.Pack([]byte(machine{Device: "d2", Name: "pc"}.XML())))
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Agents.AcceptClaim(ctx, f.who, claim)
		if e, ok := errors.AsType[*desk.Error](err); !ok || e.Code != desk.NotFound {
			t.Errorf("got the error %v, want that there is none", err)
		}
		f.shows(0, "System 1")
	})
}

// TestAnswerClaims: a claim that cannot be answered keeps no other from it, and what there
// is no time for is left for the next time.
func TestAnswerClaims(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFleet(t, db)
		for _, token := range []string{"agents", "other"} {
			for _, serial := range []string{"XYZ1000", "XYZ2000", "XYZ3000"} {
				f.report(said{token: token, device: token + serial, os: token, serial: serial})
			}
		}
		meant := agents.ClaimAnswer{Accept: true, Claims: []desk.Target{{Kind: inventory.AgentClaims.Schema, ID: 99}}}
		for _, claim := range f.claims() {
			meant.Claims = append(meant.Claims, desk.Target{Kind: inventory.AgentClaims.Schema, ID: claim.ID})
		}
		answer := func(within time.Duration, done, faults, left int) {
			t.Helper()
			ctx, cancel := context.WithTimeout(context.Background(), within)
			defer cancel()
			got, err := f.Agents.AnswerClaims(ctx, f.who, meant)
			if err != nil || len(got.Done) != done || len(got.Faults) != faults || got.Left != left {
				t.Errorf("got %d done, the faults %v, %d left and %v, want %d, %d and %d", len(got.Done), got.Faults,
					got.Left, err, done, faults, left)
			}
		}
		answer(4*time.Second, 0, 1, 3)
		meant.Claims = meant.Claims[1:]
		answer(4*time.Second, 1, 0, 2)
		f.shows(2, "other", "agents", "agents")
		meant.Claims = append(meant.Claims[1:], meant.Claims[0])
		answer(time.Hour, 2, 1, 0)
		f.shows(0, "other", "other", "other")
	})
}
