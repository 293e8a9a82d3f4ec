// Package web assembles the web application: all its routes, the menus, and which
// sections show the kinds. The pages themselves belong in the packages below it: records
// for what all kinds share, the others for pages of their own. Every read and change
// goes through the desk, so rights, rules and audit are those of the API.
package web

import (
	"embed"

	"muster/internal/web/page"
)

//go:embed templates static
var assets embed.FS

// New returns the application.
func New(cfg page.Config) *page.App {
	sections := Sections(cfg.Kinds)
	all := page.Site{Assets: assets, Nav: menus(sections), Sections: sections}
	for _, s := range sections {
		all.Places = append(all.Places, &s.Place)
	}
	w := page.New(cfg, all)
	routes(w)
	return w
}
