package kind

// Hints for the store. Most fields need none: they say how a field is stored and
// found, where that is worth something, and not what it is.
//
//	hint   is for                          stored                    changed by
//	none   what people and agents enter    in the record's row       a change of the record
//	Rare   names, serial numbers           in the row, indexed       a change of the record
//	Kept   counts over other records       in the row                a statement of the store
//	Apart  what changes with reports       in a table beside it      Tx.SetApart
//
// Kept and Apart cost what a change of the record brings: a new version, the time of
// the change, and an audit record. So they are for what nobody changes by hand.

// Rare says that nearly every record has a value of its own, such as a name or a
// serial number. The database indexes the text, and answers lists that ask for one
// value; the index in memory does not keep a code for each value beyond some thousands.
// Pages let people type what a filter looks for, instead of counting all values and
// offering them. Leave it out for what many records share, such as a site. A wrong hint
// makes lists slower, but not wrong. Unique implies it.
func (o Option) Rare() Option { o.f.Rare = true; return o }

// Kept says that the store itself updates the value, by a statement within the change of other records, such as
// how many computers have a program. It is read with the record and stored with a new one, but a change of the
// record does not write it, so that two changes at the same time cannot lose a count. Documents cannot set it,
// and audit records do not mention it. A number that is kept cannot be a filter, since the index in memory is
// not updated with it. It needs a statement in package store.
func (o Option) Kept() Option { o.f.Kept, o.f.ReadOnly = true, true; return o }

// Apart says that the value changes again and again without a change of the record, such as the time of the
// last report. It is stored in the narrow table <kind>_apart, one row per record, so that an update writes a
// few bytes and no index. It is read with the record and stored with a new one; after that only Tx.SetApart
// writes it. Documents cannot set it, audit records do not mention it, and the search does not look at it. It
// can be no reference, neither unique nor have a default, and a text can be neither filtered nor sorted by.
func (o Option) Apart() Option { o.f.Apart, o.f.ReadOnly = true, true; return o }
