package badge

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
)

// Badges of a list.
const (
	usualBadges = 100
	mostBadges  = 500
)

type badgeListAnswer struct {
	Player            string  `json:"player"`
	Badges            []Badge `json:"badges"`
	BadgesUnavailable bool    `json:"badges_unavailable,omitempty"`
}

// GetBadges reads GET /v1/players/{player}/badges: others see no badges of a hidden player.
//
// Cost: none.
func (b Badges) GetBadges(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	player, own := gate.PathPlayer(r, q)
	most := int(q.Number("limit", usualBadges, 1, mostBadges))
	if err := q.Done(); err != nil {
		return err
	}
	return respond.Public(w, r.Request, respond.CacheOf(w, own), b.list(r.Context(), player, own, most))
}

// GetOwnBadges reads GET /v1/me/badges.
//
// Cost: none.
func (b Badges) GetOwnBadges(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	most := int(q.Number("limit", usualBadges, 1, mostBadges))
	if err := q.Done(); err != nil {
		return err
	}
	return respond.Public(w, r.Request, respond.OwnCache, b.list(r.Context(), r.Caller.Player.ID, true, most))
}

// list returns a player's badges by the rules of the game.
func (b Badges) list(ctx context.Context, player string, own bool, most int) badgeListAnswer {
	answer := badgeListAnswer{Player: player, Badges: []Badge{}}
	if b.history == nil || len(b.game.Badges) == 0 {
		return answer
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	hidden := false
	var err error
	if !own {
		hidden, err = b.history.Hides(ctx, player)
	}
	var badges []game.Badge
	var rarities map[string]game.Rarity
	if err == nil && !hidden {
		badges, rarities, err = b.history.Earned(ctx, player, b.game.Badges.IDs(), most)
	}
	if err != nil {
		b.problems.Warn(ctx, "badges cannot be told", err)
		answer.BadgesUnavailable = true
		return answer
	}
	answer.Badges = newBadges(b.game, badges, rarities)
	return answer
}
