package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"muster/internal/atomicfile"
	"muster/internal/desk/imports"
	"muster/internal/message"
	"muster/internal/server"
	"muster/internal/sheet"
)

type importCmd struct {
	Kind     string            `arg:"" optional:"" help:"Kind of the records, such as computers, software, vendors or users."`
	File     string            `arg:"" optional:"" help:"CSV or XLSX file with the column names in its first row, or - for standard input."`
	Match    map[string]string `placeholder:"COLUMN=FIELD" help:"Field for a column that has another name than the field. Without a field, the column is left out. Can be repeated."`
	Key      string            `placeholder:"FIELD" help:"Field that finds the existing record for a row, or none to make every row a new record. Default: depends on the kind, such as the asset id for computers."`
	Zone     string            `placeholder:"ZONE" help:"Time zone, such as Europe/Berlin, of times that are written without one. Use the zone of the person who exported the file. Default: UTC."`
	Clear    bool              `help:"Let empty cells clear the values of records. Without it, empty cells change nothing."`
	OnlyGood bool              `help:"Write the valid rows, and leave out the others. Without it, all rows are written, or none."`
	Check    bool              `help:"Check all rows without writing anything."`
	Report   string            `type:"path" placeholder:"FILE" help:"CSV file for the rows that are not written, with the errors of each. An existing file is replaced."`
	Undo     int64             `placeholder:"NUMBER" help:"Take back the import with this number, which was printed when it was done: possible for 24 hours. Records that were changed or used since stay, and are listed."`
	place
}

// Run imports records, or takes an import back. Rows that are refused make it fail, also when others
// were written.
func (c *importCmd) Run() error {
	switch {
	case c.Undo != 0 && c.Kind != "":
		return errors.New("--undo takes no kind and no file: the number says which import it is")
	case c.Undo != 0:
		return c.undo()
	case c.File == "":
		return errors.New("name the kind of the records and the file, as in: muster import computers list.csv")
	}
	file, err := c.read()
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	where, bar := c.place.place(newLog(slog.LevelWarn)), newBar("import")
	res, err := where.Import(ctx, server.ImportCommand{
		Kind: c.Kind, Name: c.name(), File: file, Match: c.Match, Key: c.Key, Zone: c.Zone, Clear: c.Clear, Good: c.OnlyGood,
		Check: c.Check,
	}, bar.show)
	bar.end()
	if err != nil {
		return interrupted(ctx, err)
	}
	if c.Report != "" {
		if err := atomicfile.Replace(c.Report, []byte(res.Rest), 0o600); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	return c.printResult(res)
}

// interrupted returns the error of an import in words for whoever has
// interrupted it.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted: rows that were written are taken back: %w", err)
	}
	return err
}

// name returns what the file is called.
func (c *importCmd) name() string {
	if c.File == "-" {
		return "standard input"
	}
	return filepath.Base(c.File)
}

// read reads the file.
func (c *importCmd) read() ([]byte, error) {
	in := io.Reader(os.Stdin)
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	file, err := io.ReadAll(io.LimitReader(in, sheet.MaxFile+1)) // one more byte shows that it is too large
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", c.File, err)
	}
	return file, nil
}

// printResult prints refused rows to standard error, and the other figures to standard
// output.
func (c *importCmd) printResult(res *server.ImportResult) error {
	fmt.Printf("Columns: %s\n", strings.Join(res.Matched, ", "))
	if len(res.Ignored) > 0 {
		fmt.Printf("Left out: %s\n", strings.Join(res.Ignored, ", "))
	}
	switch {
	case res.Number != "":
		fmt.Printf("Every row is a new record. To change those that are there, give --key %s.\n", res.Number)
	case res.Key == "":
		fmt.Println("Every row is a new record.")
	default:
		fmt.Printf("Records are recognised by: %s\n", res.Key)
	}
	for _, p := range res.Problems {
		fmt.Fprintf(os.Stderr, "row %d: %s\n", p.Row, strings.Join(p.Faults, "; "))
	}
	refused := res.Count[imports.RowRefused]
	if more := refused - len(res.Problems); more > 0 {
		fmt.Fprintf(os.Stderr, "and %d more rows: use --report FILE to get all of them\n", more)
	}
	fmt.Printf("%d rows: %d new, %d changed, %d unchanged, %d refused, %d not written.\n", res.Rows,
		res.Count[imports.RowNew], res.Count[imports.RowChanged], res.Count[imports.RowSame], refused,
		res.Count[imports.RowLeft])
	if res.ID != 0 {
		fmt.Printf("To take it back within 24 hours: muster import --undo %d\n", res.ID)
	}
	if refused == 0 {
		return nil
	}
	what := fmt.Sprintf("%d rows were", refused)
	if refused == 1 {
		what = "1 row was"
	}
	switch {
	case c.Check:
		return fmt.Errorf("%s refused; nothing was written because of --check", what)
	case c.OnlyGood:
		return fmt.Errorf("%s refused; the others are written", what)
	}
	return fmt.Errorf("%s refused, so nothing was written: fix them, or write the others with --only-good", what)
}

// undo takes an import back.
func (c *importCmd) undo() error {
	ctx, stop := interruptible()
	defer stop()
	where := c.place.place(newLog(slog.LevelWarn))
	res, err := where.UndoImport(ctx, server.ImportUndoCommand{ID: c.Undo})
	if err != nil {
		return err
	}
	for _, p := range res.Stay {
		fmt.Fprintf(os.Stderr, "row %d stays: %s\n", p.Row, strings.Join(p.Faults, "; "))
	}
	rows := message.Count{N: int64(res.Count[imports.RowBack]), Noun: "row"}
	fmt.Printf("%s: %s taken back, %d stay.\n", res.File, rows, res.Count[imports.RowStays])
	return nil
}
