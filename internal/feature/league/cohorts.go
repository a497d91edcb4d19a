package league

import (
	"cmp"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// Seat gives players without a seat one in a week. last has the last earlier week that each of
// them has played, if any; newest has the newest cohort of each tier and pace. Seat fills a
// cohort before it begins the next. It orders players by their XP in that last week, then by
// id, so that neighbours are of similar pace.
func Assign(rules *Rules, week game.Date, players []string, last map[string]Result, newest []CohortSize) []Seat {
	type room struct{ tier, pace int }
	rooms := map[room]*CohortSize{}
	for _, c := range newest {
		rooms[room{c.Tier, c.Pace}] = &c
	}
	players = slices.Clone(players)
	slices.SortFunc(players, func(a, b string) int {
		return cmp.Or(cmp.Compare(last[b].XP, last[a].XP), cmp.Compare(a, b))
	})
	seats := make([]Seat, len(players))
	for i, player := range players {
		at := room{rules.TierIn(last[player], week), rules.PaceIn(last[player])}
		c := rooms[at]
		switch {
		case c == nil:
			c = &CohortSize{Tier: at.tier, Pace: at.pace}
			rooms[at] = c
		case c.Players >= rules.Size:
			c.Cohort, c.Players = c.Cohort+1, 0
		}
		c.Players++
		seats[i] = Seat{Player: player, Tier: at.tier, Pace: at.pace, Cohort: c.Cohort}
	}
	return seats
}

// Stand ranks the players in each cohort of a week: most XP first, then the highest id, as Redis
// orders boards on which high scores lead. Players without XP get no place. The standings of one cohort follow those of another.
func Stand(rules *Rules, seats []Seat, xp map[string]int64) []Standing {
	all := make([]Standing, 0, len(seats))
	for _, seat := range seats {
		if xp[seat.Player] > 0 {
			all = append(all, Standing{Seat: seat, XP: xp[seat.Player]})
		}
	}
	slices.SortFunc(all, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(a.Code(), b.Code()), cmp.Compare(b.XP, a.XP), cmp.Compare(b.Player, a.Player))
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

// rank fills in the places of one cohort, given in order.
func rank(rules *Rules, cohort []Standing) {
	n := len(cohort)
	promote, relegate := rules.Zones(cohort[0].Tier, n)
	for i := range cohort {
		s := &cohort[i]
		s.Place, s.Of, s.Zone, s.After = i+1, n, Stay, min(s.Tier, len(rules.Tiers)-1)
		switch {
		case i < promote:
			s.Zone, s.After = Promotion, s.After+1
		case i >= n-relegate:
			s.Zone, s.After = Relegation, max(0, s.After-1)
		}
		if i < len(rules.Rewards) {
			s.Reward = rules.Rewards[i]
		}
	}
}
