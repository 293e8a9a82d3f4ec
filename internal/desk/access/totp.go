package access

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"time"

	"muster/internal/desk"
)

// Codes that change with time, as in RFC 6238 with what every app that shows
// them knows: SHA-1, six digits, half a minute.
const (
	codeDigits = 6
	codeStep   = 30 * time.Second
	codeDrift  = 1  // steps by which the user's clock may be wrong
	secretSize = 20 // bytes of a secret
)

// codeAt returns the code of a secret in a time step.
func codeAt(secret []byte, step int64) string {
	mac := hmac.New(sha1.New, secret)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(step)))
	sum := mac.Sum(nil)
	number := binary.BigEndian.Uint32(sum[sum[len(sum)-1]&15:]) &^ (1 << 31)
	return fmt.Sprintf("%0*d", codeDigits, number%1_000_000)
}

// stepOf returns the time step around now whose code this is, if it is later
// than the last one that was accepted, so that each code is good once; else 0.
func stepOf(secret []byte, code string, now time.Time, last int64) (step int64) {
	present := now.Unix() / int64(codeStep/time.Second)
	for s := present - codeDrift; s <= present+codeDrift; s++ {
		if subtle.ConstantTimeCompare([]byte(codeAt(secret, s)), []byte(code)) == 1 && s > last {
			step = s
		}
	}
	return step
}

// codeSecretText returns a secret as people type it into an app.
func codeSecretText(secret []byte) string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(secret)
}

// codeURL returns the address by which an app takes over a secret.
func codeURL(issuer, email, secret string) string {
	values := url.Values{"secret": {secret}, "issuer": {issuer}}
	u := url.URL{
		Scheme: "otpauth", Host: "totp", Path: "/" + issuer + ":" + email,
		RawQuery: strings.ReplaceAll(values.Encode(), "+", "%20"), // some apps show the plus sign
	}
	return u.String()
}

// isCode reports whether a text is a code that changes with time, rather than a
// recovery code or a password.
func isCode(text string) bool { return len(text) == codeDigits && desk.IsNumber(text) }

// plainCode returns a code without what people put in between.
func plainCode(text string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "", "\t", "", "\u00a0", "").Replace(text))
}
