package lang

// What the test of the catalogues reads of them.
var (
	KeyOf         = keyOf
	ReadCatalogue = readCatalogue
	ReadPO        = readPO
	Months        = months
)

// Key returns the key of an entry.
func (e *poEntry) Key() string { return e.key() }

// Forms returns the forms of an entry.
func (e *poEntry) Forms() []string { return e.forms }
