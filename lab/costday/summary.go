package costday

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/progress"
)

// Missed lists the targets that were not met. In queue mode it looks at the
// longest window.
func (r Report) Missed() []string {
	var missed []string
	for _, s := range r.Sizes {
		if most, ok := Target(s.Players); ok && s.Days[0].PerPlayer() > most {
			missed = append(missed, fmt.Sprintf("%s players: %.2f commands each, at most %g", progress.Count(int64(s.Players)), s.Days[0].PerPlayer(), most))
		}
		longest := slices.MaxFunc(s.Days, func(a, b Day) int { return cmp.Compare(a.Window, b.Window) })
		if most, ok := QueueTarget(s.Players); ok && longest.Window > 0 && longest.PerPlayer() > most {
			missed = append(missed, fmt.Sprintf("%s players, %s: %.2f commands each, at most %g", progress.Count(int64(s.Players)), longest.Name, longest.PerPlayer(), most))
		}
	}
	if carries := r.curve().Carries(FreeCommands); len(r.curve()) > 1 && carries < freePlayers {
		missed = append(missed, fmt.Sprintf("the free plan carries %d players, not %d", carries, freePlayers))
	}
	return missed
}

// Summary is one line about a size.
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

// Shapes lists for a day what requests of each route took, the most frequent first.
func (d Day) Shapes() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d players, %s: %.2f\n", d.Players, d.Name, d.PerPlayer())
	for _, route := range slices.Sorted(maps.Keys(d.Routes)) {
		c := d.Routes[route]
		fmt.Fprintf(&b, "  %s: %d requests, %d commands, %d round trips\n", route, c.Requests, c.Commands, c.RoundTrips)
		shapes := slices.SortedFunc(maps.Keys(c.Shapes), func(x, y string) int { return int(c.Shapes[y] - c.Shapes[x]) })
		for _, shape := range shapes[:min(mostShapes, len(shapes))] {
			fmt.Fprintf(&b, "    %8d x %s\n", c.Shapes[shape], shape)
		}
	}
	return b.String()
}

// mostShapes bounds the list of a route.
const mostShapes = 12
