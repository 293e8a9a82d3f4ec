package web

// WithoutSection are the kinds that are served and have no section.
var WithoutSection = withoutSection
