package digest

import "testing"

// TestStranger: an unknown user is compared with a secret that nobody knows, so that the answer takes as long as that
// of a wrong password (BenchmarkFailed shows both); without that secret it would be a panic. Whoever could tell the two
// apart would learn who is a user.
func TestStranger(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	wrong := prepare(s, 1, func(c *call) { c.password = "wrong" })[0]
	unknown := prepare(s, 1, func(c *call) { c.user = "eve@example.com" })[0]
	s.stranger = nil
	if got := s.Authenticate(wrong); got.Outcome != Failed {
		t.Errorf("a wrong password: got outcome %d (%s), want a failure", got.Outcome, got.Reason)
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown user was refused without a comparison")
		}
	}()
	s.Authenticate(unknown)
}
