package records

import (
	"errors"
	"fmt"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// A QrCode is a text as a square of modules, for SVG: the dark ones as one path in
// a view of Size by Size, with the margin that readers need.
type QrCode struct {
	Size int
	Path string
}

// qrMargin is how many modules stay empty around a code.
const qrMargin = 4

// NewQR returns the code of a text.
func NewQR(text string) (*QrCode, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return nil, errors.New("the text is too long for a QR code") // which may be a secret
	}
	size := code.Bounds().Dx()
	dark := func(x, y int) bool {
		if x == size {
			return false
		}
		shade, _, _, _ := code.At(x, y).RGBA()
		return shade == 0
	}
	var path strings.Builder
	for y := range size {
		for x := 0; x < size; x++ {
			start := x
			for dark(x, y) {
				x++
			}
			if x > start {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", start+qrMargin, y+qrMargin, x-start, x-start)
			}
		}
	}
	return &QrCode{size + 2*qrMargin, path.String()}, nil
}
