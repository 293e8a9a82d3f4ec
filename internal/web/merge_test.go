package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestMergeByNumber merges the computers that were shown, also when their
// numbers are the asset ids of others.
func TestMergeByNumber(t *testing.T) {
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	addComputers(t, v, url.Values{"name": {"lej-1"}}, url.Values{"name": {"lej-2"}}, url.Values{"name": {"lej-3"}, "asset-id": {"1"}}, url.Values{"name": {"lej-4"}, "asset-id": {"2"}})
	goes(t, "merge", v.Post("/app/agents/duplicates/1/2", url.Values{"do": {"merge"}}), "/computers/1")
	wants(t, "what stays", v.Get("/app/computers/1"), http.StatusOK, "lej-1 and lej-2 are one computer now")
	wants(t, "what is gone", v.Get("/app/computers/2"), http.StatusNotFound)
	wants(t, "gone meanwhile", v.Post("/app/agents/duplicates/1/2", url.Values{"do": {"merge"}}), http.StatusNotFound)
	wants(t, "who is called so", v.Get("/app/computers/4"), http.StatusOK, "lej-4")
	wants(t, "one with itself", v.Post("/app/agents/duplicates/1/1", url.Values{"do": {"merge"}}), http.StatusConflict, "must be that of another computer")
}
