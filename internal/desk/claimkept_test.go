package desk_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/report"
	"muster/internal/store"
)

// claimWith lets another token claim the fleet's computer with a report that tells more,
// and returns the claim.
func (f *fleet) claimWith(more string) desk.Target {
	f.t.Helper()
	f.report(said{token: "agents", device: "d1", os: "System 1"})
	f.add(desk.NewAgentToken{Name: "other"})
	m := machine{device: "d2", name: "pc", maker: "Dell Inc.", serial: "ABC1234", uuid: uuid1, more: more}
	got, err := f.tryBy(f.t, desk.Reporter{Token: f.tokens["other"]}, m.xml())
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
		err := f.store.View(ctx, func(tx *store.Tx) (err error) {
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
		err := f.store.Update(ctx, func(tx *store.Tx) error {
			return tx.SetClaimReport(ctx, claim.ID, report.Pack([]byte(machine{device: "d2", name: "pc"}.xml())))
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.AcceptClaim(ctx, f.who, claim)
		if e, ok := errors.AsType[*desk.Error](err); !ok || e.Code != desk.NotFound {
			t.Errorf("got the error %v, want that there is none", err)
		}
		f.shows(0, "System 1")
	})
}
