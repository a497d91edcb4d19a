package api

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
)

// badgeLists are the endpoints of the badges that players have been given.
type badgeLists struct {
	kernel
	history PlayerHistory // nil: none
}

// Badges of a list.
const (
	usualBadges = 100
	mostBadges  = 500
)

type badgeListAnswer struct {
	Player            string        `json:"player"`
	Badges            []badgeAnswer `json:"badges"`
	BadgesUnavailable bool          `json:"badges_unavailable,omitempty"`
}

// getBadges reads GET /v1/players/{player}/badges: of who is hidden, others see none.
//
// Cost: none.
func (l badgeLists) getBadges(w http.ResponseWriter, r *gate.Request) error {
	q := fields.OpenQuery(r.URL)
	player, own := gate.PathPlayer(r, q)
	most := int(q.Number("limit", usualBadges, 1, mostBadges))
	if err := q.Done(); err != nil {
		return err
	}
	return answers.Public(w, r.Request, answers.CacheOf(own), l.list(r.Context(), player, own, most))
}

// getOwn reads GET /v1/me/badges.
//
// Cost: none.
func (l badgeLists) getOwn(w http.ResponseWriter, r *gate.Request) error {
	q := fields.OpenQuery(r.URL)
	most := int(q.Number("limit", usualBadges, 1, mostBadges))
	if err := q.Done(); err != nil {
		return err
	}
	return answers.Public(w, r.Request, answers.OwnCache, l.list(r.Context(), r.Caller.Player.ID, true, most))
}

// list are a player's badges by the rules of the game.
func (l badgeLists) list(ctx context.Context, player string, own bool, most int) badgeListAnswer {
	answer := badgeListAnswer{Player: player, Badges: []badgeAnswer{}}
	if l.history == nil || len(l.game.Badges) == 0 {
		return answer
	}
	ctx, cancel := context.WithTimeout(ctx, badgePatience)
	defer cancel()
	hidden := false
	var err error
	if !own {
		hidden, err = l.history.Hides(ctx, player)
	}
	var badges []game.Badge
	var rarities map[string]game.Rarity
	if err == nil && !hidden {
		badges, rarities, err = l.history.Earned(ctx, player, l.game.Badges.IDs(), most)
	}
	if err != nil {
		l.problems.Warn(ctx, "badges cannot be told", err)
		answer.BadgesUnavailable = true
		return answer
	}
	answer.Badges = newBadgeAnswers(l.game, badges, rarities)
	return answer
}
