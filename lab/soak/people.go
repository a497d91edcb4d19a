package soak

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// places are the scopes of the game that is played, global first.
type places struct {
	names     []string // as the API has them
	countries int      // names[1:1+countries]; groups follow
}

func newPlaces() *places {
	p := &places{names: []string{"global"}}
	for _, code := range [...]string{"BR", "DE", "JP", "PT", "US"} {
		p.names = append(p.names, "country:"+code)
	}
	p.countries = len(p.names) - 1
	for _, id := range [...]string{"alpha", "Alpha", "b-1", "team_9"} {
		p.names = append(p.names, "group:"+id)
	}
	return p
}

// isCountry reports whether a scope is a country.
func (p *places) isCountry(scope int) bool { return scope > 0 && scope <= p.countries }

// kept reports whether a mode keeps boards of a scope.
func (p *places) kept(m *game.Mode, scope int) bool {
	switch {
	case scope == 0:
		return true
	case p.isCountry(scope):
		return m.HasScope(game.Country)
	}
	return m.HasScope(game.Group)
}

// scopeSet holds indexes into places.names.
type scopeSet uint32

func (s scopeSet) has(scope int) bool      { return s&(1<<scope) != 0 }
func (s scopeSet) with(scope int) scopeSet { return s | 1<<scope }

// person is a player and how they play.
type person struct {
	id      string
	home    int // country, 0 for none
	groups  scopeSet
	faith   float64 // chance of playing on a day
	breadth float64 // chance of playing a mode on such a day
}

func newPeople(n int, p *places, rng *rand.Rand) []person {
	people := make([]person, n)
	for i := range people {
		someone := person{
			// Names differ at their ends, in case, and in length, since the
			// last word on a tie is the order of bytes.
			id:      fmt.Sprintf("%s%d%s", [...]string{"user_", "User.", "u:", "x-"}[rng.IntN(4)], i, [...]string{"", "@a", "_"}[rng.IntN(3)]),
			home:    rng.IntN(p.countries + 1),
			faith:   [...]float64{0.25, 0.7, 0.9, 0.97}[rng.IntN(4)],
			breadth: 0.1 + 0.5*rng.Float64(),
		}
		for range rng.IntN(3) {
			someone.groups = someone.groups.with(1 + p.countries + rng.IntN(len(p.names)-1-p.countries))
		}
		people[i] = someone
	}
	return people
}

// scopes are the scopes a player belongs to.
func (someone person) scopes() scopeSet {
	if someone.home == 0 {
		return someone.groups
	}
	return someone.groups.with(someone.home)
}

// split is a set of scopes as a submission names them.
func (p *places) split(s scopeSet) (country string, groups []string) {
	for i, name := range p.names {
		if !s.has(i) || i == 0 {
			continue
		}
		_, id, _ := strings.Cut(name, ":")
		if i <= p.countries {
			country = id
		} else {
			groups = append(groups, id)
		}
	}
	return country, groups
}
