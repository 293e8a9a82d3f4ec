package archive

import (
	"context"
	"errors"
	"io"
)

// Contents are the content of a whole file, without its rows.
type Contents struct {
	Head  Head
	Files []File
	Bytes int64 // of all rows
}

// Progress is called with the number of finished rows, every ProgressEvery rows.
type Progress func(table string, done, total int64)

// ProgressEvery is after how many rows a Progress is called.
const ProgressEvery = 1000

// Verify reads a file to its end, checks all of it and returns its contents. It ends early with ctx.
func Verify(ctx context.Context, in io.Reader, progress Progress) (Contents, error) {
	r, err := NewReader(in)
	if err != nil {
		return Contents{}, err
	}
	defer r.Close()
	contents, rows, table := Contents{Head: r.Head}, int64(0), ""
	for {
		item, err := r.Next()
		if errors.Is(err, io.EOF) {
			contents.Bytes = r.bytes
			return contents, nil
		}
		if err != nil {
			return contents, err
		}
		switch item := item.(type) {
		case File:
			contents.Files = append(contents.Files, item)
		case Table:
			table = item.Name
		case Row:
			if rows++; rows%ProgressEvery == 0 {
				progress(table, rows, r.Head.Rows)
				err = ctx.Err()
			}
		}
		if err != nil {
			return contents, err
		}
	}
}
