package page

import (
	"errors"

	"muster/internal/desk"
)

// IsRefusal reports whether an error is one of the desk's refusals.
func IsRefusal(err error, codes ...desk.Code) bool {
	refused, ok := errors.AsType[*desk.Error](err)
	for _, code := range codes {
		if ok && refused.Code == code {
			return true
		}
	}
	return false
}
