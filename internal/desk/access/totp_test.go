package access

import (
	"net/url"
	"testing"
	"time"
)

// TestCodeAt has the values of RFC 6238, appendix B, of which six digits count.
func TestCodeAt(t *testing.T) {
	t.Parallel()
	secret := []byte("12345678901234567890")
	for at, want := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037",
		20000000000: "353130",
	} {
		if got := codeAt(secret, at/30); got != want {
			t.Errorf("at %d: got %s, want %s", at, got, want)
		}
	}
}

// TestStepOf: a code is good in its half minute and in those beside it, and not
// when one of the same step or a later one was accepted.
func TestStepOf(t *testing.T) {
	t.Parallel()
	secret, now := []byte("12345678901234567890"), time.Unix(1234567890, 0)
	step := now.Unix() / 30
	for _, c := range []struct {
		of, last int64
		want     bool
	}{
		{-2, 0, false}, {-1, 0, true}, {0, 0, true}, {1, 0, true}, {2, 0, false},
		{0, step - 1, true}, {0, step, false}, {0, step + 1, false}, {1, step, true}, {-1, step, false},
	} {
		got := stepOf(secret, codeAt(secret, step+c.of), now, c.last)
		if (got == step+c.of) != c.want || !c.want && got != 0 {
			t.Errorf("code of step %+d, last one %d: got step %d, want it accepted: %v", c.of, c.last, got, c.want)
		}
	}
}

// TestCodeURL: apps read the issuer, the user and the secret.
func TestCodeURL(t *testing.T) {
	t.Parallel()
	got, err := url.Parse(codeURL("Muster & Söhne", "ann+1@example.com", "ABC"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Scheme != "otpauth" || got.Host != "totp" || got.Path != "/Muster & Söhne:ann+1@example.com" {
		t.Errorf("got %s", got)
	}
	if want := "issuer=Muster%20%26%20S%C3%B6hne&secret=ABC"; got.RawQuery != want {
		t.Errorf("got the query %s, want %s", got.RawQuery, want)
	}
}
