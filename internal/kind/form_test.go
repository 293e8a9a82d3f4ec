package kind_test

import (
	"fmt"
	"strings"
	"testing"

	"muster/internal/kind"
)

// pieces are what is written at once.
type pieces []string

func (p *pieces) Write(b []byte) (int, error) {
	*p = append(*p, string(b))
	return len(b), nil
}

// TestPieces compares documents that are written in pieces with those in one, for records shorter and longer
// than a piece, and in a buffer with room.
func TestPieces(t *testing.T) {
	var room []byte
	for _, size := range []int{0, 700, kind.Piece, 3*kind.Piece + 1} {
		for _, records := range []int{0, 1, 40} {
			page := kind.Page{Position: kind.Position{Number: 1, PerPage: 40, Total: records}}
			for i := range records {
				d := full()
				d.ID, d.Name = int64(i+1), strings.Repeat("x", size)
				page.Records = append(page.Records, d)
			}
			for _, f := range []kind.Format{kind.XML, kind.JSON} {
				doc, got, err := devices.Listed(f).Page(page), pieces{}, error(nil)
				if room, err = doc.Write(&got, room, base); err != nil {
					t.Fatal(err)
				}
				what, want := fmt.Sprintf("%d records of %d bytes in format %d", records, size, f),
					string(devices.AppendList(nil, f, base, page))
				if text := strings.Join(got, ""); text != want || doc.Len(base) != len(want) {
					t.Fatalf("%s: got %d bytes, and %d before they were written, want %d: %s", what, len(text),
						doc.Len(base), len(want), text)
				}
				for _, piece := range got[:len(got)-1] {
					if len(piece)%kind.Piece != 0 {
						t.Errorf("%s: got a piece of %d bytes, want multiples of %d", what, len(piece), kind.Piece)
					}
				}
			}
		}
	}
}
