// Package agent reports the computer that it runs on to a server, as agents of OCS Inventory do: it asks
// whether an inventory is wanted and, when it is, sends one.
//
// A Reporter does so once, with Report, or repeatedly until its context ends, with Repeat. Its errors are for
// people: they say what is wrong and what to do, and never contain the token. Making the inventory does not
// belong here, but in package collect.
package agent

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"muster/internal/collect"
)

// A Reporter reports one computer to one server.
type Reporter struct {
	Server  *Server
	Machine *collect.Machine
	State   string // folder in which the device id and the key are kept
	Client  string // what the agent calls itself
	Log     *slog.Logger

	Now    func() time.Time
	Wait   func(context.Context, time.Duration) error // returns the context's error when that ends first
	Random func() float64                             // from 0 up to 1
}

// A Notice is why a report is not shown with its computer though nothing went wrong.
type Notice string

func (n Notice) Error() string { return string(n) }

// ErrNotWanted says that the server wants no inventory now.
const ErrNotWanted Notice = "the server wants no report of this computer now"

// notices are what other outcomes mean that the server names.
var notices = map[string]Notice{
	"claimed": "nothing of the report is shown until a technician accepts it (see Agents, or muster claim list): another agent, or one with a key, speaks for this computer",
	"behind":  "the report changes nothing: another agent speaks for this computer, see Agents",
}

// Report sends an inventory. The error is a Notice when the server does not show it.
func (r *Reporter) Report(ctx context.Context) error {
	id, err := r.deviceID()
	if err != nil {
		return err
	}
	sender := collect.Sender{DeviceID: id, Client: r.Client}
	client := r.Server.client()
	defer client.CloseIdleConnections()
	key, err := r.keptKey()
	if err != nil {
		return err
	}
	answer, err := r.post(ctx, client, message{document: sender.Prolog(), key: key})
	switch {
	case err != nil:
		return err
	case answer.response == "STOP":
		return ErrNotWanted
	case answer.response != "SEND":
		return fmt.Errorf("%s answers %q instead of SEND or STOP; is it the address of a Muster server, with the path /ocsinventory?", r.Server, answer.response)
	}
	document, err := sender.Inventory(ctx, r.Machine)
	if err != nil {
		return err
	}
	answer, err = r.post(ctx, client, message{document: document, key: key})
	if err == nil && answer.response == "ERROR" {
		return fmt.Errorf("%s refuses the report: %s", r.Server, answer.message)
	}
	if err == nil && answer.key != "" {
		err = r.keepKey(answer.key)
	}
	if notice := notices[answer.outcome]; err == nil && notice != "" {
		return notice
	}
	return err
}

// Document returns the inventory that would be sent. It changes nothing: without a device id, it has one that is not
// kept.
func (r *Reporter) Document(ctx context.Context) ([]byte, error) {
	id, err := r.keptID()
	if err != nil {
		return nil, err
	}
	if id == "" {
		id = r.newID()
	}
	return collect.Sender{DeviceID: id, Client: r.Client}.Inventory(ctx, r.Machine)
}

// post sends a message.
func (r *Reporter) post(ctx context.Context, client *http.Client, m message) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, postTime)
	defer cancel()
	m.agent = r.Client
	return r.Server.post(ctx, client, m)
}
