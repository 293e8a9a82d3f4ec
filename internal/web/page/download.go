package page

import (
	"io"
	"net/http"
	"strconv"
	"time"
)

// downloadTime is how long a client may take for a piece of a file.
const downloadTime = time.Minute

// Download answers with a file of any length, which a function writes. One that breaks off is no file: nobody shall take a
// part of it for the whole.
func (c *Call) Download(name, media string, write func(io.Writer) error) *Answer {
	h := c.Writer.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	return &Answer{Status: http.StatusOK, Stream: func(out io.Writer) error {
		if err := write(&slowly{out, http.NewResponseController(c.Writer)}); err != nil {
			panic(http.ErrAbortHandler)
		}
		return nil
	}}
}

// A slowly writes for a client that may take its time for each piece.
type slowly struct {
	out      io.Writer
	deadline *http.ResponseController
}

func (s *slowly) Write(p []byte) (int, error) {
	if err := s.deadline.SetWriteDeadline(time.Now().Add(downloadTime)); err != nil {
		return 0, err
	}
	return s.out.Write(p)
}

// SendExport sends the file of an export that was a job.
func SendExport(c *Call) (*Answer, error) {
	id, err := jobOf(c)
	if err != nil {
		return nil, err
	}
	f, err := c.App.Exports.Open(c.Context(), c.Who(), id)
	if err != nil {
		return nil, err
	}
	c.Writer.Header().Set("Content-Length", strconv.FormatInt(f.Bytes, 10))
	return c.Download(f.Name, f.Media, func(out io.Writer) error { return f.WriteTo(c.Request.Context(), out) }), nil
}

// A JobFile is a file that a job has made for the person.
type JobFile struct {
	Path  string
	Size  string
	Until *Moment // when it goes
}
