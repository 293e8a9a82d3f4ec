package desk

import (
	"slices"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// TestAbout checks which computers have a change among their audits.
func TestAbout(t *testing.T) {
	t.Parallel()
	links := []kind.Linked{{Item: "hardware", ID: kind.Some[int64](7)}, {Item: "hardware", ID: kind.Some[int64](8)}}
	assets := append([]kind.Linked{{Item: "other-asset", ID: kind.Some[int64](9)}}, links...)
	computer := &inventory.Computer{}
	computer.ID = 3
	for _, test := range []struct {
		what   string
		action string
		rec    any
		want   []int64
	}{
		{"a new computer", inventory.Created, computer, []int64{3}},
		{"a computer that is gone", inventory.Deleted, computer, []int64{3}},
		{"a new ticket", inventory.Created, &inventory.Ticket{Computers: links}, []int64{7, 8}},
		{"a changed ticket", inventory.Updated, &inventory.Ticket{Computers: links}, nil},
		{"a new risk", inventory.Created, &inventory.Risk{Assets: assets}, []int64{7, 8}},
		{"a new contract", inventory.Created, &inventory.Contract{Computers: links}, nil},
	} {
		var got []int64
		for _, tie := range about(test.action, test.rec) {
			got = append(got, tie.ID.V)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got the computers %v, want %v", test.what, got, test.want)
		}
	}
}

// TestMessageWithoutName checks the sentence of a change of a record that has no name.
func TestMessageWithoutName(t *testing.T) {
	t.Parallel()
	if got, want := sentence(inventory.Comments.Schema, inventory.Deleted, &inventory.Comment{}, kind.Diff{}).String(),
		"Comment deleted"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
