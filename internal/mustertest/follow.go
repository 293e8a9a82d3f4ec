package mustertest

import (
	"bufio"
	"context"
	"net/http"
	"strings"
)

// Events are the live events that a server sends to an open page.
type Events struct {
	Status int
	visit  *Visitor
	res    *http.Response
	lines  *bufio.Scanner
	stop   context.CancelFunc
}

// Follow begins to listen to events.
func (v *Visitor) Follow(target string) *Events {
	v.t.Helper()
	ctx, stop := context.WithTimeout(v.t.Context(), 5*patience)
	v.t.Cleanup(stop)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, v.base+target, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	res, err := v.client.Do(req)
	if err != nil {
		v.t.Fatalf("follow %s: %v", target, err)
	}
	return &Events{res.StatusCode, v, res, bufio.NewScanner(res.Body), stop}
}

// counted is the event of a number in the navigation, which comes beside what a
// page follows.
const counted = "counted"

// Next returns the next event of what the page follows with its data, "" when
// there are no more.
func (e *Events) Next() (event, data string) {
	e.visit.t.Helper()
	for event = counted; event == counted; {
		event, data = e.any()
	}
	return event, data
}

// Counted returns the data of the next event of a number in the navigation, ""
// when there are no more.
func (e *Events) Counted() (data string) {
	e.visit.t.Helper()
	for event := " "; event != counted && event != ""; {
		event, data = e.any()
	}
	return data
}

// any returns the next event.
func (e *Events) any() (event, data string) {
	for e.lines.Scan() {
		name, value, _ := strings.Cut(e.lines.Text(), ": ")
		switch name {
		case "event":
			event = value
		case "data":
			return event, value
		}
	}
	return "", ""
}

// Close stops listening.
func (e *Events) Close() {
	e.stop()
	_ = e.res.Body.Close()
}

// Head asks for the header of a page.
func (v *Visitor) Head(target string) *Response {
	v.t.Helper()
	return v.do(http.MethodHead, target, nil)
}
