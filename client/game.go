package client

import (
	"context"
	"net/http"
	"time"
)

// Game is what the deployment's game is.
type Game struct {
	Name      string     `json:"name"`
	Day       string     `json:"day"` // utc, or local where everybody has their own midnight
	Modes     []Mode     `json:"modes"`
	OpenDates []OpenDate `json:"open_dates"`
	Level     Level      `json:"level"`
	Leagues   *Leagues   `json:"leagues"` // nil: the game has none
	// Features that are on: xp, streaks, duels, seasons, devices, friends, history.
	Features []string `json:"features"`
	Groups   []string `json:"groups"` // that the game file names
	// Badges are what players are given badges for.
	Badges []BadgeRule `json:"badges"`
}

// BadgeRule is what a badge takes.
type BadgeRule struct {
	ID     string  `json:"id"`
	Title  string  `json:"title"`
	For    string  `json:"for"`    // rank, score, streak, days, xp, wins or peers
	Needs  float64 `json:"needs"`  // how much of it; of a rank the lowest that counts
	Within int     `json:"within"` // of peers: days in a row
	Mode   string  `json:"mode"`   // of ranks and scores; of ranks "": any
	Period string  `json:"period"` // of ranks
	Scope  string  `json:"scope"`  // of ranks
	Once   bool    `json:"once"`   // of ranks: for the first period alone
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
	Name     string  `json:"name"`
	Title    string  `json:"title"`
	Policy   string  `json:"policy"` // what a second score of a day does: first, best, latest or sum
	Order    string  `json:"order"`  // desc: the highest leads; asc
	Decimals int     `json:"decimals"`
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	// Values are what it ranks by where that is several, the first to decide first;
	// Decimals, Min and Max are then of the number that they are packed into.
	Values        []Value   `json:"values"`
	Ties          string    `json:"ties"`      // earliest, or shared
	Scopes        []string  `json:"scopes"`    // country, region, group, groups
	Levels        int       `json:"levels"`    // 0: none
	Aggregate     string    `json:"aggregate"` // what a week makes of its days: sum, max, min or last
	Rolling       bool      `json:"rolling"`   // there are boards of the last 7 and 30 days
	Decay         *Decay    `json:"decay"`     // nil: all time does not forget
	Details       bool      `json:"details"`
	Authoritative bool      `json:"authoritative"` // takes scores from game servers alone
	Computed      bool      `json:"computed"`      // from what players do: nobody submits to it
	Play          *PlayRule `json:"play"`          // nil: players need none
}

// Decay is how a mode's all time forgets.
type Decay struct {
	Factor float64 `json:"factor"` // what is left of a score each time
	Days   int     `json:"days"`   // after how many, counted from Monday, 1 January 2024
}

// PlayRule is what a player's score of a mode needs.
type PlayRule struct {
	Life    int64  `json:"life"`    // seconds for which a play is good
	Proof   string `json:"proof"`   // what scores are worked out from; "" where players tell them
	Seconds int    `json:"seconds"` // how long a challenge takes; 0: as long as the player likes
	Keys    int    `json:"keys"`    // key downs that a proof may have
}

// OpenDate is a date that takes scores now.
type OpenDate struct {
	Date     string    `json:"date"`
	OpensAt  time.Time `json:"opens_at"`
	ClosesAt time.Time `json:"closes_at"`
}

// Level says how XP make levels: level n begins at Base·n² XP.
type Level struct {
	Base int64 `json:"base"`
}

// Game reads what game it is. It costs no Redis command.
func (c *Client) Game(ctx context.Context) (Game, error) {
	return ask[Game](ctx, c, Request{Method: http.MethodGet, Path: "/v1/game"})
}
