package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

// PlayerDocument is everything that is kept of a player, or a page of it: what is kept
// once stands on the first page alone, lists go on from page to page.
type PlayerDocument struct {
	Player           string           `json:"player"`
	ReadAt           time.Time        `json:"read_at"`
	Sources          []string         `json:"sources"` // redis, database
	Known            bool             `json:"known"`   // whether anything but entries of the log is kept
	Profile          Profile          `json:"profile"`
	XP               int64            `json:"xp"`
	Level            int64            `json:"level"`
	Streak           *Streak          `json:"streak"`
	DuelRating       *float64         `json:"duel_rating"`
	DuelsBegun       int64            `json:"duels_begun"`
	Groups           []string         `json:"groups"`
	GroupsPlayed     []string         `json:"groups_played"`
	Friends          []KeptRelation   `json:"friends"`
	RequestsReceived []KeptRelation   `json:"requests_received"`
	RequestsSent     []KeptRelation   `json:"requests_sent"`
	Blocked          []string         `json:"blocked"`
	Invites          []KeptInvite     `json:"invites"`
	Devices          []KeptDevice     `json:"devices"`
	Claims           []KeptClaim      `json:"claims"`
	Held             []KeptSubmission `json:"held"` // scores that wait for an operator
	Ban              *Ban             `json:"ban"`  // nil: may play
	// Newest first, all of them.
	Results      []KeptResult     `json:"results"`
	Submissions  []KeptSubmission `json:"submissions"`
	Duels        []Duel           `json:"duels"`
	Achievements []Badge          `json:"achievements"`
	Audit        []Act            `json:"audit"`
	Next         string           `json:"next"` // the cursor of the next page, for an hour; "" on the last
}

// Profile is how others see a player.
type Profile struct {
	Name    string `json:"name"`
	Picture string `json:"picture"`
	Country string `json:"country"`
	Hidden  bool   `json:"hidden"`
}

// Streak is how many days in a row somebody has played.
type Streak struct {
	Current    int64  `json:"current"`
	Best       int64  `json:"best"`
	LastPlayed string `json:"last_played"` // a date; "" for never
	Freezes    int64  `json:"freezes"`
}

// KeptRelation is a friend, or who was asked.
type KeptRelation struct {
	Player string    `json:"player"`
	Since  time.Time `json:"since"`
}

// KeptInvite is a code that was given out; the code itself is not kept.
type KeptInvite struct {
	MadeAt    time.Time `json:"made_at"`
	ExpiresAt time.Time `json:"expires_at"`
	UsesLeft  int64     `json:"uses_left"`
}

// KeptDevice is one that was claimed within the last day.
type KeptDevice struct {
	Device    string    `json:"device"`
	ClaimedAt time.Time `json:"claimed_at"`
}

// KeptClaim is a device that was ever claimed.
type KeptClaim struct {
	Digest    string      `json:"digest"` // of the device
	ClaimedAt time.Time   `json:"claimed_at"`
	Merged    []MergedDay `json:"merged"`
}

// MergedDay is a day that a claim took over.
type MergedDay struct {
	Mode   string  `json:"mode"`
	Date   string  `json:"date"`
	Status string  `json:"status"`
	Score  float64 `json:"score"`
	Values Values  `json:"values"`
}

// KeptResult is a day that was played.
type KeptResult struct {
	Mode    string          `json:"mode"`
	Date    string          `json:"date"`
	Score   float64         `json:"score"`
	Values  Values          `json:"values"`
	Scopes  []string        `json:"scopes"`
	Details json.RawMessage `json:"details"`
}

// KeptSubmission is a score as it was sent, where the game keeps each.
type KeptSubmission struct {
	KeptResult
	At time.Time `json:"at"`
}

// Badge is what was won with a period.
type Badge struct {
	Kind      string    `json:"kind"` // champion, podium, top10 or top100
	Mode      string    `json:"mode"`
	Period    string    `json:"period"`
	PeriodKey string    `json:"period_key"`
	Scope     string    `json:"scope"`
	Rank      int64     `json:"rank"`
	AwardedAt time.Time `json:"awarded_at"`
}

// Player reads everything that is kept of a player; cursor is Next of the page
// before, "" for the first.
func (o Ops) Player(ctx context.Context, player, cursor string) (PlayerDocument, error) {
	q := url.Values{}
	setText(q, "cursor", cursor)
	player, err := segment(player)
	if err != nil {
		return PlayerDocument{}, err
	}
	return askOps[PlayerDocument](ctx, o, http.MethodGet, "/v1/ops/players/"+player, q, nil)
}
