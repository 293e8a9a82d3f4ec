package lang

// Layouts in which browsers write a time that people set.
const (
	LocalTime    = "2006-01-02T15:04"
	LocalSeconds = "2006-01-02T15:04:05"
)
