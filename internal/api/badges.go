package api

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
)

// badgeAnswer is a badge: by a rule of the game, or, with a kind, for a place on the
// board of a week, month or season.
type badgeAnswer struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Earned    string   `json:"earned"`
	Rarity    *float64 `json:"rarity,omitempty"`
	Kind      string   `json:"kind,omitempty"`
	Mode      string   `json:"mode,omitempty"`
	Period    string   `json:"period,omitempty"`
	PeriodKey string   `json:"period_key,omitempty"`
	Scope     string   `json:"scope,omitempty"`
	Rank      int64    `json:"rank,omitempty"`
	AwardedAt string   `json:"awarded_at,omitempty"`
}

// badgeTitles are those of places.
var badgeTitles = map[string]string{"champion": "Champion", "podium": "Podium", "top10": "Top 10", "top100": "Top 100"}

func newPlaceBadge(g *game.Game, a game.Achievement) badgeAnswer {
	return badgeAnswer{
		ID: a.Kind, Title: cmp.Or(badgeTitles[a.Kind], a.Kind), Earned: game.DateOf(a.AwardedAt).String(),
		Kind: a.Kind, Mode: g.Called(a.Mode), Period: a.Period, PeriodKey: a.PeriodKey, Scope: a.Scope, Rank: a.Rank,
		AwardedAt: a.AwardedAt.UTC().Format(time.RFC3339),
	}
}

// newBadgeAnswers shows badges of rules that the game has.
func newBadgeAnswers(g *game.Game, badges []game.Badge, rarities map[string]game.Rarity) []badgeAnswer {
	answers := []badgeAnswer{}
	for _, b := range badges {
		rule, ok := g.Badges.Rule(b.Rule)
		if !ok {
			continue
		}
		answer := badgeAnswer{ID: b.Rule, Title: rule.Title, Earned: b.Earned.String(), Period: b.Period, Scope: b.Scope, PeriodKey: b.Key}
		if b.Mode != "" {
			answer.Mode = g.Called(b.Mode)
		}
		if share, known := rarities[b.Rule].Share(); known {
			answer.Rarity = &share
		}
		answers = append(answers, answer)
	}
	return answers
}

// atOnce are badges that a player has today already, and which no closing has given
// yet: for a streak, XP, and scores of days that are not over.
func atOnce(g *game.Game, kept []game.Badge, stands board.Me, today game.Date) []game.Badge {
	var now []game.Badge
	for _, rule := range g.Badges.Of(game.OfStreak, game.OfXP, game.OfScore) {
		if slices.ContainsFunc(kept, func(b game.Badge) bool { return b.Rule == rule.ID }) {
			continue
		}
		if b, ok := standsFor(rule, stands, today); ok {
			now = append(now, b)
		}
	}
	return now
}

func standsFor(rule game.BadgeRule, stands board.Me, today game.Date) (b game.Badge, ok bool) {
	switch rule.Fact {
	case game.OfStreak:
		for _, s := range stands.Streaks {
			if int64(s.Current) >= rule.Bound {
				return rule.Reached(s.Last), true
			}
		}
	case game.OfXP:
		for _, t := range stands.Today { // the newest day is what gave it
			today = t.Date
		}
		return rule.Reached(today), stands.XP >= rule.Bound
	case game.OfScore:
		for _, t := range stands.Today {
			if rule.Scores(t.Mode, t.Score) {
				b = rule.Reached(t.Date)
				b.Mode = t.Mode.Name
				return b, true
			}
		}
	}
	return b, false
}

// toldBadges are a player's badges, or that they cannot be told.
type toldBadges struct {
	places      []game.Achievement
	kept        []game.Badge
	rarities    map[string]game.Rarity
	unavailable bool
}

// badges asks for a player's badges while the rest is read. Whatever goes
// wrong with them spoils nothing else.
func (m me) badges(ctx context.Context, player string) <-chan toldBadges {
	answer := make(chan toldBadges, 1)
	if m.history == nil {
		answer <- toldBadges{unavailable: false}
		return answer
	}
	go func() {
		ctx, cancel := context.WithTimeout(ctx, badgePatience)
		defer cancel()
		var told toldBadges
		var err error
		told.places, err = m.history.Badges(ctx, player, maxBadges)
		if err == nil && len(m.game.Badges) > 0 {
			told.kept, told.rarities, err = m.history.Earned(ctx, player, m.game.Badges.IDs(), maxBadges)
		}
		if err != nil {
			m.problems.Warn(ctx, "badges cannot be told", err)
			told = toldBadges{unavailable: true}
		}
		answer <- told
	}()
	return answer
}

// answers are the badges of who stands so, newest first.
func (t toldBadges) answers(m me, stands board.Me) []badgeAnswer {
	kept := t.kept
	if m.history != nil && !t.unavailable {
		kept = append(atOnce(m.game, kept, stands, m.game.OpenDates(m.now())[0]), kept...)
	}
	all := newBadgeAnswers(m.game, kept, t.rarities)
	for _, place := range t.places {
		all = append(all, newPlaceBadge(m.game, place))
	}
	slices.SortStableFunc(all, func(a, b badgeAnswer) int { return cmp.Compare(b.Earned, a.Earned) })
	return all
}
