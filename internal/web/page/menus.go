package page

// A NavEntry is a page in the navigation that is no section.
type NavEntry struct {
	Path, Icon, Title string
	Access            Access
}
