package web

import "muster/internal/kind"

// WithoutSection are the kinds that are served and have no section.
var WithoutSection = withoutSection

// Refined reports whether a row refines the section of a kind.
func Refined(k *kind.Schema) bool { return refinements().Of(k) != nil }
