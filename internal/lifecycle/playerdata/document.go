package playerdata

import (
	"encoding/json"
	"time"

	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/game"
)

// Document is a page of everything that is kept of one player. About is on the first page
// only; lists continue from page to page until Next is null.
type Document struct {
	Player  string    `json:"player"`
	ReadAt  time.Time `json:"read_at"`
	Sources []string  `json:"sources"` // which were read: redis, database
	*About
	Results      []Result           `json:"results"`
	Submissions  []Submission       `json:"submissions"`
	Duels        []game.Duel        `json:"-"` // newest first; the API knows how they are shown
	Races        []Race             `json:"races,omitempty"`
	Spends       []game.Spend       `json:"spends,omitempty"`
	Leagues      []League           `json:"leagues,omitempty"`
	Badges       []Badge            `json:"badges,omitempty"` // by the rules of the game
	ScoreAudit   []AuditRow         `json:"score_audit,omitempty"`
	Achievements []game.Achievement `json:"achievements"`
	Acts         []Act              `json:"audit"`
	Next         *string            `json:"next"`
}

// About is the part of a player's data that the first page has once.
type About struct {
	// Known reports whether anything other than entries of the audit is kept.
	Known        bool                `json:"known"`
	Profile      Profile             `json:"profile"`
	XP           *int64              `json:"xp,omitempty"`     // nil: the game gives no XP, and none is kept
	Level        *int64              `json:"level,omitempty"`  // as XP
	Streak       *Streak             `json:"streak,omitempty"` // nil: the game has no streaks, and none is kept
	DuelRating   *float64            `json:"duel_rating"`      // unrounded; null: none yet
	DuelsBegun   int64               `json:"duels_begun"`
	Groups       []string            `json:"groups"`        // the player's present groups
	GroupsPlayed []string            `json:"groups_played"` // all groups that the player has played in
	Friends      []Relation          `json:"friends"`
	Received     []Relation          `json:"requests_received"`
	Sent         []Relation          `json:"requests_sent"`
	Blocked      []string            `json:"blocked"`
	Invites      []friend.OpenInvite `json:"invites"`
	Devices      []Device            `json:"devices"`           // claimed; without an archive in the last day
	Claims       []Claim             `json:"claims"`            // the archive's claims, newest first
	Held         []Held              `json:"held,omitempty"`    // plays that wait for an operator
	Wallets      map[string]Wallet   `json:"wallets,omitempty"` // by currency
	Activity     []ActiveDay         `json:"activity,omitempty"`
	Ban          *game.Ban           `json:"ban"`
}

// ActiveDay is how many acts name the player, on one day of a group.
type ActiveDay struct {
	Group string `json:"group"`
	Date  string `json:"date"`
	Acts  int64  `json:"acts"`
}

// Profile is the name, picture and country that others see.
type Profile struct {
	Name    string `json:"name,omitempty"`
	Picture string `json:"picture,omitempty"`
	Country string `json:"country,omitempty"`
	Hidden  bool   `json:"hidden"`
}

// Streak is a player's streak.
type Streak struct {
	Current    int     `json:"current"`
	Best       int     `json:"best"`
	LastPlayed *string `json:"last_played"`
	Freezes    int     `json:"freezes"`
}

// Relation is another player, and the time since which the relation exists, if known.
type Relation struct {
	Player string     `json:"player"`
	Since  *time.Time `json:"since,omitempty"`
}

// Device is a device that a player has claimed.
type Device struct {
	Device    string    `json:"device"`
	ClaimedAt time.Time `json:"claimed_at"`
}

// Claim is a device that a player has claimed at any time. Only a digest of the device is
// kept.
type Claim struct {
	Digest    string       `json:"digest"`
	ClaimedAt time.Time    `json:"claimed_at"`
	Merged    []ClaimedDay `json:"merged"` // by date and mode
}

// ClaimedDay is what happened to the device's entry of one day.
type ClaimedDay struct {
	Mode   string          `json:"mode"`
	Date   string          `json:"date"`
	Status string          `json:"status"`
	Score  json.RawMessage `json:"score"`
	Values json.RawMessage `json:"values,omitempty"`
}

// Day names a mode's day. The zero Day is before all others.
type Day struct {
	Mode string
	Date string // 2026-11-21
}

