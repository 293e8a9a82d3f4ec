package report

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"sync"

	"muster/internal/markup"
)

// An Answer is what an agent gets back.
type Answer struct {
	ContentType string
	Body        []byte
}

// Send answers a Prolog: the agent is to send its inventory, and to ask again after so many hours.
func Send(hours int) Answer { return prolog(hours, "SEND") }

// Stop answers a Prolog of a computer that need not send its inventory now.
func Stop(hours int) Answer { return prolog(hours, "STOP") }

func prolog(hours int, response string) Answer {
	return packed(fmt.Sprintf("<PROLOG_FREQ>%d</PROLOG_FREQ><RESPONSE>%s</RESPONSE>", hours, response))
}

// Taken answers an Inventory that is stored, and what we do not take.
func Taken(f Format) Answer {
	if f == JSON {
		return Answer{"application/json", []byte(`{"status":"ok"}`)}
	}
	return taken
}

// taken is ready, since most messages are answered with it.
var taken = packed("<RESPONSE>NO_ACCOUNT_UPDATE</RESPONSE>")

// FallBack answers a Contact. It is an error, which makes the agent send whole reports in XML from its next run on: in
// JSON most of them would be partial, and a lost one would be lost for days.
func FallBack() Answer {
	return Refused(JSON, "this server takes inventories in XML; they follow at the next run")
}

// Refused answers a message that is not taken, with the reason for the agent's log.
func Refused(f Format, reason string) Answer {
	if f == JSON {
		body, err := json.Marshal(struct {
			Status  string `json:"status"`
			Message string `json:"message"`
		}{"error", reason})
		if err != nil {
			panic(err) // two strings can be written
		}
		return Answer{"application/json", body}
	}
	return packed(string(markup.AppendText([]byte("<RESPONSE>ERROR</RESPONSE><MESSAGE>"), reason)) + "</MESSAGE>")
}

// packers are used again and again: each takes a megabyte of memory.
var packers = sync.Pool{New: func() any { return zlib.NewWriter(nil) }}

// Pack returns a document compressed with zlib.
func Pack(document []byte) []byte {
	var body bytes.Buffer
	z := packers.Get().(*zlib.Writer)
	defer packers.Put(z)
	z.Reset(&body)
	_, _ = z.Write(document) // writes to memory
	_ = z.Close()
	return body.Bytes()
}

// packed returns a reply in XML, compressed, since one of the agents takes no other.
func packed(content string) Answer {
	document := fmt.Sprintf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<REPLY>%s</REPLY>\n", content)
	return Answer{"application/x-compress-zlib", Pack([]byte(document))}
}
