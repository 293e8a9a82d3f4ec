package page

// An Upload is a file that a form brings.
type Upload struct {
	Name string
	Data []byte
}
