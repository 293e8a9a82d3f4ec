package api

import (
	"crypto/sha256"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"muster/internal/desk"
	"muster/internal/front"
	"muster/internal/kind"
	"muster/internal/markup"
)

// maxBody is the longest document of a record.
const maxBody = 1 << 20

// receive reads the document that the client sends with POST and PUT. It takes
// as long as the client takes. Faults in it are reported later, once the client's
// rights are known. A document that comes too slowly is an error at once, since with
// HTTP/1.1 the request's context ends with it.
func (c *call) receive() error {
	if c.Method != http.MethodPost && c.Method != http.MethodPut {
		return nil
	}
	paced := front.BodyOf(c.w, c.Request)
	var err error
	c.body, err = io.ReadAll(http.MaxBytesReader(c.w, io.NopCloser(paced), maxBody))
	paced.Done(err)
	if slow, ok := errors.AsType[*front.Error](err); ok {
		return slow
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		front.Drain(c.w, c.Request)
		c.bodyErr = front.Fault(http.StatusRequestEntityTooLarge, "the document is larger than %d bytes", maxBody)
	} else if err != nil {
		c.bodyErr = front.Fault(http.StatusBadRequest, "the document did not arrive whole: %v", err)
	}
	return nil
}

// patch returns what the desk reads the document with.
func (c *call) patch(k *kind.Schema) desk.Document {
	return func() (*kind.Patch, error) {
		charset, err := documentType(c.Header)
		if err != nil {
			return nil, err
		}
		if c.bodyErr != nil {
			return nil, c.bodyErr
		}
		body, err := markup.UTF8(c.body, charset)
		if err != nil {
			return nil, err
		}
		return k.Decode(body)
	}
}

// maxKey is the longest idempotency key.
const maxKey = 255

// once returns what makes a repetition of the request the same creation, nil
// when the client did not ask for it.
func (c *call) once() (*desk.Once, error) {
	keys := c.Header.Values("Idempotency-Key")
	if len(keys) == 0 {
		return nil, nil
	}
	visible := func(r rune) bool { return r > ' ' && r <= '~' }
	if len(keys) > 1 || keys[0] == "" || len(keys[0]) > maxKey ||
		strings.ContainsFunc(keys[0], func(r rune) bool { return !visible(r) }) {
		return nil, front.Fault(http.StatusBadRequest,
			"Idempotency-Key must be one key of 1 to %d visible ASCII characters", maxKey)
	}
	sum := sha256.Sum256(c.body)
	return &desk.Once{Path: c.URL.Path, Key: keys[0], Body: sum[:]}, nil
}

// documentType checks that a document is sent as XML and returns its charset,
// "" when it is not said.
func documentType(h http.Header) (charset string, err error) {
	if coding := single(h, "Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return "", front.Fault(http.StatusUnsupportedMediaType,
			"the content coding %q is not understood; send the document as it is", coding)
	}
	given := single(h, "Content-Type")
	if given == "" {
		return "", nil
	}
	name, params, err := mime.ParseMediaType(given)
	if err != nil || name != "application/xml" && name != "text/xml" {
		return "", front.Fault(http.StatusUnsupportedMediaType,
			"the content type %q is not understood; send application/xml or text/xml", given)
	}
	return params["charset"], nil
}

// single returns the value of a header that has one: several lines are one
// value, which is then none of those that are understood.
func single(h http.Header, name string) string { return strings.Join(h.Values(name), ", ") }
