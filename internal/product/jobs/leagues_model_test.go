package jobs_test

import (
	"fmt"
	"slices"
	"sort"
)

// leagueModel works leagues out week by week, as one would on paper: from the XP of each
// player and the members of each cohort.
type leagueModel struct {
	tiers, size, promote, relegate int
	paces                          []int64
	rewards                        []string

	tier  map[string]int   // now; falls with each week that the player misses
	last  map[string]int64 // XP of the last week played
	weeks []map[string]leagueEnd
}

// leagueEnd is how a week ended for a player.
type leagueEnd struct {
	Tier, Pace, Cohort int
	XP                 int64
	Place, Of          int
	Zone               string
	After              int
	Reward             string
}

// week plays a week. The product decides who is in which cohort.
func (m *leagueModel) week(xp map[string]int64, cohort map[string]int) error {
	type of struct{ tier, pace, cohort int }
	cohorts := map[of][]string{}
	for player, points := range xp {
		if points == 0 {
			continue
		}
		number, seated := cohort[player]
		if !seated {
			return fmt.Errorf("%s has XP and no cohort", player)
		}
		pace := 0
		for _, from := range m.paces {
			if m.last[player] >= from {
				pace++
			}
		}
		key := of{m.tier[player], pace, number}
		cohorts[key] = append(cohorts[key], player)
	}
	for player := range cohort {
		if xp[player] == 0 {
			return fmt.Errorf("%s has a cohort and no XP", player)
		}
	}
	ends := map[string]leagueEnd{}
	for key, players := range cohorts {
		n := len(players)
		if n > m.size {
			return fmt.Errorf("cohort %v has %d players", key, n)
		}
		if more := cohorts[of{key.tier, key.pace, key.cohort + 1}]; len(more) > 0 && n < m.size {
			return fmt.Errorf("cohort %v has %d players, and another one was begun", key, n)
		}
		sort.Sort(sort.Reverse(sort.StringSlice(players)))
		slices.SortStableFunc(players, func(a, b string) int { return int(xp[b] - xp[a]) })
		up, down := 0, 0
		if key.tier+1 < m.tiers {
			for up < n && float64(up) < float64(n)*float64(m.promote)/float64(m.size) {
				up++
			}
		}
		if key.tier > 0 {
			for up+down < n && float64(down+1) <= float64(n)*float64(m.relegate)/float64(m.size) {
				down++
			}
		}
		for i, player := range players {
			end := leagueEnd{key.tier, key.pace, key.cohort, xp[player], i + 1, n, "stay", key.tier, ""}
			if i < up {
				end.Zone, end.After = "promotion", key.tier+1
			} else if n-i <= down {
				end.Zone, end.After = "relegation", key.tier-1
			}
			if i < len(m.rewards) {
				end.Reward = m.rewards[i]
			}
			ends[player] = end
		}
	}
	for player := range m.tier {
		if _, played := ends[player]; !played && m.tier[player] > 0 {
			m.tier[player]--
		}
	}
	for player, end := range ends {
		m.tier[player], m.last[player] = end.After, end.XP
	}
	m.weeks = append(m.weeks, ends)
	return nil
}
