package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

// PlayerDocument is a page of everything that is kept of a player. Single values are on the
// first page only; lists continue from page to page.
type PlayerDocument struct {
	Player           string            `json:"player"`
	ReadAt           time.Time         `json:"read_at"`
	Sources          []string          `json:"sources"` // redis, database
	Known            bool              `json:"known"`   // something other than entries of the log is kept
	Profile          Profile           `json:"profile"`
	XP               int64             `json:"xp"`
	Level            int64             `json:"level"`
	Streak           *Streak           `json:"streak"`
	DuelRating       *float64          `json:"duel_rating"`
	DuelsBegun       int64             `json:"duels_begun"`
	Groups           []string          `json:"groups"`
	GroupsPlayed     []string          `json:"groups_played"`
	Activity         []ActiveDay       `json:"activity"` // by day and group
	Friends          []KeptRelation    `json:"friends"`
	RequestsReceived []KeptRelation    `json:"requests_received"`
	RequestsSent     []KeptRelation    `json:"requests_sent"`
	Blocked          []string          `json:"blocked"`
	Invites          []KeptInvite      `json:"invites"`
	Devices          []KeptDevice      `json:"devices"`
	Claims           []KeptClaim       `json:"claims"`
	Held             []KeptSubmission  `json:"held"`    // scores that wait for an operator
	Wallets          map[string]Wallet `json:"wallets"` // by currency
	Ban              *Ban              `json:"ban"`     // nil: not banned
	// All of these newest first:
	Results      []KeptResult     `json:"results"`
	Submissions  []KeptSubmission `json:"submissions"`
	Duels        []Duel           `json:"duels"`
	Races        []KeptRace       `json:"races"` // races that have started and are over
	Leagues      []KeptLeague     `json:"leagues"`
	Spends       []KeptSpend      `json:"spends"`
	Badges       []KeptBadge      `json:"badges"` // by the rules of the game
	ScoreAudit   []AuditedScore   `json:"score_audit"`
	Achievements []Badge          `json:"achievements"`
	Audit        []Act            `json:"audit"`
	Next         string           `json:"next"` // the cursor of the next page, for an hour; "" on the last
}

// Profile is what others see of a player.
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

// KeptRelation is a friend or a request, and the other player.
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

// KeptDevice is a device that the player claimed within the last day.
type KeptDevice struct {
	Device    string    `json:"device"`
	ClaimedAt time.Time `json:"claimed_at"`
}

// KeptClaim is a device that the player has ever claimed.
type KeptClaim struct {
	Digest    string      `json:"digest"` // of the device
	ClaimedAt time.Time   `json:"claimed_at"`
	Merged    []MergedDay `json:"merged"`
}

// MergedDay is a day that the player took over with a claim.
type MergedDay struct {
	Mode   string  `json:"mode"`
	Date   string  `json:"date"`
	Status string  `json:"status"`
	Score  float64 `json:"score"`
	Values Values  `json:"values"`
}

// KeptResult is the player's result of one day of one mode.
type KeptResult struct {
	Mode    string          `json:"mode"`
	Date    string          `json:"date"`
	Score   float64         `json:"score"`
	Values  Values          `json:"values"`
	Scopes  []string        `json:"scopes"`
	Details json.RawMessage `json:"details"`
}

// KeptSubmission is a score as it was sent, in games that keep each one.
type KeptSubmission struct {
	KeptResult
	At time.Time `json:"at"`
}

// Wallet is what the player has of one currency.
type Wallet struct {
	Balance int64 `json:"balance"` // what can be spent
	Earned  int64 `json:"earned"`
	Spent   int64 `json:"spent"`
}

// KeptLeague is a week of leagues; a week that is not settled has only a cohort. Tiers, paces
// and cohorts count from 0.
type KeptLeague struct {
	Week      string `json:"week"`
	TierIndex int    `json:"tier_index"`
	Pace      int    `json:"pace"`
	Cohort    int    `json:"cohort"`
	XP        int64  `json:"xp"`
	Rank      int    `json:"rank"`
	Players   int    `json:"players"` // of the cohort
	Zone      string `json:"zone"`    // promotion, stay or relegation
	After     *int   `json:"tier_index_after"`
	Reward    string `json:"reward"`
}

// KeptRace is a race that is over, and how it ended for the player.
type KeptRace struct {
	ID        string      `json:"id"`
	State     string      `json:"state"` // decided or expired
	Mode      string      `json:"mode"`
	Players   []string    `json:"players"` // including the player
	CreatedAt time.Time   `json:"created_at"`
	StartsAt  time.Time   `json:"starts_at"`
	DecidedAt time.Time   `json:"decided_at"`
	Left      bool        `json:"left"`  // gave up
	Score     *float64    `json:"score"` // nil: the player sent none
	Values    Values      `json:"values"`
	Place     int         `json:"place"`  // 0: the race moved no rating
	Rating    *RaceRating `json:"rating"` // nil with place 0
}

// RaceRating is how a race changed a player's rating; unrounded.
type RaceRating struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// KeptSpend is a purchase that was made.
type KeptSpend struct {
	ID       string    `json:"id"`
	Currency string    `json:"currency"`
	Amount   int64     `json:"amount"`
	Item     string    `json:"item"`
	At       time.Time `json:"at"`
}

// KeptBadge is a badge that the player was given by a rule of the game.
type KeptBadge struct {
	ID        string `json:"id"`         // of the rule
	Title     string `json:"title"`      // "" for a rule that the game has no more
	Earned    string `json:"earned"`     // the day, or the last of the period
	Mode      string `json:"mode"`       // of places and scores
	Period    string `json:"period"`     // of places: day, week, month or season
	PeriodKey string `json:"period_key"` // as 2026-W47; "" where it is given once
	Scope     string `json:"scope"`
	Taken     bool   `json:"taken"` // by an operator: it is shown nowhere else
}

// Badge is an award for a place on the board of a period.
type Badge struct {
	Kind      string    `json:"kind"` // champion, podium, top10 or top100
	Mode      string    `json:"mode"`
	Period    string    `json:"period"`
	PeriodKey string    `json:"period_key"`
	Scope     string    `json:"scope"`
	Rank      int64     `json:"rank"`
	AwardedAt time.Time `json:"awarded_at"`
}

// Player reads everything that is kept of a player. cursor is Next of the previous page, ""
// for the first.
func (o Ops) Player(ctx context.Context, player, cursor string) (PlayerDocument, error) {
	q := url.Values{}
	setText(q, "cursor", cursor)
	player, err := segment(player)
	if err != nil {
		return PlayerDocument{}, err
	}
	return askOps[PlayerDocument](ctx, o, http.MethodGet, "/v1/ops/players/"+player, q, nil)
}

// ActiveDay is how many acts name the player, on one day of a group.
type ActiveDay struct {
	Group string `json:"group"`
	Date  string `json:"date"`
	Acts  int64  `json:"acts"`
}
