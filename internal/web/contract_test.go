package web_test

import (
	"net/http"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestContractOfLicence: the form says how a licence is entered, and the pages of other
// contracts leave out what only licences have.
func TestContractOfLicence(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	add(t, s, "/contracts", "<contract><name>Writers</name><type>SoftwareLicense</type></contract>")
	add(t, s, "/contracts", "<contract><name>Cars</name><type>Lease</type></contract>")
	v := s.SignIn(server.Administrator)
	for _, path := range []string{"new", "1/edit"} {
		expect(t, path, v.Get("/app/contracts/"+path), http.StatusOK, "the quantity is the number of seats",
			`aria-describedby="i-items-e"`, "!i-purchases-e")
	}
	for path, not := range map[string]string{"1": "", "2": "!"} {
		expect(t, path, v.Get("/app/contracts/"+path), http.StatusOK, not+"<dt>Seats</dt>", not+"<dt>Installed</dt>",
			not+"<dt>Compliance</dt>", "<dt>Status</dt>")
	}
}
