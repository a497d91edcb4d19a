package badge

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
)

// Badges of a list.
const (
	usualBadges = 100
	maxListed   = 500
)

type badgeListAnswer struct {
	Player            string        `json:"player"`
	Badges            []badgeAnswer `json:"badges"`
	BadgesUnavailable bool          `json:"badges_unavailable,omitempty"`
}

// GetBadges reads GET /v1/players/{player}/badges: others see no badges of a hidden player.
//
// Cost: none.
func (b Badges) GetBadges(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	player, own := gate.PathPlayer(r, q)
	most := int(q.Number("limit", usualBadges, 1, maxListed))
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
	most := int(q.Number("limit", usualBadges, 1, maxListed))
	if err := q.Done(); err != nil {
		return err
	}
	return respond.Public(w, r.Request, respond.OwnCache, b.list(r.Context(), r.Caller.Player.ID, true, most))
}

// list returns a player's badges by the rules of the game.
func (b Badges) list(ctx context.Context, player string, own bool, most int) badgeListAnswer {
	answer := badgeListAnswer{Player: player, Badges: []badgeAnswer{}}
	if b.history == nil || len(RulesOf(b.game)) == 0 {
		return answer
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	hidden := false
	var err error
	if !own {
		hidden, err = b.history.Hides(ctx, player)
	}
	var badges []Badge
	var rarities map[string]Rarity
	if err == nil && !hidden {
		badges, rarities, err = b.history.Earned(ctx, player, RulesOf(b.game).IDs(), most)
	}
	if err != nil {
		b.problems.Warn(ctx, "badges cannot be shown", err)
		answer.BadgesUnavailable = true
		return answer
	}
	answer.Badges = newBadges(b.game, badges, rarities)
	return answer
}

// badgeRule is what a player has to do for a badge.
type badgeRule struct {
	ID     string            `json:"id"`
	Title  string            `json:"title"`
	Titles map[string]string `json:"titles,omitempty"` // by language
	For    Fact              `json:"for"`
	Needs  json.RawMessage   `json:"needs"`            // for ranks: the lowest rank that counts
	Within int               `json:"within,omitempty"` // for peers: within how many days in a row
	Mode   string            `json:"mode,omitempty"`   // for ranks, scores; ranks: empty is any
	Period string            `json:"period,omitempty"` // for ranks
	Scope  string            `json:"scope,omitempty"`  // for ranks
	Once   bool              `json:"once,omitempty"`   // for ranks: the first period only
}

func newBadgeRule(g *game.Game, rule Rule) badgeRule {
	answer := badgeRule{ID: rule.ID, Title: rule.Title, Titles: rule.Titles, For: rule.Fact, Within: rule.Within, Mode: rule.Mode, Once: rule.Once}
	answer.Needs = json.RawMessage(strconv.FormatInt(rule.Bound, 10))
	switch rule.Fact {
	case OfScore:
		if m, ok := g.ModeCalled(rule.Mode); ok {
			leading := game.Leading(m)
			answer.Needs = json.RawMessage(leading.Format(game.Score(rule.Bound)))
		}
	case OfRank:
		answer.Period, answer.Scope = rule.Period.String(), rule.Scope.String()
	}
	return answer
}

// Described is what GET /v1/game says of badges.
func (b Badges) Described() []respond.Part {
	if b.history == nil || len(RulesOf(b.game)) == 0 {
		return nil
	}
	rules := make([]badgeRule, len(RulesOf(b.game)))
	for i, rule := range RulesOf(b.game) {
		rules[i] = newBadgeRule(b.game, rule)
	}
	return []respond.Part{{Key: "badges", Value: rules}}
}
