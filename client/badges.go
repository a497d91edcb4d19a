package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

// PlayerBadge is a badge that a player was given.
type PlayerBadge struct {
	ID     string  `json:"id"` // of the game's rule
	Title  string  `json:"title"`
	Earned string  `json:"earned"` // the day, or the last of the period
	Rarity float64 `json:"rarity"` // the share of all players who have the badge; 0: not counted yet
	// Only for badges of places and scores.
	Mode      string `json:"mode"`
	Period    string `json:"period"`     // day, week, month or season
	PeriodKey string `json:"period_key"` // as 2026-W47
	Scope     string `json:"scope"`
	// Only for the badges of places in weeks, months and seasons, which every game gives;
	// lists of badges do not contain them.
	Kind      string `json:"kind"`
	Rank      int64  `json:"rank"`
	AwardedAt string `json:"awarded_at"`
}

// PlayerBadges are a player's badges, newest first.
type PlayerBadges struct {
	Player      string        `json:"player"`
	Badges      []PlayerBadge `json:"badges"`
	Unavailable bool          `json:"badges_unavailable"` // the history is unreachable just now
}

// Badges reads up to limit badges of a player, 1 to 500; 0 is 100. There are none for a hidden
// or unknown player.
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
