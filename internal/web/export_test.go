package web

// Markdown is what pages show of a text that people have written.
func Markdown(written string) string { return string((*call)(nil).markdown(written)) }

// SafeAddress is where a link that people have written may lead.
var SafeAddress = safeAddress

// LicenceOf is the licence of included software.
var LicenceOf = licenceOf
