package gamefile

import (
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// readWorld reads which boards sites merge; nil: none.
func readWorld(r *reader, v value) *game.World {
	if v.node == nil || v.node.Value == off {
		return nil
	}
	f := r.section(v, "top", "periods", "modes")
	w := &game.World{Top: r.number(f.field("top"), 0, game.MostWorldTop), Periods: slices.Clone(game.WorldPeriods)}
	if modes := f.field("modes"); modes.node != nil {
		w.Modes = r.texts(modes, "use a list of modes, or leave it out for all")
	}
	periods := f.field("periods")
	if periods.node == nil {
		return w
	}
	w.Periods = nil
	for i, word := range r.texts(periods, "use a list of periods, or leave it out for all") {
		k, err := game.ParsePeriodKind(word)
		if err != nil {
			r.add(periods.node.Content[i].Line, periods.path, err.Error(), "use a list of periods, or leave it out for all")
		}
		w.Periods = append(w.Periods, k)
	}
	return w
}
