package intake

import (
	"errors"
	"maps"
	"net/http"
	"slices"

	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/digest"
	"muster/internal/front"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/report"
)

// Outcomes of messages, for the log and metrics. Prolog and contact are not reports, and are counted as
// requests only.
const (
	unchanged = "unchanged"
	other     = "other"
	prolog    = "prolog"
	contact   = "contact"
	old       = "old"
)

// outcomes are those of reports that are taken in.
var outcomes = map[agents.Outcome]string{
	agents.ReportNew: "new", agents.ReportChanged: "changed", agents.ReportUnchanged: unchanged,
	agents.ReportBehind: "behind", agents.ReportClaimed: "claimed",
	agents.ReportOld: old,
}

// refusals are the outcomes of reports that are not taken, by status.
var refusals = map[int]string{
	http.StatusBadRequest: "malformed", http.StatusForbidden: "forbidden", http.StatusRequestTimeout: "slow",
	http.StatusConflict:              "conflict",
	http.StatusRequestEntityTooLarge: "too_large", http.StatusUnprocessableEntity: "invalid",
	http.StatusTooManyRequests:    "limited",
	http.StatusServiceUnavailable: "unavailable", http.StatusInsufficientStorage: "full",
	http.StatusInternalServerError: "failed",
}

// Outcomes are all outcomes of reports, as metrics count them.
var Outcomes = slices.Concat([]string{other}, slices.Collect(maps.Values(outcomes)),
	slices.Collect(maps.Values(refusals)))

// count records the outcome of a message for the log and the metrics.
func (in *Intake) count(v *front.Info, outcome string) {
	v.Outcome = outcome
	if in.Observe != nil && outcome != prolog && outcome != contact {
		in.Observe(outcome)
	}
}

// oldReport is why an old report changes nothing.
var oldReport = message.New("the report was made more than 26 hours before the agent's last one, and changes nothing")

// noteOld remembers that a report was too old to count, for people who look for it.
func (in *Intake) noteOld(r *http.Request) {
	in.Agents.NoteRefusal(agents.Refusal{
		Token: front.Of(r).Token, Address: front.Address(r), Agent: r.UserAgent(), Reason: oldReport,
	})
}

// translate is the table from agents' mistakes to answers. What is not in it is left as it is.
func translate(err error) error {
	if errors.Is(err, report.ErrTooLarge) {
		return answer(http.StatusRequestEntityTooLarge, err)
	}
	if errors.Is(err, report.ErrMalformed) {
		return answer(http.StatusBadRequest, err)
	}
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		return &front.Error{Status: http.StatusUnprocessableEntity, Faults: e.Faults}
	}
	if e, ok := errors.AsType[*desk.Error](err); ok {
		if e.Code == desk.Forbidden {
			return answer(http.StatusForbidden, e)
		}
		return answer(http.StatusConflict, e)
	}
	return err
}

// answer returns the answer with the text of an error.
func answer(status int, err error) *front.Error {
	return &front.Error{Status: status, Faults: []message.Text{message.Of(err)}}
}

// WriteError answers with an error in the form of the message, for the agent's log; as plain text, for people who try, when
// it is not known.
func (in *Intake) WriteError(w http.ResponseWriter, r *http.Request, e *front.Error) {
	v := front.Of(r)
	if outcome, of := refusals[e.Status]; of && e.Limit != limitTokens { // of senders whose messages are not read
		in.count(v, outcome)
	}
	// such requests are not reports
	if v.Login != digest.Missing.String() && e.Status != http.StatusNotFound &&
		e.Status != http.StatusMethodNotAllowed {
		in.Agents.NoteRefusal(agents.Refusal{
			Token: v.Token, Address: front.Address(r), Agent: r.UserAgent(), Reason: e.Faults[0],
		})
	}
	format, known := v.Own.(report.Format)
	if !known {
		write(w, e.Status, report.Answer{ContentType: "text/plain; charset=utf-8", Body: []byte(e.Error() + "\n")})
		return
	}
	write(w, e.Status, report.Refused(format, e.Error()))
}
