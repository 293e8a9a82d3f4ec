package digest

import (
	"bytes"
	"encoding/hex"
	"testing"
)

// TestPublishedExamples verifies the responses that the RFCs print. They are right, but their nonces are not ours.
func TestPublishedExamples(t *testing.T) {
	rfc7616 := call{
		method: "GET", target: "/dir/index.html",
		user: "Mufasa", realm: "http-auth@example.org", password: "Circle of Life",
		nonce: "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc: "00000001",
		cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop: "auth",
	}
	rfc2617 := rfc7616
	rfc2617.realm, rfc2617.password = "testrealm@host.com", "Circle Of Life"
	rfc2617.nonce, rfc2617.cnonce = "dcd98b7102dd2f0e8b11d0f600bfb0c093", "0a4f113b"
	tests := []struct {
		name, algorithm, response string
		call                      call
	}{
		{"RFC 7616, 3.9.1, MD5", "MD5", "8ca523f5e9506fed4657c9700eebdbec", rfc7616},
		{"RFC 7616, 3.9.1, SHA-256", "SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1",
			rfc7616},
		{"RFC 2617, 3.5", "MD5", "6629fae49393a05397450978507c4ef1", rfc2617},
	}
	for _, test := range tests {
		c := test.call
		c.algorithm = test.algorithm
		if got := c.response("GET"); got != test.response {
			t.Errorf("%s: the test computes %s, want %s", test.name, got, test.response)
		}
		s, _ := newServer(t, func(config *Config) {
			config.Realm = c.realm
			config.Lookup = func(string) *Secret { return NewSecret(c.user, c.realm, c.password) }
		})
		if got := c.send(s); got.Outcome != Stale || got.Reason != errForeign.Error() {
			t.Errorf("%s: got outcome %d (%s), want a right response to a foreign nonce", test.name, got.Outcome,
				got.Reason)
		}
	}
}

func TestPasswordForms(t *testing.T) {
	tests := []struct {
		name, password, sent string
		want                 Outcome
	}{
		{"ASCII", "secret", "secret", Verified},
		{"UTF-8", "pässwörd", "pässwörd", Verified},
		{"ISO-8859-1", "pässwörd", "p\xe4ssw\xf6rd", Verified},
		{"UTF-8 beyond ISO-8859-1", "pässwörd€", "pässwörd€", Verified},
		{"cut to bytes, beyond ISO-8859-1", "€", "\xac", Failed},
		{"half converted", "pässwörd", "p\xe4sswörd", Failed},
		{"without accents", "pässwörd", "password", Failed},
		{"not UTF-8 itself", "p\xe4ss", "p\xe4ss", Verified},
		{"with a colon", "a:b:c", "a:b:c", Verified},
		{"empty", "", "", Verified},
	}
	for _, test := range tests {
		for _, algorithm := range []string{"SHA-256", "MD5"} {
			s, _ := newServer(t, func(c *Config) {
				c.Lookup = func(string) *Secret { return NewSecret(testUser, testRealm, test.password) }
			})
			c := newCall(freshNonce(t, s))
			c.password, c.algorithm = test.sent, algorithm
			result := c.send(s)
			if result.Outcome != test.want {
				t.Errorf("%s, %s: got outcome %d, want %d", test.name, algorithm, result.Outcome, test.want)
				continue
			}
			if test.want == Verified && hex.EncodeToString(result.proof.answer(result.Triple)) != c.response("") {
				t.Errorf("%s, %s: rspauth is not of the form that the client used", test.name, algorithm)
			}
		}
	}
}

func TestSecretIsStored(t *testing.T) {
	for _, password := range []string{"secret", "pässwörd"} {
		secret := NewSecret(testUser, testRealm, password)
		data, err := secret.MarshalBinary()
		if err != nil || len(data) != secretSize || bytes.Contains(data, []byte(password)) {
			t.Fatalf("MarshalBinary: got %d bytes, error %v, want %d bytes without the password", len(data), err,
				secretSize)
		}
		var got Secret
		if err := got.UnmarshalBinary(data); err != nil || got != *secret {
			t.Errorf("UnmarshalBinary: got another secret, error %v", err)
		}
		newer := append([]byte(nil), data...)
		newer[0]++
		for name, bad := range map[string][]byte{
			"nothing": nil, "newer": newer, "short": data[:40], "long": append(data, 0),
		} {
			if err := got.UnmarshalBinary(bad); err == nil || got != *secret {
				t.Errorf("UnmarshalBinary of a %s secret: got error %v, want one and no change", name, err)
			}
		}
	}
}

func TestSecretsDiffer(t *testing.T) {
	base := NewSecret("a", "r", "p")
	for name, other := range map[string]*Secret{
		"name": NewSecret("b", "r", "p"), "realm": NewSecret("a", "s", "p"), "password": NewSecret("a", "r", "q"),
	} {
		if *other == *base {
			t.Errorf("another %s gives the same secret", name)
		}
	}
}
