package sheet

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"

	"muster/internal/message"
)

// Of a workbook: how many files it may have, and how long each may be once it
// is unpacked.
const (
	maxEntries = 10_000
	maxEntry   = 64 << 20
	maxSmall   = 8 << 20 // of all but the cells and their texts
)

// errLarge means that a file of a workbook is too long.
var errLarge = message.Errorf("it is too large")

// A workbook is an XLSX file under way.
type workbook struct {
	files  map[string]*zip.File
	is1904 bool     // days are counted from 1904
	texts  []string // that cells refer to
	looks  []look   // how numbers are shown, by style
}

// readWorkbook reads the first sheet of a workbook that is not hidden.
func readWorkbook(file []byte, b *builder) error {
	if bytes.Count(file, []byte("PK\x01\x02")) > maxEntries { // before each entry of the directory
		return message.Errorf("the workbook has more than %d parts", maxEntries)
	}
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return message.Errorf("the file begins like an XLSX workbook, but is damaged: %s", err)
	}
	w := &workbook{files: map[string]*zip.File{}}
	for _, f := range archive.File {
		w.files[strings.TrimPrefix(f.Name, "/")] = f
	}
	book, sheet, err := w.find()
	if err != nil {
		return err
	}
	w.is1904 = book.is1904()
	folder := path.Dir(book.path)
	if err := w.read(path.Join(folder, "styles.xml"), maxSmall, w.readStyles); err != nil {
		return err
	}
	if err := w.read(path.Join(folder, "sharedStrings.xml"), maxEntry, w.readTexts); err != nil {
		return err
	}
	if w.files[sheet] == nil {
		return message.Errorf("the workbook is damaged: its first sheet is missing")
	}
	return w.read(sheet, maxEntry, func(d *xml.Decoder) error { return (&cells{workbook: w, to: b}).read(d) })
}

// A book is what the main part of a workbook says.
type book struct {
	path       string
	Properties struct {
		Date1904 string `xml:"date1904,attr"`
	} `xml:"workbookPr"`
	Sheets []struct {
		State string     `xml:"state,attr"`
		Attrs []xml.Attr `xml:",any,attr"`
	} `xml:"sheets>sheet"`
}

func (b *book) is1904() bool { return b.Properties.Date1904 == "1" || b.Properties.Date1904 == "true" }

// sheet returns the id of the relationship that leads to the first sheet that
// people see.
func (b *book) sheet() string {
	for _, s := range b.Sheets {
		if s.State != "" && s.State != "visible" {
			continue
		}
		for _, a := range s.Attrs {
			if a.Name.Local == "id" {
				return a.Value
			}
		}
	}
	return ""
}

// relationships are how parts of a workbook refer to others.
type relationships struct {
	All []struct {
		ID     string `xml:"Id,attr"`
		Type   string `xml:"Type,attr"`
		Target string `xml:"Target,attr"`
	} `xml:"Relationship"`
}

// find returns the main part of the workbook, and the path of its first sheet.
func (w *workbook) find() (*book, string, error) {
	b := &book{path: "xl/workbook.xml"}
	var roots, parts relationships
	if err := w.parse("_rels/.rels", &roots); err != nil {
		return nil, "", err
	}
	for _, r := range roots.All {
		if strings.HasSuffix(r.Type, "/officeDocument") {
			b.path = path.Join("/", r.Target)[1:]
		}
	}
	if w.files[b.path] == nil {
		return nil, "", message.Errorf("the file is no XLSX workbook: save the table as XLSX or CSV")
	}
	if err := w.parse(b.path, b); err != nil {
		return nil, "", err
	}
	folder, name := path.Split(b.path)
	if err := w.parse(folder+"_rels/"+name+".rels", &parts); err != nil {
		return nil, "", err
	}
	id := b.sheet()
	for _, r := range parts.All {
		if r.ID == id && strings.HasPrefix(r.Target, "/") {
			return b, path.Clean(r.Target)[1:], nil
		}
		if r.ID == id {
			return b, path.Join(folder, r.Target), nil
		}
	}
	return nil, "", message.Errorf("the workbook has no sheet that is not hidden")
}

// parse reads a small part of the workbook, if it is there.
func (w *workbook) parse(name string, to any) error {
	return w.read(name, maxSmall, func(d *xml.Decoder) error { return d.Decode(to) })
}

// read reads a part of the workbook, if it is there.
func (w *workbook) read(name string, most int64, read func(*xml.Decoder) error) error {
	file := w.files[name]
	if file == nil {
		return nil
	}
	in, err := file.Open()
	if err != nil {
		return message.Errorf("the workbook is damaged: %s: %s", name, message.Of(err))
	}
	defer in.Close()
	limited := &limitedReader{in, most}
	err = read(xml.NewDecoder(limited))
	if e, ok := errors.AsType[*problem](err); ok {
		return e.error
	}
	if err != nil {
		return message.Errorf("the workbook is damaged: %s: %s", name, message.Of(err))
	}
	return nil
}

// A problem is an error in the content of a sheet, rather than in the file format.
type problem struct{ error }

// A limitedReader fails when there is more to read than there may be: a few
// bytes of an archive can become very many.
type limitedReader struct {
	in   io.Reader
	left int64
}

// Read implements io.Reader.
func (r *limitedReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errLarge
	}
	n, err := r.in.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	return n, err
}
