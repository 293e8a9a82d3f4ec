package desk

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// solutionCounter counts the numbers that people know solutions by.
const solutionCounter = "solution-number"

// beginSolution notes who writes a solution.
func beginSolution(w *work, rec any) {
	if w.who.User != nil {
		rec.(*inventory.Solution).Author = w.who.User.Person()
	}
}

// numberSolution gives a new solution the next number.
func numberSolution(ctx context.Context, w *work) error {
	n, err := w.tx.Count(ctx, solutionCounter)
	w.rec.(*inventory.Solution).Number = kind.Some(n)
	return err
}
