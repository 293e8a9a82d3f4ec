package desk

import (
	"context"
	"time"

	"muster/internal/inventory"
	"muster/internal/message"
)

// beginRisk notes where a risk comes from.
func beginRisk(w *Work, rec any) {
	r := rec.(*inventory.Risk)
	if r.Source == "" {
		r.Source = inventory.RiskManual
	}
	if r.DetectedAt.IsZero() {
		r.DetectedAt = w.now().UTC().Truncate(time.Second)
	}
}

// completeRisk notes when a risk was over.
func completeRisk(_ context.Context, w *Work) ([]message.Text, error) {
	r := w.Rec.(*inventory.Risk)
	was, _ := w.Old.(*inventory.Risk)
	if was == nil {
		was = inventory.Risks.New()
	}
	if r.Status != was.Status {
		r.ResolvedAt = time.Time{}
		if r.Status == inventory.RiskResolved {
			r.ResolvedAt = w.now().UTC().Truncate(time.Second)
		}
	}
	return nil, nil
}
