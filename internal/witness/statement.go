// Package witness records the state of the audit trail in a signed file outside the database, one per node.
//
// A chain of hashes shows which record was changed, but whoever controls the database can cut off its end, or
// compute all hashes again. They cannot sign this file, so the trail must still have the records that it names.
// The chain itself does not belong here, but in package store.
package witness

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"muster/internal/atomicfile"
	"muster/internal/message"
	"muster/internal/store"
)

// FileName is the name of the file in the data folder.
const FileName = "audit.head"

// keyLabel makes the key one of its own: nothing else that is derived from the
// server's key, or sealed with it, has to do with it.
const keyLabel = "muster audit head, Ed25519, version 1"

// NewKey derives the key that signs from the server's key, which all nodes of an
// installation share.
func NewKey(serverKey []byte) (ed25519.PrivateKey, error) {
	seed, err := hkdf.Key(sha256.New, serverKey, nil, keyLabel, ed25519.SeedSize)
	if err != nil {
		return nil, fmt.Errorf("derive the key of the audit trail's head: %w", err)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// A Mark is what a node saw at a time.
type Mark struct {
	store.Mark
	At time.Time
}

// A Statement is what the file says.
type Statement struct {
	Database string // that the trail is in
	Marks    []Mark // at least one, the newest last
	// Note is the part of the reason for starting the statement that is not in the trail yet, "" when it is.
	Note string
}

// newest returns the last that the node saw.
func (s *Statement) newest() Mark { return s.Marks[len(s.Marks)-1] }

// Head returns how far the trail went when the node last saw it.
func (s *Statement) Head() store.Head { return s.newest().Head }

// stored returns the marks as the store knows them.
func (s *Statement) stored() []store.Mark {
	marks := make([]store.Mark, len(s.Marks))
	for i, mark := range s.Marks {
		marks[i] = mark.Mark
	}
	return marks
}

// see adds the present mark. Of the former marks it keeps as many as are needed to find how far a trail is
// unchanged: the first, and the oldest of those that are between one and two records old, two and four, and so
// on.
func (s *Statement) see(now Mark) {
	kept := []Mark{}
	age := -1
	for i, mark := range s.Marks {
		doubled := 0
		for n := now.Count - mark.Count; n > 1; n /= 2 {
			doubled++
		}
		if mark.Count < now.Count && (i == 0 || doubled != age) {
			kept = append(kept, mark)
			if i > 0 {
				age = doubled
			}
		}
	}
	s.Marks = append(kept, now)
}

// Words of the file.
const (
	title         = "muster audit head, version 1"
	wordDatabase  = "database "
	wordNote      = "note "
	wordSeen      = "seen "
	wordSignature = "signature "
)

// maxFile and maxMarks are more than any statement has.
const (
	maxFile  = 64 << 10
	maxMarks = 100
)

// encode returns the statement as the file has it: lines of text, the last of
// which is the signature of those before.
func (s *Statement) encode(key ed25519.PrivateKey) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s%q\n", title, wordDatabase, s.Database)
	if s.Note != "" {
		fmt.Fprintf(&b, "%s%q\n", wordNote, s.Note)
	}
	for _, mark := range s.Marks {
		fmt.Fprintf(&b, "%s%s %d %s\n", wordSeen, mark.Head, mark.ID, mark.At.UTC().Format(time.RFC3339))
	}
	signature := ed25519.Sign(key, b.Bytes())
	fmt.Fprintf(&b, "%s%s\n", wordSignature, base64.StdEncoding.EncodeToString(signature))
	return b.Bytes()
}

// Why a file is not believed.
var (
	errDamaged = message.Errorf("it is damaged, or no statement of this program")
	errForeign = message.Errorf("it is not signed with the key of this installation, or was changed afterwards")
)

// parse reads what encode wrote with the same key.
func parse(data []byte, key ed25519.PrivateKey) (*Statement, error) {
	at := bytes.LastIndex(data, []byte("\n"+wordSignature)) + 1
	text, isSigned := strings.CutSuffix(string(data[at:]), "\n")
	signature, err := base64.StdEncoding.Strict().DecodeString(strings.TrimPrefix(text, wordSignature))
	if at == 0 || !isSigned || err != nil || !bytes.HasPrefix(data, []byte(title+"\n")) {
		return nil, errDamaged
	}
	if !ed25519.Verify(key.Public().(ed25519.PublicKey), data[:at], signature) {
		return nil, errForeign
	}
	s := &Statement{}
	for line := range strings.Lines(strings.TrimPrefix(string(data[:at]), title+"\n")) {
		if err := s.read(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, errDamaged
		}
	}
	if len(s.Marks) == 0 || len(s.Marks) > maxMarks {
		return nil, errDamaged
	}
	return s, nil
}

// read reads a line.
func (s *Statement) read(line string) (err error) {
	if text, ok := strings.CutPrefix(line, wordDatabase); ok {
		s.Database, err = strconv.Unquote(text)
		return err
	}
	if text, ok := strings.CutPrefix(line, wordNote); ok {
		s.Note, err = strconv.Unquote(text)
		return err
	}
	text, ok := strings.CutPrefix(line, wordSeen)
	parts := strings.Split(text, " ")
	if !ok || len(parts) != 3 {
		return errDamaged
	}
	var mark Mark
	if mark.Head, err = store.ParseHead(parts[0]); err != nil {
		return err
	}
	if mark.ID, err = strconv.ParseInt(parts[1], 10, 64); err != nil {
		return err
	}
	mark.At, err = time.Parse(time.RFC3339, parts[2])
	s.Marks = append(s.Marks, mark)
	return err
}

// A File is where a node keeps its statement, and the key that signs it.
type File struct {
	Path string
	Key  ed25519.PrivateKey
}

// Read returns the statement. Its error is fs.ErrNotExist where there is none,
// and an *Untrusted where there is one that cannot be believed.
func (f File) Read() (*Statement, error) {
	in, err := os.Open(f.Path)
	if err != nil {
		return nil, f.unlessMissing(err)
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxFile))
	if err != nil {
		return nil, f.unlessMissing(err)
	}
	s, err := parse(data, f.Key)
	if err != nil {
		return nil, &Untrusted{f.Path, err}
	}
	return s, nil
}

// unlessMissing makes an error of reading one of a file that cannot be believed,
// unless there is none.
func (f File) unlessMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return err
	}
	return &Untrusted{f.Path, err}
}

// Write puts a statement in the place of the file.
func (f File) Write(s *Statement) error {
	return atomicfile.Replace(f.Path, s.encode(f.Key), 0o600)
}

// SetAside keeps the present file under another name, which it returns; "" when
// there is none. The file itself stays until Write replaces it.
func (f File) SetAside(stamp string) (kept string, err error) {
	kept = f.Path + ".before-" + stamp
	err = os.Link(f.Path, kept)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	return kept, err
}

// An Untrusted is a file that cannot be believed.
type Untrusted struct {
	Path string
	Err  error
}

// Error returns the reason.
func (u *Untrusted) Error() string { return u.Message().String() }

// Message returns the reason.
func (u *Untrusted) Message() message.Text {
	return message.New("%s cannot be believed: %s", u.Path, message.Of(u.Err))
}

// Unwrap returns the reason.
func (u *Untrusted) Unwrap() error { return u.Err }
