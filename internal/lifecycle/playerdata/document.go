package playerdata

import (
	"encoding/json"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
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
	Achievements []game.Achievement `json:"achievements"`
	Acts         []Act              `json:"audit"`
	Next         *string            `json:"next"`
	Features     Fields             `json:"-"` // of the sources; as JSON, fields beside the others
}

// MarshalJSON writes the fields of features beside the others.
func (d Document) MarshalJSON() ([]byte, error) {
	type plain Document
	return lifecycle.WithFields(plain(d), d.Features)
}

// About is the part of a player's data that the first page has once.
type About struct {
	// Known reports whether anything other than entries of the audit is kept.
	Known        bool      `json:"known"`
	Profile      Profile   `json:"profile"`
	XP           *int64    `json:"xp,omitempty"`     // nil: the game gives no XP, and none is kept
	Level        *int64    `json:"level,omitempty"`  // as XP
	Streak       *Streak   `json:"streak,omitempty"` // nil: the game has no streaks, and none is kept
	GroupsPlayed []string  `json:"groups_played"`    // all groups that the player has played in
	Devices      []Device  `json:"devices"`          // claimed; without an archive in the last day
	Claims       []Claim   `json:"claims"`           // the archive's claims, newest first
	Ban          *game.Ban `json:"ban"`
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

// isKnown reports whether the page has anything besides entries of the audit.
func (d *reading) isKnown() bool {
	a := d.About
	return d.anything || a.Profile != (Profile{}) || a.XP != nil && *a.XP != 0 || a.Streak != nil && a.Streak.Best > 0 || a.Ban != nil ||
		len(a.GroupsPlayed)+len(a.Devices)+len(a.Claims) > 0 || len(d.Results)+len(d.Submissions)+len(d.Achievements) > 0
}
