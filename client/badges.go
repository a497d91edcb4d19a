package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

// PlayerBadge is what a player was given.
type PlayerBadge struct {
	ID     string  `json:"id"` // of the rule of the game
	Title  string  `json:"title"`
	Earned string  `json:"earned"` // the day, or the last of the period
	Rarity float64 `json:"rarity"` // the share of all players who have it; 0: not counted yet
	// Of places and scores.
	Mode      string `json:"mode"`
	Period    string `json:"period"`     // day, week, month or season
	PeriodKey string `json:"period_key"` // as 2026-W47
	Scope     string `json:"scope"`
	// Of the places of weeks, months and seasons that every game gives; lists of badges
	// have none of these.
	Kind      string `json:"kind"`
	Rank      int64  `json:"rank"`
	AwardedAt string `json:"awarded_at"`
}

// PlayerBadges are a player's, newest first.
type PlayerBadges struct {
	Player      string        `json:"player"`
	Badges      []PlayerBadge `json:"badges"`
	Unavailable bool          `json:"badges_unavailable"` // the history cannot be reached just now
}

// Badges reads up to limit badges of a player, 1 to 500; 0 is 100. Of a player who is
// hidden, or of whom nothing is known, there are none.
func (c *Client) Badges(ctx context.Context, player string, limit int) (PlayerBadges, error) {
	player, err := segment(player)
	if err != nil {
		return PlayerBadges{}, err
	}
	q := url.Values{}
	if limit > 0 {
		q.Set("limit", fmt.Sprint(limit))
	}
	return ask[PlayerBadges](ctx, c, Request{Method: http.MethodGet, Path: "/v1/players/" + player + "/badges", Query: q})
}
