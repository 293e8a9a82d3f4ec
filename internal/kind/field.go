package kind

import (
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"muster/internal/message"
)

// A Type says how the value of a field is kept and written.
type Type uint8

// Types of fields. A Link is an address that follows from the record's id and
// is not stored; a List is a nested collection; an Amount is a Decimal, a
// RecordRef a Ref, and an Address that of another record.
const (
	ID Type = iota
	Text
	Integer
	Boolean
	Time
	Date
	PersonRef
	Link
	List
	Amount
	RecordRef
	Address
)

// String returns the word of the type in the API reference.
func (t Type) String() string {
	return [...]string{"integer", "string", "integer", "boolean", "timestamp", "date", "person", "address",
		"collection", "decimal", "string", "address"}[t]
}

// A Field is one field of a kind, as declared.
type Field struct {
	Name       string // as in documents: lower-case words joined by hyphens
	Label      string // as people read it
	Type       Type
	Unit       string   // of a number, for people
	Max        int      // longest text: in characters, or in bytes if Long
	Long       bool     // a text of several lines
	OneOf      []string // allowed values, nil for any
	Added      string   // the name under which others may be added to OneOf, "" if none can
	ValuesHint string   // a description of the allowed values, where there are too many to list
	Default    string   // of a new record
	Required   bool
	Unique     bool // no two records have the same value, compared without case
	ReadOnly   bool // set by the service, ignored in documents
	Detail     bool // only in the single record, not in lists
	Hidden     bool // stored, but in no document
	InLists    bool // hidden, but read with the records of lists
	Secret     bool // read from documents, but neither stored with the record nor shown
	Named      bool // may be sent as <site><name>HQ</name></site>
	Padded     bool // outer blanks are kept, but shown in the single record only
	Filtered   bool // a filter looks at it
	Rare       bool // few records have the same value; a hint for the store, see Option.Rare
	Computed   bool // not part of the record, but read beside it
	Included   bool // in documents that are asked to include it alone
	InTie      bool // part of what ties the record to another
	Kept       bool // written by statements of its own; a hint for the store, see Option.Kept
	Reported   bool // set by agents as long as no person sets it
	Apart      bool // in a narrow table beside the records; a hint for the store, see Option.Apart
	Staff      bool // shown to staff alone, see Option.Staff
	Shows      []string
	Items      *Schema   // of a List
	Key        []string  // of a List: the fields that identify an item
	Target     *Schema   // of a Ref
	Targets    []*Schema // of a List of linked records
	Days       []DayCase // of a text that follows from days or numbers
	Tied       bool      // a List of ids that lists ask for by Tie

	searched, unsearched bool     // other than by its type
	staffParts           []string // of Shows, for staff alone

	schema    *Schema
	words     string
	index     int // position in the schema's fields
	offset    uintptr
	suffix    string   // of a Link
	itemAlias []string // of a List: other names of its items
	list      func(unsafe.Pointer) list
	resize    func(p unsafe.Pointer, n int)
	grow      func(unsafe.Pointer)
	shrink    func(unsafe.Pointer)
	cut       func(p unsafe.Pointer, n int)
	assign    func(to, from unsafe.Pointer)
	same      func(a, b unsafe.Pointer) bool
}

// Column returns the field's name in tables and query parameters.
func (f *Field) Column() string { return underscored(f.Name) }

// Words returns the field's name as validation messages begin with it:
// "operating-system" is "Operating system". Stock clients find the field by
// these words.
func (f *Field) Words() string { return f.words }

// Stored reports whether the field has a column of its own, of the table of
// records or of the one beside it.
func (f *Field) Stored() bool {
	return f.Type != Link && f.Type != List && f.Type != ID && f.Days == nil && !f.Computed && !f.Secret && !f.InTie
}

// Packed reports whether the field is a collection that is a part of the
// record.
func (f *Field) Packed() bool { return f.Type == List && f.Targets == nil && !f.Computed }

// Sortable reports whether lists can be sorted by the field.
func (f *Field) Sortable() bool {
	return !f.Detail && !f.Hidden && !(f.Apart && f.Type == Text) &&
		(f.Stored() || f.Type == ID || f.Days != nil || f.InTie)
}

// Folded reports whether a form of the text for comparing without case is
// stored beside it.
func (f *Field) Folded() bool {
	return f.Type == Text && f.Stored() && (f.Filtered || f.Unique || f.Sortable())
}

// Editable reports whether clients may set the field.
func (f *Field) Editable() bool {
	return !f.ReadOnly && !f.Hidden && f.Type != Link && f.Type != ID
}

// Trim returns the text as lists, filters and comparisons see it.
func (f *Field) Trim(text string) string {
	if f.Padded {
		return strings.TrimSpace(text)
	}
	return text
}

