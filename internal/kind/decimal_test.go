package kind_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muster/internal/kind"
	"muster/internal/message"
)

// TestDecimal reads amounts, and refuses what is none in words.
func TestDecimal(t *testing.T) {
	for value, want := range map[string]int64{
		"0": 0, "-0": 0, "-0.00": 0, "1": 10_000, "007": 70_000, "1.5": 15_000, "1.50": 15_000, "0.0001": 1,
		"12.3456": 123_456, "1.00000000": 10_000,
		"0.10000": 1000, "922337203685477.5807": 1<<63 - 1, "922337203685477.58070": 1<<63 - 1,
		strings.Repeat("0", 300) + "1": 10_000,
	} {
		patch, got := decode(t, inDevice("<price>"+value+"</price>")), full()
		patch.Apply(got)
		equal(t, value+": faults", message.Strings(patch.Faults()), []string(nil))
		equal(t, value, got.Price, kind.Decimal{V: want, Valid: true})
	}
	const largest = "Price must be less than or equal to 922337203685477.5807"
	for value, want := range map[string]string{
		"1.": "", ".5": "", ".": "", "-": "", "-.": "", "1e3": "", "+1": "", "１": "", "1,5": "", "1.2.3": "",
		"1.-2": "", "--1": "", "-x": "",
		"0x10": "", "1_000": "", "1 000": "", "∞": "", "NaN": "",
		"-1":                     "Price must be greater than or equal to 0",
		"-0.00001":               "Price must be greater than or equal to 0",
		"1.23456":                `Price has more than 4 places: "1.23456"`,
		"0.00001":                `Price has more than 4 places: "0.00001"`,
		"922337203685477.5808":   largest,
		"922337203685478":        largest,
		strings.Repeat("9", 300): largest,
	} {
		if want == "" {
			want = fmt.Sprintf("Price is not a number: %q", value)
		}
		patch, got := decode(t, inDevice("<price>"+value+"</price>")), full()
		patch.Apply(got)
		equal(t, value, message.Strings(patch.Faults()), []string{want})
		equal(t, value+": record", got, full())
	}
}

// TestDecimalIsExact holds for any amount: its document form is the very same
// number, in JSON too, and without needless zeros.
func TestDecimalIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := devices.New()
		d.Price = kind.Decimal{V: rapid.Int64Min(0).Draw(t, "amount"), Valid: true}
		text := devices.Values(d).Format(devices.Field("price"))
		got, ok := new(big.Rat).SetString(text)
		if want := big.NewRat(d.Price.V, 10_000); !ok || got.Cmp(want) != 0 {
			t.Fatalf("got %s, want %s", text, want.FloatString(4))
		}
		if strings.Contains(text, ".") && strings.HasSuffix(text, "0") || strings.HasSuffix(text, ".") {
			t.Fatalf("got needless zeros: %s", text)
		}
		var doc struct{ Price json.RawMessage }
		if err := json.Unmarshal(devices.AppendRecord(nil, kind.JSON, base, d), &doc); err != nil ||
			string(doc.Price) != text {
			t.Fatalf("got %s in JSON and error %v, want %s", doc.Price, err, text)
		}
	})
}
