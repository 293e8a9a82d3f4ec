//go:build full

package result

import (
	"math"
	"testing"
)

func TestMiddle(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{3}, 3},
		{[]float64{3, 1}, 2},
		{[]float64{9, 1, 2}, 2},
		{[]float64{100, 1, 3, 2, 4}, 3},
	} {
		if got := middle(test.values); got != test.want {
			t.Errorf("middle of %v: got %v, want %v", test.values, got, test.want)
		}
	}
}

func TestMedianIsOfEachFigure(t *testing.T) {
	got := Median([]Sample{{CPU: 1, P99: 9}, {CPU: 5, P99: 7}, {CPU: 3, P99: 8}})
	if want := (Sample{CPU: 3, P99: 8}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestQuantile(t *testing.T) {
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(i + 1)
	}
	for part, want := range map[float64]float64{0: 1, 0.5: 51, 0.99: 100, 1: 100} {
		if got := Quantile(values, part); got != want {
			t.Errorf("quantile %v: got %v, want %v", part, got, want)
		}
	}
	if got := Quantile(nil, 0.5); got != 0 {
		t.Errorf("quantile of nothing: got %v, want 0", got)
	}
}

func TestComparison(t *testing.T) {
	for _, test := range []struct {
		name          string
		ours, theirs  []float64 // CPU of each round
		goal          float64
		ratio         float64
		text, inWords string
	}{
		{"cheaper", []float64{10, 20, 10}, []float64{100, 200, 90}, 8, 0.1, "10.0x cheaper", ">= 8x ok"},
		{"not cheap enough", []float64{10}, []float64{50}, 8, 0.2, "5.0x cheaper", ">= 8x MISSED"},
		{"dearer", []float64{30, 90, 60}, []float64{10, 10, 20}, 0, 3, "3.0x dearer", ""},
		{"dearer than allowed", []float64{30}, []float64{10}, 2, 3, "3.0x dearer", ">= 2x MISSED"},
		{"nothing", nil, nil, 8, 0, "", ""},
	} {
		c := &Comparison{Goals: Goals{Goal: test.goal}}
		for i := range test.ours {
			c.Ours, c.Theirs = append(c.Ours, Sample{CPU: test.ours[i]}), append(c.Theirs, Sample{CPU: test.theirs[i]})
		}
		if got := c.Times(); math.Abs(got-test.ratio) > 1e-9 {
			t.Errorf("%s: got ratio %v, want %v", test.name, got, test.ratio)
		}
		if got := ratioText(c.Times()); got != test.text {
			t.Errorf("%s: got ratio %q, want %q", test.name, got, test.text)
		}
		if got := c.goalText(); got != test.inWords {
			t.Errorf("%s: got goal %q, want %q", test.name, got, test.inWords)
		}
	}
}
