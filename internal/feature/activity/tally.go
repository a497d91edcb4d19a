package activity

import (
	"math"

	"github.com/framedle/leaderboards/internal/game"
)

// Tally is what a day's acts say of one player.
type Tally struct {
	Counts map[string]int64
	Peers  map[string]struct{} // others in counted acts with the player
	First  int64               // Unix milliseconds of the oldest act
	Last   int64               // of the newest act
	Muted  int                 // messages of the player that are within a burst
}

type pair struct{ counter, of, by string }

// Of adds up the acts of a group's day. Every player in one of them has a tally, even if the
// act does not count because another has the same id: so a player with a tally never loses it
// when more acts arrive. The newest acts of the day before show which of this day's first
// messages are within a burst.
func Of(rules *Rules, acts, before []Act) map[string]*Tally {
	all := map[string]*Tally{}
	of := func(player string) *Tally {
		t := all[player]
		if t == nil {
			t = &Tally{Counts: map[string]int64{}, Peers: map[string]struct{}{}, First: math.MaxInt64}
			all[player] = t
		}
		return t
	}
	for _, a := range acts {
		if _, ok := rules.Event(a.Type); !ok {
			continue // a type that the game no longer has
		}
		for _, player := range a.Who {
			t := of(player)
			t.First, t.Last = min(t.First, a.At), max(t.Last, a.At)
		}
	}
	acts, before = once(acts), once(before)
	bursts := burstsOf(rules, acts, before)
	pairs := map[pair]struct{}{}
	for _, a := range acts {
		rule, ok := rules.Event(a.Type)
		if !ok {
			continue
		}
		if rule.Message && bursts.has(a) {
			of(a.Who[0]).Muted++
			continue
		}
		for _, count := range rule.Counts {
			if count.Role == Users {
				for _, player := range a.Who {
					of(player).Counts[count.Counter]++
				}
			} else if player := a.player(count.Role); player != "" {
				of(player).Counts[count.Counter]++
			}
		}
		if len(a.Who) == 2 {
			of(a.Who[0]).Peers[a.Who[1]] = struct{}{}
			of(a.Who[1]).Peers[a.Who[0]] = struct{}{}
		}
		for _, d := range rule.Distinct {
			p := pair{d.Counter, a.player(d.Of), a.player(d.By)}
			if _, seen := pairs[p]; !seen && p.of != "" && p.by != "" {
				pairs[p] = struct{}{}
				of(p.of).Counts[d.Counter]++
			}
		}
	}
	return all
}

// Points are a player's scores of a day, one for each mode of [game.Activity.Modes] in its
// order. The streak includes the day.
func (t *Tally) Points(g *game.Game, streak int) []game.Score {
	a := RulesOf(g)
	points := make([]game.Score, 0, len(a.Pillars)+1)
	var sum game.Score
	for i := range a.Pillars {
		m, ok := g.ModeCalled(a.Pillars[i].Mode)
		if !ok {
			continue // no game that New made is like that
		}
		p := a.Pillars[i].Points(m, func(counter string) int64 { return t.Counts[counter] })
		points = append(points, p)
		sum += p
	}
	if m, ok := g.ModeCalled(a.Overall.Mode); ok {
		points = append(points, min(a.Overall.Of(sum, streak), m.Max))
	}
	return points
}
