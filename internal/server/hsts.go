package server

import (
	"fmt"
	"strconv"
)

// maxHSTS is the number of days that browsers take at most.
const maxHSTS = 3650

// parseHSTS returns the text of the header Strict-Transport-Security, "" for none. Other names below the host's are
// not included: they may be other machines.
func parseHSTS(days string) (header string, err error) {
	if days == "off" || days == "" {
		return "", nil
	}
	n, err := strconv.Atoi(days)
	if err != nil || n < 0 || n > maxHSTS {
		return "", fmt.Errorf("--hsts %q must be a number of days up to %d, or off", days, maxHSTS)
	}
	return fmt.Sprintf("max-age=%d", n*24*60*60), nil
}
