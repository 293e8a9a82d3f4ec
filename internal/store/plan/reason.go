package plan

// A Reason is why a list is answered in its way. Each belongs to one way.
type Reason uint8

// The reasons, by their ways. The last three are found out on the way, and lead
// from another to SQL.
const (
	// Fragments.
	RenderedBefore Reason = iota // the document is the same for all, so that parts of it may be there

	// Index.
	RecordsWanted    // records are wanted, a total or counts, and no document
	PersonalDocument // the document depends on who reads it
	NoFragments      // nothing that is rendered is kept

	// SearchThenIndex.
	ChosenByWords // a search chooses the records
	ChosenByTie   // another record chooses those that are tied to it
	ChosenByValue // whole values of a nested field choose them

	// SQL.
	InTransaction  // the answer must be of the state that a transaction reads
	NoIndex        // there are no indexes, or they are being loaded
	NotKept        // the index does not keep what a condition, the order or a count looks at
	RareText       // the database's own index of a nearly unique text serves as well
	SeveralChoices // more than one table chooses the records
	OtherNodes     // other nodes change what chooses the records, without a word to this one
	LimitedSearch  // what the search finds is for one reader alone
	NoWords        // the search has no words
	ApartField     // it looks at what changes without being counted
	PlainTie       // the table of ties answers by itself
	FewChosen      // so few records were chosen that their rows cost less
	IndexBehind    // the index does not have all changes, and did not get them in time
	IndexStale     // a record has changed between the looks at the index and at the tables

	Reasons // how many there are
)

// Way returns the way to which the reason belongs.
func (r Reason) Way() Way {
	switch {
	case r == RenderedBefore:
		return Fragments
	case r <= NoFragments:
		return Index
	case r <= ChosenByValue:
		return SearchThenIndex
	}
	return SQL
}

// String returns the reason in words.
func (r Reason) String() string {
	return [...]string{
		RenderedBefore: "rendered before", RecordsWanted: "records wanted", PersonalDocument: "personal document",
		NoFragments: "no fragments", ChosenByWords: "chosen by words", ChosenByTie: "chosen by a tie",
		ChosenByValue: "chosen by a value", InTransaction: "in a transaction", NoIndex: "no index", NotKept: "not kept",
		RareText: "rare text", SeveralChoices: "several choices", OtherNodes: "other nodes",
		LimitedSearch: "limited search",
		NoWords:       "no words", ApartField: "apart field", PlainTie: "plain tie", FewChosen: "few chosen",
		IndexBehind: "index behind", IndexStale: "index stale",
	}[r]
}
