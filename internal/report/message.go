package report

// A Format is the form of a message, and of its answer.
type Format uint8

// The formats.
const (
	XML Format = iota
	JSON
)

// An Action is what a message is about.
type Action uint8

// The actions. Other is whatever we do not take: it is answered and forgotten.
const (
	Other Action = iota
	Prolog
	Contact
	Inventory
)

// A Source has what is known of a request besides its body.
type Source struct {
	UserAgent string // names the program when the report does not
	AgentID   string // the header GLPI-Agent-ID
}

// A Message is one request of an agent.
type Message struct {
	Format   Format
	Action   Action
	DeviceID string
	Report   *Report // of an Inventory, else nil
}

// Read decodes the message that an agent posted. The error is ErrTooLarge when it exceeds a limit, ErrMalformed
// when it cannot be understood. The format is set whenever it could be determined, so that the error can be
// answered in it.
func Read(body []byte, from Source) (Message, error) {
	b, err := Open(body)
	if err != nil {
		return Message{}, err
	}
	defer b.Close()
	return b.Read(from)
}

// A Body is what an agent posted, unpacked. It is not safe for concurrent use.
type Body struct {
	Format Format
	decode *decoder
	seen   *collector // what a scan has found, nil before it
	notes  *digester  // which has its notes
}

// Open unpacks a body, which must stay as it is until the Body is closed. Its errors are those of Read; one
// in JSON that cannot be unpacked whole has its error when it is read. The Body must be closed.
func Open(body []byte) (*Body, error) {
	d := decoders.Get().(*decoder)
	format, err := d.open(body)
	if err != nil {
		d.release()
		return nil, refine(err)
	}
	return &Body{Format: format, decode: d}, nil
}

// Close gives the memory of the body back. Messages and reports that were read from it stay, but for the Programs of
// one that was scanned.
func (b *Body) Close() {
	b.forget()
	b.decode.release()
}

// forget gives back what a scan has kept.
func (b *Body) forget() {
	if b.notes != nil {
		b.notes.release()
		b.notes, b.seen = nil, nil
	}
}

// Size returns how many bytes the body has unpacked to.
func (b *Body) Size() int { return len(b.decode.doc) }

// Read reads the message, after a scan from what that has seen. A body in JSON can be read once.
func (b *Body) Read(from Source) (Message, error) {
	c := new(collector)
	var err error
	switch {
	case b.Format == JSON:
		err = readJSON(b.decode.rest(), c)
	case b.seen != nil:
		err = c.replay(b.seen)
	default:
		err = b.decode.readXML(c)
	}
	if err != nil {
		return Message{Format: b.Format}, refine(err)
	}
	m := Message{Format: b.Format, Action: c.action(b.Format), DeviceID: c.deviceID}
	if m.Action == Inventory {
		m.Report = c.report(from)
		if b.Format == XML {
			m.Report.Lacking = c.lacking()
		}
	}
	return m, nil
}

// action returns what the collected message is about.
func (c *collector) action(format Format) Action {
	switch {
	case format == XML && c.query == "PROLOG":
		return Prolog
	case format == XML && c.query == "INVENTORY":
		return Inventory
	case format == JSON && c.query == "contact":
		return Contact
	case format == JSON && c.query == "inventory" && (c.itemType == "" || c.itemType == "Computer"):
		return Inventory
	}
	return Other
}
