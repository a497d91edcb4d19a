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
func Seat(rules *game.Leagues, week game.Date, players []string, last map[string]game.LeagueResult, newest []game.LeagueCohort) []game.LeagueSeat {
	type room struct{ tier, pace int }
	rooms := map[room]*game.LeagueCohort{}
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
			c = &game.LeagueCohort{Tier: at.tier, Pace: at.pace}
			rooms[at] = c
		case c.Players >= rules.Size:
			c.Cohort, c.Players = c.Cohort+1, 0
		}
		c.Players++
		seats[i] = game.LeagueSeat{Player: player, Tier: at.tier, Pace: at.pace, Cohort: c.Cohort}
	}
	return seats
}

// Stand ranks the players in each cohort of a week: most XP first, then the highest id, as Redis
// orders boards on which high scores lead. Players without XP get no place. The standings of one cohort follow those of another.
func Stand(rules *game.Leagues, seats []game.LeagueSeat, xp map[string]int64) []game.LeagueStanding {
	all := make([]game.LeagueStanding, 0, len(seats))
	for _, seat := range seats {
		if xp[seat.Player] > 0 {
			all = append(all, game.LeagueStanding{LeagueSeat: seat, XP: xp[seat.Player]})
		}
	}
	slices.SortFunc(all, func(a, b game.LeagueStanding) int {
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
