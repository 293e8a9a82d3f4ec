package api_test

import (
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// TestLongTexts: texts of 64 KiB come back whole, and lists are sorted by their
// beginnings, of 255 characters.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		long := strings.Repeat("X", 254)
		for _, text := range []string{
			long + strings.Repeat("ß", 32<<10-127), // 64 KiB
			long + "ſa",                            // which begins like the first: ß is ss without case
			"Äpfel", "", "banana", "Apfel", long,
		} {
			r := c.Do("POST", "/tickets", "<ticket><name>a</name><description>"+text+"</description></ticket>")
			if got := value(t, r.Body, "description"); r.Status != http.StatusCreated || got != text && text != "" {
				t.Errorf("got %d with %d bytes, want 201 with %d", r.Status, len(got), len(text))
			}
		}
		equal(t, "by description", ids(t, c.Get("/tickets?sort_by=description").Body), "6 5 7 1 2 3 4")
		equal(t, "by description, descending", ids(t, c.Get("/tickets?sort_by=description&sort_order=DESC").Body),
			"3 1 2 7 5 6 4")
	})
}
