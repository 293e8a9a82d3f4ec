package imports

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"muster/internal/front"
	"muster/internal/sheet"
	"muster/internal/web/page"
)

// uploadWait is when to try again while as many files are received as may be.
const uploadWait = 10 * time.Second

// Receive reads a form with a file, at the pace of its sender. It is read
// before the request takes a place among those that are worked on.
func (all *Pages) Receive(c *page.Call) error {
	if len(importable(c)) == 0 {
		front.Discard(c.Writer, c.Request)
		return front.Fault(http.StatusForbidden, "the user %s may only read", c.User.Email)
	}
	select {
	case all.uploads <- struct{}{}:
		defer func() { <-all.uploads }()
	default:
		front.Discard(c.Writer, c.Request)
		return front.TooMany(uploadWait, page.LimitImports, "other files are being received: try again in a moment")
	}
	paced := front.BodyOf(c.Writer, c.Request)
	r := *c.Request
	r.Body = http.MaxBytesReader(c.Writer, io.NopCloser(paced), sheet.MaxFile+page.MaxForm)
	err := readParts(c, &r)
	paced.Done(err)
	if slow, ok := errors.AsType[*front.Error](err); ok {
		return slow
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		front.Drain(c.Writer, c.Request)
		return front.Fault(http.StatusRequestEntityTooLarge, "the file is larger than %d MiB: split it",
			sheet.MaxFile>>20)
	}
	if err != nil {
		return front.Fault(http.StatusBadRequest, "the file did not arrive whole: %v", err)
	}
	return nil
}

// readParts reads the parts of the form: a file, and short texts.
func readParts(c *page.Call, r *http.Request) error {
	parts, err := r.MultipartReader()
	if err != nil {
		return err
	}
	c.Form = url.Values{}
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return err
		}
		if part.FormName() == "file" {
			c.File = &page.Upload{Name: part.FileName(), Data: data}
		} else if len(data) < 1<<10 {
			c.Form.Add(part.FormName(), string(data))
		}
	}
}
