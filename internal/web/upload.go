package web

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"muster/internal/door"
	"muster/internal/sheet"
)

// An upload is a file that a form brings.
type upload struct {
	name string
	data []byte
}

// uploadWait is when to try again while as many files are received as may be.
const uploadWait = 10 * time.Second

// receive reads a form with a file, at the pace of its sender. It is read
// before the request takes a place among those that are worked on.
func (all *imports) receive(c *call) error {
	if len(c.importable()) == 0 {
		door.Discard(c.w, c.Request)
		return door.Fault(http.StatusForbidden, "the user %s may only read", c.user.Email)
	}
	select {
	case all.uploads <- struct{}{}:
		defer func() { <-all.uploads }()
	default:
		door.Discard(c.w, c.Request)
		return door.TooMany(uploadWait, limitImports, "other files are being received: try again in a moment")
	}
	paced := door.BodyOf(c.w, c.Request)
	r := *c.Request
	r.Body = http.MaxBytesReader(c.w, io.NopCloser(paced), sheet.MaxFile+maxForm)
	err := c.readParts(&r)
	paced.Done(err)
	if slow, ok := errors.AsType[*door.Error](err); ok {
		return slow
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		door.Drain(c.w, c.Request)
		return door.Fault(http.StatusRequestEntityTooLarge, "the file is larger than %d MiB: split it", sheet.MaxFile>>20)
	}
	if err != nil {
		return door.Fault(http.StatusBadRequest, "the file did not arrive whole: %v", err)
	}
	return nil
}

// readParts reads the parts of the form: a file, and short texts.
func (c *call) readParts(r *http.Request) error {
	parts, err := r.MultipartReader()
	if err != nil {
		return err
	}
	c.form = url.Values{}
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
			c.file = &upload{part.FileName(), data}
		} else if len(data) < 1<<10 {
			c.form.Add(part.FormName(), string(data))
		}
	}
}
