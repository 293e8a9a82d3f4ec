package demo

import (
	"math/bits"
	"math/rand/v2"
)

// seed is the organisation's: another one gives another organisation.
const seed = 0x6d7573746572

// dice are the throws that decide about one record. They take from the
// generator nothing but its raw numbers, which never change.
type dice struct{ rand.PCG }

// below returns a number from 0 to n-1.
func (d *dice) below(n int) int {
	high, _ := bits.Mul64(d.Uint64(), uint64(n))
	return int(high)
}

// A span is a range of numbers with both its ends.
type span struct{ min, max int }

func (d *dice) within(s span) int { return s.min + d.below(s.max-s.min+1) }

// chance is true in that many of 100 cases.
func (d *dice) chance(percent int) bool { return d.below(100) < percent }

// fill returns the pattern with a digit for each # and a letter for each ?.
func (d *dice) fill(pattern string) string {
	b := []byte(pattern)
	for i, c := range b {
		switch c {
		case '#':
			b[i] = byte('0' + d.below(10))
		case '?':
			b[i] = byte('A' + d.below(26))
		}
	}
	return string(b)
}

// A share is how often a value occurs, compared with the others of its table.
type share struct{ Share int }

func (s share) weight() int { return s.Share }

// draw returns a value of the table by its weights.
func draw[T interface{ weight() int }](d *dice, table []T) T {
	total := 0
	for i := range table {
		total += table[i].weight()
	}
	n := d.below(total)
	for i := range table {
		if n -= table[i].weight(); n < 0 {
			return table[i]
		}
	}
	panic("unreachable: the throw is below the sum of the weights")
}

// pick returns a value of the table, each as often.
func pick[T any](d *dice, table []T) T { return table[d.below(len(table))] }

// row returns n neighbours of the table, from anywhere in it and round its
// end, and nil for none.
func row[T any](d *dice, table []T, n int) []T {
	if n == 0 {
		return nil
	}
	out := make([]T, n)
	first := d.below(len(table))
	for i := range out {
		out[i] = table[(first+i)%len(table)]
	}
	return out
}
