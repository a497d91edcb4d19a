package badge

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
)

// Reader knows the badges that players have been given.
type Reader interface {
	// Badges lists a player's badges for places on boards, newest first, at most so many.
	Badges(ctx context.Context, player string, most int) ([]game.Achievement, error)
	// Earned lists a player's badges by rules, newest first, at most so many, and how rare the
	// badges of each rule are.
	Earned(ctx context.Context, player string, rules []string, most int) ([]Badge, map[string]Rarity, error)
	// Hides reports whether a player is hidden from others.
	Hides(ctx context.Context, player string) (bool, error)
}

// Badges reads players' badges, and has their endpoints.
type Badges struct {
	game     *game.Game
	now      func() time.Time
	problems respond.Problems
	history  Reader // nil: none
}

// NewBadges makes a Badges. history may be nil.
func NewBadges(g *game.Game, now func() time.Time, problems respond.Problems, history Reader) Badges {
	return Badges{g, now, problems, history}
}

// Routes are the routes of badges.
func (b Badges) Routes() []gate.Route {
	return []gate.Route{
		{Function: "leaderboard", Pattern: "GET /v1/players/{player}/badges", Auth: gate.PublicOrMe, Limit: limit.Boards, Serve: b.GetBadges},
		{Function: "me", Pattern: "GET /v1/me/badges", Auth: gate.AnyPlayer, Limit: limit.Boards, Serve: b.GetOwnBadges},
	}
}

const (
	maxBadges = 50
	// patience is how long badges may delay an answer: a sleeping database wakes in less time.
	patience = 2 * time.Second
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

// badgeTitles are the titles of badges for places.
var badgeTitles = map[string]string{"champion": "Champion", "podium": "Podium", "top10": "Top 10", "top100": "Top 100"}

func newPlaceBadge(g *game.Game, a game.Achievement) badgeAnswer {
	return badgeAnswer{
		ID: a.Kind, Title: cmp.Or(badgeTitles[a.Kind], a.Kind), Earned: game.DateOf(a.AwardedAt).String(),
		Kind: a.Kind, Mode: g.Called(a.Mode), Period: a.Period, PeriodKey: a.PeriodKey, Scope: a.Scope, Rank: a.Rank,
		AwardedAt: a.AwardedAt.UTC().Format(time.RFC3339),
	}
}

// newBadges shows badges of rules that the game has, without those that were taken.
func newBadges(g *game.Game, badges []Badge, rarities map[string]Rarity) []badgeAnswer {
	shown := []badgeAnswer{}
	for _, b := range badges {
		rule, ok := RulesOf(g).Rule(b.Rule)
		if !ok || b.Taken {
			continue
		}
		answer := badgeAnswer{ID: b.Rule, Title: rule.Title, Earned: b.Earned.String(), Period: b.Period, Scope: b.Scope, PeriodKey: b.Key}
		if b.Mode != "" {
			answer.Mode = g.Called(b.Mode)
		}
		if share, known := rarities[b.Rule].Share(); known {
			answer.Rarity = &share
		}
		shown = append(shown, answer)
	}
	return shown
}

// atOnce returns the badges that a player has earned today and that no closing has given yet:
// for a streak, XP, and scores of days that are not over.
func atOnce(g *game.Game, kept []Badge, me leaderboard.Me, today game.Date) []Badge {
	var now []Badge
	for _, rule := range RulesOf(g).Of(OfStreak, OfXP, OfScore) {
		if slices.ContainsFunc(kept, func(b Badge) bool { return b.Rule == rule.ID }) {
			continue
		}
		if b, ok := earnedToday(rule, me, today); ok {
			now = append(now, b)
		}
	}
	return now
}

func earnedToday(rule Rule, me leaderboard.Me, today game.Date) (b Badge, ok bool) {
	switch rule.Fact {
	case OfStreak:
		for _, s := range me.Streaks {
			if int64(s.Current) >= rule.Bound {
				return rule.Reached(s.Last), true
			}
		}
	case OfXP:
		for _, t := range me.Today { // the badge is of the newest day
			today = t.Date
		}
		return rule.Reached(today), me.XP >= rule.Bound
	case OfScore:
		for _, t := range me.Today {
			if rule.Scores(t.Mode, t.Score) {
				b = rule.Reached(t.Date)
				b.Mode = t.Mode.Name
				return b, true
			}
		}
	}
	return b, false
}

// Ask starts to read a player's badges for GET /v1/me while the caller reads something else. An
// error only makes the badges unavailable. The function that it returns waits for them.
func (b Badges) Ask(ctx context.Context, player string) func(leaderboard.Me) []respond.Part {
	var places []game.Achievement
	var kept []Badge
	var rarities map[string]Rarity
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		if b.history == nil {
			return
		}
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		places, err = b.history.Badges(ctx, player, maxBadges)
		if err == nil && len(RulesOf(b.game)) > 0 {
			kept, rarities, err = b.history.Earned(ctx, player, RulesOf(b.game).IDs(), maxBadges)
		}
		if err != nil {
			b.problems.Warn(ctx, "badges cannot be shown", err)
		}
	}()
	return func(me leaderboard.Me) []respond.Part {
		<-done
		if err != nil {
			return []respond.Part{{Key: "badges", Value: []badgeAnswer{}}, {Key: "badges_unavailable", Value: true}}
		}
		if b.history != nil {
			kept = append(atOnce(b.game, kept, me, b.game.OpenDates(b.now())[0]), kept...)
		}
		all := newBadges(b.game, kept, rarities)
		for _, place := range places {
			all = append(all, newPlaceBadge(b.game, place))
		}
		slices.SortStableFunc(all, func(a, b badgeAnswer) int { return cmp.Compare(b.Earned, a.Earned) })
		return []respond.Part{{Key: "badges", Value: all}}
	}
}
