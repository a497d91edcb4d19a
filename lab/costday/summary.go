package costday

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/platform/progress"
)

// predictedWithin bounds the error of a prediction, as a share of the measured value.
const predictedWithin = 0.1

// Missed lists the targets that were missed: as deployed, with either form of arrivals;
// in queue mode, with the longest window; and predictions with too large an error.
func (r Report) Missed() []string {
	var missed []string
	over := func(d Day, most float64) {
		missed = append(missed, fmt.Sprintf("%s players, %s: %.2f commands each, at most %g", progress.Count(int64(d.Players)), d.Name, d.PerPlayer(), most))
	}
	for _, s := range r.Sizes {
		for _, form := range forms {
			d, ok := s.cheapest(form)
			if most, bound := Target(s.Players); ok && bound && d.PerPlayer() > most {
				over(d, most)
			}
			longest, ok := s.longest(form)
			if most, bound := QueueTarget(s.Players); ok && bound && longest.PerPlayer() > most {
				over(longest, most)
			}
		}
	}
	for _, c := range r.checked() {
		if math.Abs(c.error()) > predictedWithin {
			missed = append(missed, fmt.Sprintf("%s players, %s: %.2f commands each, predicted %.2f", progress.Count(int64(c.day.Players)), c.day.Name, c.day.PerPlayer(), c.predicted))
		}
	}
	if carries := r.carries(); carries < freePlayers && r.predicts() {
		missed = append(missed, fmt.Sprintf("the free plan carries %d players, not %d", carries, freePlayers))
	}
	return missed
}

// predicts reports whether a prediction for other numbers of players is possible.
func (r Report) predicts() bool {
	return slices.ContainsFunc(forms, func(form Arrivals) bool { return len(r.curve(form)) > 1 })
}

// cheapest is the day as deployed, with one form of arrivals, by the cheapest journey: a
// game's client chooses its journey itself.
func (s Size) cheapest(form Arrivals) (cheapest Day, ok bool) {
	for _, d := range s.Days {
		if d.Arrivals.Name == form.Name && d.Window == 0 && !d.Alone && (!ok || d.PerPlayer() < cheapest.PerPlayer()) {
			cheapest, ok = d, true
		}
	}
	return cheapest, ok
}

// longest is the day in queue mode, with one form of arrivals, and the longest window.
func (s Size) longest(form Arrivals) (longest Day, ok bool) {
	for _, d := range s.Days {
		if d.Arrivals.Name == form.Name && d.Window > longest.Window {
			longest, ok = d, true
		}
	}
	return longest, ok
}

// Summary describes a size in one line.
func (s Size) Summary() string {
	var days []string
	for _, d := range append(slices.Clone(s.Days), s.Record) {
		if d.Players == 0 {
			continue // not played
		}
		days = append(days, fmt.Sprintf("%s %.2f", d.Name, d.PerPlayer()))
	}
	return progress.Count(int64(s.Players)) + " players, commands each: " + strings.Join(days, ", ")
}

// Shapes lists, for each route of a day, which commands its requests took; the most
// frequent first.
func (d Day) Shapes() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d players, %s: %.2f\n", d.Players, d.Name, d.PerPlayer())
	fmt.Fprintf(&b, "  environments started: %v\n", d.Started)
	for _, route := range slices.Sorted(maps.Keys(d.Routes)) {
		c := d.Routes[route]
		fmt.Fprintf(&b, "  %s: %d requests, %d commands, %d round trips, %d KB\n", route, c.Requests, c.Commands, c.RoundTrips, (c.Sent+c.Received)/1000)
		shapes := slices.SortedFunc(maps.Keys(c.Shapes), func(x, y string) int {
			return cmp.Compare(c.Shapes[y].Requests, c.Shapes[x].Requests)
		})
		for _, shape := range shapes[:min(mostShapes, len(shapes))] {
			fmt.Fprintf(&b, "    %8d x %s, %d KB in all\n", c.Shapes[shape].Requests, shape, c.Shapes[shape].Bytes/1000)
		}
	}
	return b.String()
}

// mostShapes bounds the list of each route.
const mostShapes = 12