// Result is a player's result of one day of one mode.
type Result struct {
	Mode    string          `json:"mode"`
	Date    string          `json:"date"`
	Score   json.RawMessage `json:"score"`
	Values  json.RawMessage `json:"values,omitempty"`
	Scopes  []string        `json:"scopes,omitempty"` // besides the global one
	Details json.RawMessage `json:"details,omitempty"`
}

// Held is a play that waits for an operator.
type Held struct {
	Result
	At time.Time `json:"at"`
}

// Wallet is what a player has of one currency.
type Wallet struct {
	Balance int64 `json:"balance"` // what can be spent
	Earned  int64 `json:"earned"`
	Spent   int64 `json:"spent"`
}

// Race is a race that is over, and how it ended for the player.
type Race struct {
	ID        string          `json:"id"`
	State     game.RaceState  `json:"state"`
	Mode      string          `json:"mode"`
	Players   []string        `json:"players"` // including the player
	CreatedAt time.Time       `json:"created_at"`
	StartsAt  time.Time       `json:"starts_at"`
	DecidedAt time.Time       `json:"decided_at"`
	Left      bool            `json:"left,omitempty"` // gave up
	Score     json.RawMessage `json:"score,omitempty"`
	Values    json.RawMessage `json:"values,omitempty"`
	Place     int             `json:"place,omitempty"` // 1-based; 0: the race moved no rating
	Rating    *RaceRating     `json:"rating,omitempty"`
}

// League is a week of leagues. A week that is not settled has only a cohort.
type League struct {
	Week      string    `json:"week"`
	TierIndex int       `json:"tier_index"` // from 0, as are pace and cohort
	Pace      int       `json:"pace"`
	Cohort    int       `json:"cohort"`
	XP        int64     `json:"xp,omitempty"`
	Rank      int       `json:"rank,omitempty"`
	Players   int       `json:"players,omitempty"` // of the cohort
	Zone      game.Zone `json:"zone,omitempty"`
	After     *int      `json:"tier_index_after,omitempty"`
	Reward    string    `json:"reward,omitempty"`

	monday game.Date
}

// RaceRating is what a race did to a rating, unrounded.
type RaceRating struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// Submission is one score as it was sent, in games that keep each one.
type Submission struct {
	Result
	At time.Time `json:"at"`

	place SubmissionPlace
}

// SubmissionPlace is the place of a submission among those of its player. The zero place comes
// before all others.
type SubmissionPlace struct {
	At       time.Time
	Mode     string
	Date     string
	StreamID string
}

// Act is an entry of the audit.
type Act struct {
	ID     string          `json:"id"`
	At     time.Time       `json:"at"`
	Actor  string          `json:"actor"`
	Action string          `json:"action"`
	Player string          `json:"player,omitempty"`
	Mode   string          `json:"mode,omitempty"`
	Date   string          `json:"date,omitempty"`
	Detail json.RawMessage `json:"detail,omitempty"`
}

func newStreak(s game.Streak) *Streak {
	streak := &Streak{Current: s.Current, Best: s.Best, Freezes: s.Freezes}
	if !s.Last.IsZero() {
		last := s.Last.String()
		streak.LastPlayed = &last
	}
	return streak
}

func newProfile(p game.Profile) Profile { return Profile(p) }

// known reports whether the page has anything besides entries of the audit.
func (d *Document) known() bool {
	a := d.About
	return a.Profile != (Profile{}) || a.XP != nil && *a.XP != 0 || a.Streak != nil && a.Streak.Best > 0 || a.DuelRating != nil || a.DuelsBegun > 0 || a.Ban != nil ||
		len(a.Groups)+len(a.GroupsPlayed)+len(a.Friends)+len(a.Received)+len(a.Sent)+len(a.Blocked)+len(a.Invites)+len(a.Devices)+len(a.Claims)+len(a.Held) > 0 || a.hasWallet() ||
		len(d.Results)+len(d.Submissions)+len(d.Duels)+len(d.Races)+len(d.Spends)+len(d.Leagues)+len(d.Badges)+len(d.Achievements)+len(d.Activity) > 0
}

func (a *About) hasWallet() bool {
	for _, w := range a.Wallets {
		if w != (Wallet{}) {
			return true
		}
	}
	return false
}
