package desk

import (
	"fmt"
	"strconv"
	"strings"

	"muster/internal/message"
)

// A number is what a setting that is a number may be.
type number struct{ least, most, usual int }

// setting returns the setting of a number.
func (n number) setting(name, about string) Setting {
	return Setting{
		Name: name, Default: strconv.Itoa(n.usual), About: fmt.Sprintf("%s, %d to %d", about, n.least, n.most),
		parse: func(text string) (any, string, error) {
			v, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil || v < n.least || v > n.most {
				return nil, "", message.Says("must be a number from %d to %d, not %q", n.least, n.most, text)
			}
			return v, strconv.Itoa(v), nil
		},
	}
}
