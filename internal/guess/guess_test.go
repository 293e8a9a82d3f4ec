package guess

import (
	"strings"
	"testing"
	"unicode"
)

// TestIsCommon checks common passwords and well-chosen ones.
func TestIsCommon(t *testing.T) {
	t.Parallel()
	for password, want := range map[string]bool{
		"Password1234": true, "password!!!!!": true, "PASSWORTpasswort": true, "P4ssw0rd!2026": true,
		"p@$$w0rd2026": true, "Sommer2026!!": true, "1qazwsxedc2026": true,
		"qwertzuiop12": true, "QWERTYUIOP{}": true, "12345admin6789": true, "a-d-m-i-n-1-2-3": true,
		"Ｐａｓｓｗｏｒｄ１２３４": true, "Schlüssel2026": true, "straße": false,
		"aaaaaaaaaaaa": true, "mama20262026": true, "abcabcabcabc": true, "xyxyxyxyxyxy": true, "lalalalalala1": true,
		"111111111111": true, "123456789012": true, "987654321098": true, "123123123123": true,
		"x12345678901": true, "x           ": true, "dr0wssap1234": true, "localhost1234": true,
		"!!!!!!!!!!!!": true, "IchLiebeDich1": true, "changeme-changeme": true,
		"correct horse battery": false, "a quite new passphrase": false, "pässwörd für alle": false,
		"4827 1938 5561 0937": false, "tractor-violet-9-lamp": false,
		"K7WQ2M5PX3NVB6TR": false, "x48271938556": false, "passwordless kitchen": false,
		"Regenschirm am Nordpol": false,
	} {
		if got := IsCommon(password); got != want {
			t.Errorf("%q: got %v, want %v", password, got, want)
		}
	}
}

// TestHolds finds words that concern somebody, however they are written.
func TestHolds(t *testing.T) {
	t.Parallel()
	words := []string{"Anna Mü", "Müller-Öztürk", "anna.mueller", "example.com", "Nordwind Logistik GmbH"}
	for password, want := range map[string]string{
		"anna ate the lamp": "anna", "xxANNAxx 42 lamps": "anna", "my-MULLER-lamps": "muller",
		"lamp Oztu rk 1": "ozturk", "lamps of ex4ample": "example", "ex-am-ple lamp 1": "example",
		"logistiklampe 7": "logistik", "the gmbh of lamps": "gmbh", "com lamp mu lamp": "", "mu1234567890": "mu",
		"COM!com!2026": "com", "quiet lamp tower": "",
	} {
		if got := Holds(password, words...); got != want {
			t.Errorf("%q: got %q, want %q", password, got, want)
		}
	}
}

// TestList has letters alone, folded, as they are compared.
func TestList(t *testing.T) {
	t.Parallel()
	if n := len(common()); n < 1000 {
		t.Errorf("got %d words, want 1000 or more", n)
	}
	for word := range common() {
		if word != once(word) || fold(word) != word ||
			strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
			t.Errorf("%q: nothing is ever compared with it", word)
		}
	}
}
