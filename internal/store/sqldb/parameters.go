package sqldb

import (
	"slices"
	"strconv"
	"strings"
)

// MostRows is how many records one statement inserts at most.
const MostRows = 250

// Tuples returns rows of numbered parameters, for VALUES.
func Tuples(rows, width int) string {
	var b strings.Builder
	for i := range rows {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("(" + parameters(i*width, width) + ")")
	}
	return b.String()
}

// FittingRows returns the largest batch size that is not above n.
func FittingRows(n int) (size int) {
	for _, batch := range Batches {
		if batch <= n && batch <= MostRows {
			size = batch
		}
	}
	return size
}

// InBatch appends ids to the arguments of a statement, repeating the last one up to a batch size, and returns
// their parameters.
func InBatch(args []any, ids []int64) (params string, all []any) {
	params = parameters(len(args), batchSize(len(ids)))
	return params, append(args, Batched(ids)...)
}

// Batches are the batch sizes that statements are made for. Shorter lists repeat their last id, so that few
// statements need to be cached.
var Batches = []int{1, 2, 4, 10, 25, 50, 100, 250, 500, 1000}

// batchSize returns the smallest batch size that n fit into.
func batchSize(n int) int {
	return Batches[slices.IndexFunc(Batches, func(size int) bool { return size >= n })]
}

// Batched returns values as the arguments of a statement, repeating the last one up to a batch size.
func Batched[T any](values []T) []any {
	args := make([]any, batchSize(len(values)))
	for i := range args {
		args[i] = values[min(i, len(values)-1)]
	}
	return args
}

// Placeholders returns $1 to $n.
func Placeholders(n int) string { return parameters(0, n) }

// parameters returns n numbered parameters, starting after the given number.
func parameters(behind, n int) string {
	b := make([]byte, 0, 6*n)
	for i := range n {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(append(b, '$'), int64(behind+i+1), 10)
	}
	return string(b)
}
