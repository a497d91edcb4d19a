package client

import (
	"context"
	"net/http"
	"time"
)

// Game describes the game of the deployment.
type Game struct {
	Name      string     `json:"name"`
	Day       string     `json:"day"` // utc, or local: each player has their own midnight
	Modes     []Mode     `json:"modes"`
	OpenDates []OpenDate `json:"open_dates"`
	Level     Level      `json:"level"`
	Leagues   *Leagues   `json:"leagues"` // nil: the game has none
	// Features that are on: xp, streaks, duels, seasons, devices, friends, history.
	Features []string `json:"features"`
	Groups   []string `json:"groups"` // that the game file names
	// Badges are the rules by which players are given badges.
	Badges []BadgeRule `json:"badges"`
}

// BadgeRule is a rule for a badge.
type BadgeRule struct {
	ID     string            `json:"id"`
	Title  string            `json:"title"`
	Titles map[string]string `json:"titles"` // by language, such as pt-BR; empty: Title is for all
	For    string            `json:"for"`    // rank, score, streak, days, xp, wins or peers
	Needs  float64           `json:"needs"`  // how much of it; for a rank, the lowest that counts
	Within int               `json:"within"` // for peers: days in a row
	Mode   string            `json:"mode"`   // of ranks and scores; of ranks "": any
	Period string            `json:"period"` // for ranks
	Scope  string            `json:"scope"`  // for ranks
	Once   bool              `json:"once"`   // for ranks: only for the first period
}

// Leagues are the rules of weekly leagues.
type Leagues struct {
	Tiers    []string `json:"tiers"` // the lowest first
	Size     int      `json:"size"`  // players of a full cohort
	Promote  int      `json:"promote"`
	Relegate int      `json:"relegate"`
	Rewards  []string `json:"rewards"` // by place
}

// Mode is one kind of play, with boards of its own.
type Mode struct {
	Name     string            `json:"name"`
	Title    string            `json:"title"`
	Titles   map[string]string `json:"titles"` // by language, such as pt-BR; empty: Title is for all
	Policy   string            `json:"policy"` // what a second score of a day does: first, best, latest or sum
	Order    string            `json:"order"`  // desc: the highest leads; asc
	Decimals int               `json:"decimals"`
	Min      float64           `json:"min"`
	Max      float64           `json:"max"`
	// Values are the values that the mode ranks by if it has several, the most significant
	// first; Decimals, Min and Max are then those of the number that they are packed into.
	Values        []Value   `json:"values"`
	Ties          string    `json:"ties"`      // earliest, or shared
	Scopes        []string  `json:"scopes"`    // country, region, group, groups
	Levels        int       `json:"levels"`    // 0: none
	Aggregate     string    `json:"aggregate"` // what a week makes of its days: sum, max, min or last
	Rolling       bool      `json:"rolling"`   // there are boards of the last 7 and 30 days
	Decay         *Decay    `json:"decay"`     // nil: all time does not decay
	Details       bool      `json:"details"`
	Authoritative bool      `json:"authoritative"` // takes scores only from game servers
	Computed      bool      `json:"computed"`      // from what players do: nobody submits scores
	Points        *Points   `json:"points"`        // nil: the mode is not computed
	Unavailable   bool      `json:"unavailable"`   // scores are queued here, and the mode needs plays
	Play          *PlayRule `json:"play"`          // nil: players need no play
}

// Points are how the points of a day come about in a computed mode: from counters, or from other
// modes.
type Points struct {
	Counters []Counter `json:"counters"`
	Modes    []string  `json:"modes"`  // whose points are added up
	Streak   *Bonus    `json:"streak"` // nil: streaks do not count
}

// Counter is one thing that players do.
type Counter struct {
	Name   string            `json:"name"`
	Title  string            `json:"title"`  // for display; empty: the name
	Titles map[string]string `json:"titles"` // by language, such as pt-BR; empty: Title is for all
	Weight float64           `json:"weight"` // points for each
	Cap    int64             `json:"cap"`    // how many of a day count; 0: all
}

// Bonus multiplies points by 1 on the first day of a streak, growing to Times on day Days.
type Bonus struct {
	Days  int     `json:"days"`
	Times float64 `json:"times"`
}

// Decay is how the scores of a mode's all time decay.
type Decay struct {
	Factor float64 `json:"factor"` // what remains of a score each time
	Days   int     `json:"days"`   // how many days apart, from Monday, 1 January 2024
}

// PlayRule describes the plays of a mode.
type PlayRule struct {
	Life    int64  `json:"life"`    // seconds for which a play is valid
	Proof   string `json:"proof"`   // what scores are worked out from; "" where players tell them
	Seconds int    `json:"seconds"` // how long a challenge takes; 0: as long as the player likes
	Keys    int    `json:"keys"`    // largest number of key downs in a proof
}

// OpenDate is a date that takes scores now.
type OpenDate struct {
	Date     string    `json:"date"`
	OpensAt  time.Time `json:"opens_at"`
	ClosesAt time.Time `json:"closes_at"`
}

// Level is how levels follow from XP: level n begins at Base·n² XP.
type Level struct {
	Base int64 `json:"base"`
}

// Game reads the description of the game. It costs no Redis command.
func (c *Client) Game(ctx context.Context) (Game, error) {
	return ask[Game](ctx, c, Request{Method: http.MethodGet, Path: "/v1/game"})
}
