package desk

import (
	"muster/internal/inventory"
	"muster/internal/kind"
)

// search lets a search look into the records below those of a kind too, as far
// as the user may see them: what is said in a comment is said in its ticket. What is
// for staff alone is found by staff alone.
func search(user *inventory.User, k *kind.Schema, s *kind.Search) *kind.Search {
	if s == nil {
		return nil
	}
	whole := *s
	whole.Limited = k.Searched.HasStaffTexts() && Limited(user)
	for _, r := range Relations(k) {
		ref := r.Kind.Parent()
		if ref == nil || ref.Target != k {
			continue
		}
		if scope, err := Visible(user, r.Kind); err == nil {
			whole.Beside = append(whole.Beside, kind.Beside{Kind: r.Kind, Ref: ref, Either: scope})
		}
	}
	return &whole
}
