package desk

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// solutionCounter counts the numbers that people know solutions by.
const solutionCounter = "solution-number"

// beginSolution notes who writes a solution.
func beginSolution(w *Work, rec any) {
	if w.Who.User != nil {
		rec.(*inventory.Solution).Author = w.Who.User.Person()
	}
}

// numberSolution gives a new solution the next number.
func numberSolution(ctx context.Context, w *Work) error {
	n, err := w.Tx.Count(ctx, solutionCounter)
	w.Rec.(*inventory.Solution).Number = kind.Some(n)
	return err
}
