package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// TestJSON reads the same records in JSON.
func TestJSON(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 3)
		c := s.Admin()
		var services struct{ Services []struct{ Href, Name string } }
		parseJSON(t, c.Get("/api.json"), &services)
		equal(t, "services", services.Services[0].Href, s.Base+"/hardwares.json")

		var list struct {
			Page      int
			PerPage   int `json:"per_page"`
			Total     int `json:"total_entries"`
			Hardwares []map[string]any
		}
		r := c.Get("/hardwares.json?per_page=2&sort_by=name&sort_order=DESC")
		parseJSON(t, r, &list)
		equal(t, "envelope", []int{list.Page, list.PerPage, list.Total, len(list.Hardwares)}, []int{1, 2, 3, 2})
		if link := r.Header.Get("Link"); !strings.Contains(link, "<"+s.Base+"/hardwares.json?page=2&") {
			t.Errorf("Link: got %s, want addresses that end .json", link)
		}
		var one map[string]any
		parseJSON(t, c.Get(strings.TrimPrefix(list.Hardwares[0]["href"].(string), s.Base)), &one)
		for _, name := range []string{"id", "href", "name", "status", "created_at", "owner"} {
			equal(t, name+" in the list and in the record", list.Hardwares[0][name], one[name])
		}
		for _, name := range []string{"memory", "videos", "technical_contact"} {
			if _, ok := one[name]; !ok {
				t.Errorf("%s is not in the record %v", name, one)
			}
		}
		r = c.Do("HEAD", "/hardwares/1.json", "")
		equal(t, "HEAD", []string{r.Header.Get("Content-Type"), r.Body}, []string{"application/json", ""})
	})
}

// TestJSONIsForReading refuses changes at addresses of JSON, and documents in
// it; errors are in the format that was asked for.
func TestJSONIsForReading(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 1)
		c := s.Admin()
		for _, call := range []struct{ method, target string }{
			{"POST", "/hardwares.json"}, {"PUT", "/hardwares/1.json"}, {"DELETE", "/hardwares/1.json"},
		} {
			r := c.Do(call.method, call.target, hardware("<name>x</name>"))
			equal(t, call.method+" "+call.target, []any{r.Status, r.Header.Get("Allow")},
				[]any{405, "GET, HEAD, OPTIONS"})
			equal(t, "errors", len(jsonFaults(t, r)), 1)
		}
		equal(t, "OPTIONS", c.Do("OPTIONS", "/hardwares.json", "").Header.Get("Allow"), "GET, HEAD, OPTIONS")
		for _, call := range []struct {
			method, target string
			status         int
		}{{"POST", "/hardwares", 201}, {"PUT", "/hardwares/1", 200}, {"DELETE", "/hardwares/1", 200}} {
			for _, accept := range []string{
				"application/json", "application/vnd.service.v1+json", "application/json, */*;q=0.1",
			} {
				want := http.StatusNotAcceptable
				if strings.Contains(accept, "*/*") {
					want = call.status
				}
				r := c.Do(call.method, call.target, hardware("<name>x</name>"), "Accept", accept)
				equal(t, call.method+", Accept: "+accept, []any{r.Status, r.Header.Get("Content-Type")},
					[]any{want, plainType})
			}
		}
		r := c.Do("POST", "/hardwares", `{"name":"x"}`, "Content-Type", "application/json")
		equal(t, "a JSON body", r.Status, http.StatusUnsupportedMediaType)
		for _, target := range []string{
			"/hardwares/99.json", "/nothing.json", "/hardwares.xml.json", "/hardwares.json?colour=red",
		} {
			equal(t, "errors of "+target, len(jsonFaults(t, c.Get(target))), 1)
		}
		anonymous := s.Anonymous().Get("/hardwares.json")
		equal(t, "without credentials", []any{anonymous.Status, len(jsonFaults(t, anonymous))}, []any{401, 1})
	})
}

// parseJSON reads a JSON document.
func parseJSON(t *testing.T, r *mustertest.Response, into any) {
	t.Helper()
	if got := r.Header.Get("Content-Type"); r.Status != http.StatusOK || got != "application/json" {
		t.Fatalf("got %d with %s, want 200 with JSON: %s", r.Status, got, r.Body)
	}
	if err := json.Unmarshal([]byte(r.Body), into); err != nil {
		t.Fatalf("%v in %s", err, r.Body)
	}
}

// jsonFaults reads a JSON error.
func jsonFaults(t *testing.T, r *mustertest.Response) []string {
	t.Helper()
	var doc struct{ Errors []string }
	if err := json.Unmarshal([]byte(r.Body), &doc); err != nil {
		t.Errorf("%v in %s", err, r.Body)
	}
	return doc.Errors
}
