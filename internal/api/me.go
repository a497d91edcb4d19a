package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/earnings"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/profiles"
)

// Standing is what a player has in the game as a whole.
type Standing interface {
	Me(ctx context.Context, player string, more func(ctx context.Context, commands int) error) (board.Me, error)
}

// ProfileKeeper keeps what others see of players.
type ProfileKeeper interface {
	ChangeProfile(ctx context.Context, player string, change profiles.ProfileChange) (game.Profile, error)
	KeepProfile(ctx context.Context, player string, said game.Profile) error
}

// ProfileHistory keeps what others see of players where it outlives Redis.
type ProfileHistory interface {
	// KeepProfile keeps what others see of a player.
	KeepProfile(ctx context.Context, player string, p game.Profile, at time.Time) error
}

// me are the endpoints of a player's own data.
type me struct {
	kernel
	standing Standing
	profiles ProfileKeeper
	badges   earnings.Badges
	history  ProfileHistory // nil: none
	bans     gate.Bans
	writable gate.Writable
	removals Erasures
}

// keepingTime bounds how long a change waits for the history to know of it.
const keepingTime = 2 * time.Second

// profileAnswer is what a player is told of what others see.
type profileAnswer struct {
	Name    string `json:"name,omitempty"`
	Picture string `json:"picture,omitempty"`
	Country string `json:"country,omitempty"`
	Hidden  bool   `json:"hidden"`
}

type meAnswer struct {
	Player            string           `json:"player"`
	Profile           profileAnswer    `json:"profile"`
	*xpAnswer                          // of games that give any
	Streak            *streakAnswer    `json:"streak,omitempty"` // of games that count them
	Badges            []earnings.Badge `json:"badges"`
	BadgesUnavailable bool             `json:"badges_unavailable,omitempty"`
	Today             []todayAnswer    `json:"today"`
}

// ownAnswer is the part of it that a score changes.
type ownAnswer struct {
	Player    string        `json:"player"`
	*xpAnswer               // of games that give any
	Streak    *streakAnswer `json:"streak,omitempty"` // of games that count them
	Today     []todayAnswer `json:"today"`
}

type xpAnswer struct {
	XP          int64  `json:"xp"`
	Level       int64  `json:"level"`
	NextLevelXP int64  `json:"next_level_xp"`
	XPRank      *int64 `json:"xp_rank"`
}

type streakAnswer struct {
	Current    int     `json:"current"`
	Best       int     `json:"best"`
	LastPlayed *string `json:"last_played"`
	Freezes    int     `json:"freezes"`
}

type todayAnswer struct {
	Mode   string          `json:"mode"`
	Date   string          `json:"date"`
	Rank   int64           `json:"rank"`
	Score  json.RawMessage `json:"score"`
	Values json.RawMessage `json:"values,omitempty"`
}

// getMe reads GET /v1/me.
func (m me) getMe(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player
	if err := fields.OpenQuery(r.URL).Done(); err != nil {
		return err
	}
	badges := m.badges.Ask(r.Context(), player.ID)
	stands, err := m.standing.Me(r.Context(), player.ID, gate.HoldMore)
	told := <-badges
	if err != nil {
		return err
	}
	p := stands.Profile
	if p.Name == "" {
		p.Name = player.Name
	}
	if p.Picture == "" {
		p.Picture = player.Picture
	}
	if p.Country == "" {
		p.Country = player.Country
	}
	own := newOwnAnswer(m.game, player.ID, stands)
	return answers.Public(w, r.Request, answers.OwnCache, meAnswer{
		Player: own.Player, Profile: profileAnswer(p), xpAnswer: own.xpAnswer, Streak: own.Streak,
		Badges: told.Badges(stands), BadgesUnavailable: told.Unavailable, Today: own.Today,
	})
}

func newOwnAnswer(g *game.Game, player string, stands board.Me) ownAnswer {
	answer := ownAnswer{Player: player, Today: newTodayAnswers(stands.Today)}
	if g.GivesXP() {
		level := g.Level.Level(stands.XP)
		answer.xpAnswer = &xpAnswer{XP: stands.XP, Level: level, NextLevelXP: g.Level.XP(level + 1)}
		if stands.XPRank > 0 {
			answer.XPRank = &stands.XPRank
		}
	}
	if !g.Streak.Off {
		answer.Streak = newStreakAnswer(stands.Streak)
	}
	return answer
}

func newStreakAnswer(s game.Streak) *streakAnswer {
	answer := &streakAnswer{Current: s.Current, Best: s.Best, Freezes: s.Freezes}
	if !s.Last.IsZero() {
		last := s.Last.String()
		answer.LastPlayed = &last
	}
	return answer
}

func newTodayAnswers(today []board.Today) []todayAnswer {
	rows := make([]todayAnswer, len(today))
	for i, t := range today {
		rows[i] = todayAnswer{t.Mode.Called(), t.Date.String(), t.Rank, json.RawMessage(t.Mode.FormatScore(t.Score)), t.Mode.FormatValues(t.Score)}
	}
	return rows
}

// changedProfile answers a change of the profile.
type changedProfile struct {
	Player  string        `json:"player"`
	Profile profileAnswer `json:"profile"`
}

// patchMe reads PATCH /v1/me.
func (m me) patchMe(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player
	if err := fields.OpenQuery(r.URL).Done(); err != nil {
		return err
	}
	change, err := readProfileChange(r.Sent)
	if err != nil {
		return err
	}
	if err := gate.MayPlay(r, m.bans, player.ID); err != nil {
		return err
	}
	p, err := m.profiles.ChangeProfile(r.Context(), player.ID, change)
	if err != nil {
		return err
	}
	m.keepProfile(r.Context(), player.ID, p)
	return answers.JSON(w, r.Request, http.StatusOK, changedProfile{player.ID, profileAnswer(p)})
}

// keepProfile has the history know of a change at once. Otherwise it learns it
// when a day that the player has played closes.
func (m me) keepProfile(ctx context.Context, player string, p game.Profile) {
	if m.history == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, keepingTime)
	defer cancel()
	if err := m.history.KeepProfile(ctx, player, p, m.now()); err != nil {
		m.problems.Warn(ctx, "a profile is archived later", err)
	}
}

// readProfileChange reads what a player wants changed, in a form that is fit
// for others' pages as it is.
func readProfileChange(body []byte) (profiles.ProfileChange, error) {
	var c profiles.ProfileChange
	f := fields.Open(body, "")
	c.Name = f.Shown("name", shownName)
	c.Picture = f.Shown("picture", shownPicture)
	c.Country = f.Shown("country", func(code string) (string, error) { return code, game.ValidCountry(code) })
	c.Hidden = f.Flag("hidden")
	if len(f.Values) == 0 && len(f.Faults) == 0 {
		f.Fault("", "this is empty; send what is to be changed of name, picture, country and hidden")
	}
	return c, f.Done()
}

func shownName(name string) (string, error) {
	if fault := auth.NameFault(name); fault != "" {
		return "", errors.New(fault)
	}
	return name, nil
}

func shownPicture(address string) (string, error) {
	shown := auth.ShownPicture(address)
	if shown == "" {
		return "", errors.New("this must be an https address of up to 512 bytes of printable ASCII, with the name of a host and without a user")
	}
	return shown, nil
}
