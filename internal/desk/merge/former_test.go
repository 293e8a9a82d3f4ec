package merge

import (
	"slices"
	"testing"

	"muster/internal/inventory"
	"muster/internal/message"
)

// TestDoubted finds the computers that audit records name as possible duplicates: by their wording, and in those of
// former versions by their messages.
func TestDoubted(t *testing.T) {
	t.Parallel()
	others := message.Joined([]message.Text{
		message.New("%d (%s)", int64(7), "a, 8 (b"), message.New("%d (%s)", int64(9), "c"),
	}, ", ")
	a := &inventory.Audit{}
	a.Say(message.New("Computer %s created by its first report; possible duplicate of computers %s",
		"; possible duplicate of computer 5 (x)", others))
	if got, want := duplicatesIn(a), []int64{7, 9}; !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", a.Message, got, want)
	}
	for text, want := range map[string][]int64{
		"Computer x created by its first report; possible duplicate of computer 7 (lap)":         {7},
		"Computer x created by its first report; possible duplicate of computers 7 (a), 8 (b c)": {7, 8},
		"Computer x created by its first report":                                                 nil,
	} {
		if got := duplicatesIn(&inventory.Audit{Message: text}); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}

// TestSettle notes what was said last of two computers, by audit records with and without a wording.
func TestSettle(t *testing.T) {
	t.Parallel()
	said := &inventory.Audit{}
	said.Say(message.New("Not a duplicate of computer %d (%s)", int64(7), "pc"))
	for _, a := range []*inventory.Audit{
		said, {Message: "Not a duplicate of computer 7 (pc)"},
		{Message: "May be a duplicate of computer 7 (pc) after all"}, {Message: "Not a duplicate of computer x"},
	} {
		settled := map[[2]int64]bool{}
		settle(settled, a)
		if want := map[[2]int64]bool{{0, 7}: a.Message == said.Message}; a.Message[len(a.Message)-1] != 'x' &&
			len(settled) != 1 || settled[[2]int64{0, 7}] != want[[2]int64{0, 7}] {
			t.Errorf("%s: got %v, want %v", a.Message, settled, want)
		}
	}
}
