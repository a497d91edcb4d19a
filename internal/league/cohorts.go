package league

import (
	"cmp"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// Cohort is how many players are in the newest cohort of a tier and pace.
type Cohort struct {
	Tier, Pace, Cohort, Players int
}

// Seat gives players who have none a seat of a week, given the last week that each has
// played before it, of those who have, and the newest cohort of each tier and pace. A
// cohort is filled before the next one begins. Those who join together sit by what they
// had in XP, so that neighbours are of alike pace, and by their ids.
func Seat(rules *game.Leagues, week game.Date, players []string, last map[string]game.LeagueResult, newest []Cohort) []game.LeagueSeat {
	type room struct{ tier, pace int }
	rooms := map[room]*Cohort{}
	for _, c := range newest {
		rooms[room{c.Tier, c.Pace}] = &c
	}
	players = slices.Clone(players)
	slices.SortFunc(players, func(a, b string) int {
		return cmp.Or(cmp.Compare(last[b].XP, last[a].XP), cmp.Compare(a, b))
	})
	seats := make([]game.LeagueSeat, len(players))
	for i, player := range players {
		at := room{rules.TierIn(last[player], week), rules.PaceIn(last[player])}
		c := rooms[at]
		switch {
		case c == nil:
			c = &Cohort{Tier: at.tier, Pace: at.pace}
			rooms[at] = c
		case c.Players >= rules.Size:
			c.Cohort, c.Players = c.Cohort+1, 0
		}
		c.Players++
		seats[i] = game.LeagueSeat{Player: player, Tier: at.tier, Pace: at.pace, Cohort: c.Cohort}
	}
	return seats
}

// Stand is how the cohorts of a week stand by the players' XP: most first, equal ones by
// the players' ids. Who has no XP has no place. Cohorts follow each other.
func Stand(rules *game.Leagues, seats []game.LeagueSeat, xp map[string]int64) []game.LeagueStanding {
	all := make([]game.LeagueStanding, 0, len(seats))
	for _, seat := range seats {
		if xp[seat.Player] > 0 {
			all = append(all, game.LeagueStanding{LeagueSeat: seat, XP: xp[seat.Player]})
		}
	}
	slices.SortFunc(all, func(a, b game.LeagueStanding) int {
		return cmp.Or(cmp.Compare(a.Code(), b.Code()), cmp.Compare(b.XP, a.XP), cmp.Compare(a.Player, b.Player))
	})
	for first := 0; first < len(all); {
		n := 1
		for first+n < len(all) && all[first+n].Code() == all[first].Code() {
			n++
		}
		rank(rules, all[first:first+n])
		first += n
	}
	return all
}

// rank completes the places of one cohort, which are in order.
func rank(rules *game.Leagues, cohort []game.LeagueStanding) {
	n := len(cohort)
	promote, relegate := rules.Zones(cohort[0].Tier, n)
	for i := range cohort {
		s := &cohort[i]
		s.Place, s.Of, s.Zone, s.After = i+1, n, game.Stay, min(s.Tier, len(rules.Tiers)-1)
		switch {
		case i < promote:
			s.Zone, s.After = game.Promotion, s.After+1
		case i >= n-relegate:
			s.Zone, s.After = game.Relegation, max(0, s.After-1)
		}
		if i < len(rules.Rewards) {
			s.Reward = rules.Rewards[i]
		}
	}
}
