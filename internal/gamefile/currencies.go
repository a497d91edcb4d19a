package gamefile

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
)

// currencies reads what one play of each mode earns, currency by currency.
func (r *reader) currencies(v value) []game.Currency {
	names, values := r.entries(v)
	var all []game.Currency
	for i, name := range names {
		c := game.Currency{Name: name, Plays: map[string]int64{}}
		modes, amounts := r.entries(values[i])
		for j, mode := range modes {
			c.Plays[mode] = r.number(amounts[j], 0, 1)
		}
		if len(modes) == 0 && !r.bad[values[i].path] {
			r.add(r.lines[values[i].path], values[i].path, "nothing earns it", fmt.Sprintf("name modes and what one play of each earns, as in %s: {daily_frame: 1}", name))
		}
		all = append(all, c)
	}
	return all
}
