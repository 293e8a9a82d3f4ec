package desk

import (
	"fmt"
	"strconv"
	"strings"

	"muster/internal/message"
)

// NumberSetting returns the setting of a number between two others.
func NumberSetting(least, most, usual int, name, about string) Setting {
	return Setting{
		Name: name, Default: strconv.Itoa(usual), About: fmt.Sprintf("%s, %d to %d", about, least, most),
		parse: func(text string) (any, string, error) {
			v, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil || v < least || v > most {
				return nil, "", message.Says("must be a number from %d to %d, not %q", least, most, text)
			}
			return v, strconv.Itoa(v), nil
		},
	}
}
