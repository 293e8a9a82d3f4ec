package server

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"muster/internal/archive"
	"muster/internal/desk/trail"
	"muster/internal/inventory"
	"muster/internal/store"
	"muster/internal/witness"
)

// lastHeadTime is how long the end of a server or command waits for the head of
// the audit trail.
const lastHeadTime = 5 * time.Second

// node returns the name of the machine.
func node() string {
	name, err := os.Hostname()
	if err != nil {
		return "this node"
	}
	return name
}

// named names the database in the file: one in the data folder may move with
// it.
func (p *Place) named() string {
	if store.IsPostgres(p.database()) {
		return store.Public(p.database())
	}
	file, folder := absolute(p.database()), absolute(p.Data)
	if within, err := filepath.Rel(folder, file); err == nil && !strings.HasPrefix(within, "..") {
		return within
	}
	return file
}

// headFile returns the file of the audit trail's head, and the key of it.
func (p *Place) headFile(serverKey []byte) (witness.File, error) {
	key, err := witness.NewKey(serverKey)
	return witness.File{Path: p.path(witness.FileName), Key: key}, err
}

// keeper returns what keeps the head of the audit trail of an open installation.
func (p *Place) keeper(h *installation, serverKey []byte) (*witness.Keeper, error) {
	file, err := p.headFile(serverKey)
	return &witness.Keeper{
		File: file,
		Trail: witness.Trail{
			Store:    h.store,
			Complete: func(ctx context.Context) error { return trail.Complete(ctx, h.desk) },
			Note: func(ctx context.Context, text string) error {
				return trail.Note(ctx, h.desk, origin, node(), text)
			},
		},
		Node: node(), Database: p.named(), Now: p.Now, Log: p.Log,
	}, err
}

// keepHead brings the file of the audit trail's head up to date until the server
// stops.
func (s *Server) keepHead(ctx context.Context) {
	tick := time.NewTicker(headLook)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if s.installation.keeper.IsDue() {
			limited, cancel := context.WithTimeout(ctx, headTime)
			s.installation.keeper.Keep(limited)
			cancel()
		}
	}
}

// lastHead brings it up to date for the last time.
func (h *installation) lastHead() {
	ctx, cancel := context.WithTimeout(context.Background(), lastHeadTime)
	defer cancel()
	h.keeper.Close(ctx)
}

// Testimony reads the file of the audit trail's head, to be compared with the
// trail.
func (p *Place) Testimony() *witness.Testimony {
	key, err := ReadKey(p.keyFile())
	return witness.Hear(p.path(witness.FileName), key, err)
}

// AuditKey returns the public half of the key that signs the head of the audit
// trail, in PEM.
func (p *Place) AuditKey() (string, error) {
	key, err := ReadKey(p.keyFile())
	if err != nil {
		return "", err
	}
	private, err := witness.NewKey(key)
	if err != nil {
		return "", err
	}
	public, err := x509.MarshalPKIXPublicKey(private.Public())
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})), err
}

// acceptPath is where the running server takes the audit trail as it is, on the
// socket.
const acceptPath = "/audits/accept"

// An acceptQuestion asks for that.
type acceptQuestion struct{}

// AcceptTrail takes an audit trail as it is that is not the one that the node
// saw, whether or not a server runs on the data folder.
func (p *Place) AcceptTrail(ctx context.Context) (*witness.Accepted, error) {
	return retryWhileLocked(ctx, p, func() (*witness.Accepted, error) {
		res, err := ask[witness.Accepted](ctx, p, acceptPath, acceptQuestion{})
		if !errors.Is(err, errNoServer) {
			return res, err
		}
		h, err := p.openFor(ctx, false)
		if err != nil {
			return nil, err
		}
		defer h.close()
		return h.keeper.Accept(ctx, p.stamp())
	})
}

// restoredHead starts a new file for the audit trail's head after a restore, and keeps
// the former one. The next start records the restore in the trail, since the database
// may be of a version that this program cannot write.
func (p *Place) restoredHead(ctx context.Context, head archive.Head, stamp string) (kept string, err error) {
	key, err := ReadKey(p.keyFile())
	if err != nil {
		return "", err
	}
	file, err := p.headFile(key)
	if err != nil {
		return "", err
	}
	if kept, err = file.SetAside(stamp); err != nil {
		return "", err
	}
	former := "not known"
	if s, err := file.Read(); err == nil {
		former = s.Head().String()
	}
	end, err := p.trailEnd(ctx)
	if err != nil { // it is older than the chain of audit records
		p.Log.Warn("the head of the restored audit trail was not written; the next start of the server writes it", "error", err)
		return kept, os.RemoveAll(file.Path)
	}
	return kept, file.Write(&witness.Statement{
		Database: p.named(), Marks: []witness.Mark{{Mark: end, At: p.Now()}},
		Note: fmt.Sprintf("Backup of %s restored on %s: the head of the audit trail was %s, and is %s",
			head.Made.UTC().Format(time.RFC3339), node(), former, end.Head),
	})
}

// trailEnd returns the end of the audit trail in a database that nobody uses.
func (p *Place) trailEnd(ctx context.Context) (end store.Mark, err error) {
	s, err := store.Look(ctx, store.Config{Database: p.database(), Kinds: p.kinds()})
	if err != nil {
		return end, err
	}
	defer s.Close()
	err = s.View(ctx, func(tx *store.Tx) error {
		_, end, err = tx.Marked(ctx, inventory.Audits.Schema, nil)
		return err
	})
	return end, err
}