// canonical returns the spelling in which an allowed value is stored, or the
// value itself when it is not allowed.
func (f *Field) canonical(value string) string {
	if i := slices.IndexFunc(f.OneOf, func(v string) bool { return strings.EqualFold(v, value) }); i >= 0 {
		return f.OneOf[i]
	}
	return value
}

// with returns the field with values that were added to its own.
func (f *Field) with(added []string) *Field {
	if f.Added == "" || len(added) == 0 {
		return f
	}
	wider := *f
	wider.OneOf = slices.Concat(f.OneOf, added)
	return &wider
}

// allowed says which values are allowed.
func (f *Field) allowed() string {
	if f.ValuesHint != "" {
		return f.ValuesHint
	}
	return "one of " + strings.Join(f.OneOf, ", ")
}

// mustBe says which values are allowed.
func (f *Field) mustBe() message.Predicate {
	if f.ValuesHint != "" {
		return message.Predicate{Format: "must be " + f.ValuesHint}
	}
	return message.Says("must be one of %s", strings.Join(f.OneOf, ", "))
}

// Word returns the name of the field in messages.
func (f *Field) Word() message.Word { return message.Word(f.Words()) }

// Words turns a name into words, the first one with a capital.
func Words(name string) string {
	w := strings.NewReplacer("-", " ", "_", " ").Replace(name)
	_, first := utf8.DecodeRuneInString(w)
	return strings.ToUpper(w[:first]) + w[first:]
}

// An Option refines a field in its declaration.
type Option struct{ f *Field }

// Required makes an absent value an error.
func (o Option) Required() Option { o.f.Required = true; return o }

// Unique makes a value that another record has an error.
func (o Option) Unique() Option { o.f.Unique, o.f.Rare = true, true; return o }

// ReadOnly makes documents unable to set the field.
func (o Option) ReadOnly() Option { o.f.ReadOnly = true; return o }

// Hidden keeps the field out of documents.
func (o Option) Hidden() Option { o.f.Hidden = true; return o }

// InLists has a hidden field read with the records of lists, for those who render them.
func (o Option) InLists() Option { o.f.InLists = true; return o }

// Secret makes a value one that documents set and none shows. What it is for is
// stored elsewhere. A text that is set is a change of the record.
func (o Option) Secret() Option { o.f.Secret = true; return o }

// Named accepts the value inside a name element too.
func (o Option) Named() Option { o.f.Named = true; return o }

// Padded keeps outer blanks, but shows them in the single record only; they
// make no difference in comparisons.
func (o Option) Padded() Option { o.f.Padded = true; return o }

// OneOf limits the values; they are read in any case and stored as given here.
func (o Option) OneOf(values ...string) Option { o.f.OneOf = values; return o }

// Added lets administrators add values to those of OneOf, under a name: who
// applies a document says which there are, see Resolver.
func (o Option) Added(name string) Option { o.f.Added = name; return o }

// ValuesHint describes the allowed values, where there are too many to list.
func (o Option) ValuesHint(words string) Option { o.f.ValuesHint = words; return o }

// Default sets the value of a new record.
func (o Option) Default(value string) Option { o.f.Default = value; return o }

// Unit names the unit of the number.
func (o Option) Unit(unit string) Option { o.f.Unit = unit; return o }

// Label sets how people read the field's name, where it is not its words.
func (o Option) Label(label string) Option { o.f.Label = label; return o }

// Shows sets which fields of a person documents show.
func (o Option) Shows(names ...string) Option { o.f.Shows = names; return o }

// ShowsStaff adds fields of a person that documents show to staff alone.
func (o Option) ShowsStaff(names ...string) Option {
	o.f.Shows, o.f.staffParts = append(o.f.Shows, names...), names
	return o
}

// Key names the fields that identify the items of a nested collection when two states of a record are compared.
func (o Option) Key(names ...string) Option {
	for _, name := range names {
		o.f.Items.mustField(name)
	}
	o.f.Key = names
	return o
}

// Computed makes a field one that is read beside the record: it is neither
// stored with it nor set by documents.
func (o Option) Computed() Option { o.f.Computed, o.f.ReadOnly = true, true; return o }

// ItemAlias adds a name under which an item is read too, also when it stands alone
// in the record, without its collection.
func (o Option) ItemAlias(name string) Option {
	o.f.itemAlias = append(o.f.itemAlias, name)
	o.f.schema.lone[name] = o.f
	return o
}

// Filter allows the field as a query parameter of list calls.
func (o Option) Filter() Option { return o.FilterAs(o.f.Column()) }

// FilterAs is Filter with a parameter of another name.
func (o Option) FilterAs(param string) Option {
	o.f.Filtered = true
	o.f.schema.filter(&Filter{Param: param, Field: o.f})
	return o
}
