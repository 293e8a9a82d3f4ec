package page

// Markdown is what pages show of a text that people have written.
func Markdown(written string) string { return string((*Call)(nil).Markdown(written)) }
