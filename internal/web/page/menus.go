package page

// A NavEntry is a page in the navigation that is not a section.
type NavEntry struct {
	Path, Icon, Title string
	Access            Access
}
