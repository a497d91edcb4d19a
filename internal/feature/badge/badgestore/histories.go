package badgestore

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/game"
)

// histories reads what players have done up to a day, as far as their rules in due use it.
type histories struct {
	*Store
	due     map[string]badge.Rules // rules by player
	through game.Date
}

// asking returns the players with a rule about one of some facts.
func (h histories) asking(facts ...badge.Fact) []string {
	var players []string
	for player, rules := range h.due {
		if len(rules.Of(facts...)) > 0 {
			players = append(players, player)
		}
	}
	slices.Sort(players)
	return players
}

// read reads the histories. earliest is the first of the days that have closed: peers are read
// from as many days before it as a rule may look back.
func (h histories) read(ctx context.Context, earliest game.Date) (map[string]*badge.History, error) {
	all := make(map[string]*badge.History, len(h.due))
	for player := range h.due {
		all[player] = &badge.History{}
	}
	facts := FactsIn(h.Archive)
	if players := h.asking(badge.OfStreak, badge.OfDays, badge.OfXP); len(players) > 0 {
		err := facts.Days(ctx, h.Game.Modes, players, h.through, func(days []XPDay) error {
			for _, d := range days {
				all[d.Player].Days = append(all[d.Player].Days, badge.Day{Date: d.Date, XP: d.XP})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if players := h.asking(badge.OfWins, badge.OfXP); len(players) > 0 {
		duels, err := facts.Duels(ctx, h.through.AddDays(1).Midnight(), players)
		if err != nil {
			return nil, err
		}
		for _, d := range duels {
			all[d.Player].Duels = append(all[d.Player].Duels, badge.Duels{Date: d.Date, Won: d.Won, XP: d.XP})
		}
	}
	if players := h.asking(badge.OfPeers); len(players) > 0 {
		longest := 0
		for _, rule := range badge.RulesOf(h.Game).Of(badge.OfPeers) {
			longest = max(longest, rule.Within)
		}
		err := facts.Met(ctx, players, earliest.AddDays(1-longest), h.through, func(days []MetDay) error {
			for _, d := range days {
				all[d.Player].Met = append(all[d.Player].Met, badge.Met{Date: d.Date, Peers: d.Peers})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
