package web

import (
	"strings"
	"sync"
)

// adviceTexts are the sentences that tell what people should know before they point
// agents at the server, in one line each. They come in English, as the command that
// adds a token prints them, and have %v for names and files.
var adviceTexts = []string{
	"The server listens on this machine alone, so the address works nowhere else: start it with another --listen, or with the --base-url of the proxy in front of it.",
	"The server's certificate is not for %v, so agents will refuse it: start the server with --base-url %v.",
	"Without TLS, whoever is on the way can read the token and the reports. Muster as an agent does not report so: its settings are left out.",
	"The server has a certificate of its own authority: first copy %v to each computer, to %v or, on Windows, to %v.",
	"OCS Inventory agents do not know which authorities the system trusts. On Red Hat, the file that they need is /etc/pki/tls/certs/ca-bundle.crt; on Windows, put one such as that of https://curl.se/docs/caextract.html to %v.",
}

var adviceForms = sync.OnceValue(func() []phrase { return phrases(adviceTexts) })

// advice tells in the language what people should know.
func (t *tongue) advice(notes []string) (told []string) {
	for _, note := range notes {
		told = append(told, t.phrased(adviceForms(), strings.ReplaceAll(note, "\n", " ")))
	}
	return told
}
