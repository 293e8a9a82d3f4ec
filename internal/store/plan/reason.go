package plan

// A Reason is why a list is answered in its way. Each belongs to one way.
type Reason uint8

// The reasons, by their ways. The last three turn up while a list is being answered in another way, and lead to
// SQL.
const (
	// Fragments.
	RenderedBefore Reason = iota // the document is the same for all users, so that parts of it may be cached

	// Index.
	RecordsWanted    // records, a total or counts are wanted, and no document
	PersonalDocument // the document depends on its reader
	NoFragments      // no rendered records are cached

	// SearchThenIndex.
	ChosenByWords // a search chooses the records
	ChosenByTie   // another record chooses those that are tied to it
	ChosenByValue // whole values of a nested field choose them

	// SQL.
	InTransaction  // the answer must be of the transaction's snapshot
	NoIndex        // there are no indexes, or they are being loaded
	NotKept        // the index does not keep what a condition, the order or a count needs
	RareText       // the database's own index of a nearly unique text serves as well
	SeveralChoices // more than one table chooses the records
	LimitedSearch  // the result of the search is for one reader alone
	NoWords        // the search has no words
	ApartField     // it depends on fields that change without being counted
	PlainTie       // the table of ties suffices
	FewChosen      // so few records were chosen that reading their rows costs less
	IndexBehind    // the index does not have all changes, and did not get them in time
	IndexStale     // a record has changed between the use of the index and of the tables

	Reasons // number of reasons
)

// Way returns the way that the reason belongs to.
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
		RareText: "rare text", SeveralChoices: "several choices",
		LimitedSearch: "limited search", NoWords: "no words", ApartField: "apart field", PlainTie: "plain tie", FewChosen: "few chosen",
		IndexBehind: "index behind", IndexStale: "index stale",
	}[r]
}
