package agent

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"muster/internal/markup"
)

// maxAnswer is how much of an answer is read, packed and unpacked.
const maxAnswer = 1 << 20

// A message is what is sent to a server.
type message struct {
	document []byte
	agent    string // what the agent calls itself
	key      string // that the server gave it, "" when it has none
}

// An answer is what a server says to a message.
type answer struct{ response, message, key, outcome string }

// keyHeader has the agent's key beside its token, or asks for one. A server that
// gives keys answers with it; others know nothing of it.
const keyHeader = "Muster-Key"

// outcomeHeader has what became of a report, from a server that gives keys.
const outcomeHeader = "Muster-Outcome"

// post sends a message and returns the answer to it.
func (s *Server) post(ctx context.Context, client *http.Client, m message) (answer, error) {
	body, err := pack(m.document)
	if err != nil {
		return answer{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address.String(), bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if s.user != "" || s.password != "" {
		req.SetBasicAuth(s.user, s.password) // at once: a challenge would cost a second request for each
	}
	req.Header.Set("Content-Type", "application/x-compress")
	req.Header.Set("User-Agent", m.agent)
	req.Header.Set(keyHeader, cmp.Or(m.key, "wanted"))
	resp, err := client.Do(req)
	if err != nil {
		return answer{}, s.unreachable(ctx, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return answer{}, s.unreachable(ctx, err)
	}
	a, err := readAnswer(text)
	a.key, a.outcome = resp.Header.Get(keyHeader), resp.Header.Get(outcomeHeader)
	switch {
	case resp.StatusCode != http.StatusOK:
		return answer{}, s.refused(resp, a.message)
	case err != nil:
		return answer{}, fmt.Errorf("%s does not answer like a server for agents (%w); is the path right? It is usually /ocsinventory", s, err)
	}
	return a, nil
}

// pack compresses a document as agents do.
func pack(document []byte) ([]byte, error) {
	var body bytes.Buffer
	z := zlib.NewWriter(&body)
	_, err := z.Write(document)
	err = errors.Join(err, z.Close())
	return body.Bytes(), err
}

// readAnswer reads a reply in XML, compressed or not.
func readAnswer(text []byte) (answer, error) {
	text, err := unpack(text)
	if err != nil {
		return answer{}, err
	}
	r := markup.NewReader(text, markup.Limits{Depth: 8, Elements: 1000, Bare: true})
	if _, err := r.Tag(); err != nil {
		return answer{}, err
	}
	if string(r.Name()) != "REPLY" {
		return answer{}, errors.New("it is not a REPLY")
	}
	var a answer
	for {
		token, err := r.Tag()
		if err != nil || token == markup.End {
			return a, err
		}
		if err := a.part(r); err != nil {
			return a, err
		}
	}
}

// part reads a child of the reply.
func (a *answer) part(r *markup.Reader) error {
	to := map[string]*string{"RESPONSE": &a.response, "MESSAGE": &a.message}[string(r.Name())]
	if to == nil {
		return r.Skip()
	}
	text, err := r.Content()
	*to = strings.TrimSpace(string(text))
	return err
}

// unpack returns text as it was before zlib, or as it is when it does not look compressed.
func unpack(text []byte) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(text))
	if errors.Is(err, zlib.ErrHeader) || errors.Is(err, io.ErrUnexpectedEOF) {
		return text, nil
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, maxAnswer))
}
