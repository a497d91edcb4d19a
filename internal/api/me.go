package api

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/platform/ops"
)

// me are the endpoints of a player's own data.
type me struct {
	*API
	services Services
}

// routes are the routes of the calling player.
func (m me) routes() []gate.Route {
	return []gate.Route{
		{Function: "me", Pattern: "GET /v1/me", Auth: gate.AnyPlayer, Limit: limit.Boards,
			Price: gate.Price{Most: mePrice, Reserved: MeReserved(m.Game)}, Steady: meSteady(m.Game), Serve: gate.NoQuery(m.getMe)},
		{Function: "me", Pattern: "PATCH /v1/me", Auth: gate.ProfileEditor, Limit: limit.Boards, Body: gate.Required,
			Price: gate.UpTo(8), Steady: 2, BlockedInMaintenance: true, Serve: gate.NoQuery(m.patchMe)},
		// Steady: 13 with a database.
		{Function: "me", Pattern: "DELETE /v1/me", Auth: gate.SignedIn, Limit: limit.Boards,
			Price: gate.Price{Most: erasureMost, Reserved: erasureOf}, Steady: 14, BlockedInMaintenance: true, Serve: gate.NoQuery(m.deleteMe)},
	}
}

// meAnswer is the part of the answer before that of features; a todayList comes after these.
type meAnswer struct {
	Player    string        `json:"player"`
	Profile   profileAnswer `json:"profile"`
	*xpAnswer               // in games that give XP
	Streak    *streakAnswer `json:"streak,omitempty"` // in games that count streaks
}

type todayList struct {
	Today []todayAnswer `json:"today"`
}

// ownAnswer is the part of meAnswer that a score changes.
type ownAnswer struct {
	Player    string        `json:"player"`
	*xpAnswer               // in games that give XP
	Streak    *streakAnswer `json:"streak,omitempty"` // in games that count streaks
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
	asked := make([]func(leaderboard.Me) []respond.Part, len(m.Own))
	for i, ask := range m.Own {
		asked[i] = ask(r.Context(), player.ID)
	}
	current, err := m.Boards.Me(r.Context(), player.ID, gate.CostsMore)
	var parts []respond.Part
	for _, part := range asked {
		parts = append(parts, part(current)...)
	}
	if err != nil {
		return err
	}
	p := current.Profile
	p.Name, p.Picture, p.Country = cmp.Or(p.Name, player.Name), cmp.Or(p.Picture, player.Picture), cmp.Or(p.Country, player.Country)
	own := newOwnAnswer(m.Game, player.ID, current)
	return respond.Public(w, r.Request, respond.OwnCache, respond.With{Parts: parts, Answer: meAnswer{
		Player: own.Player, Profile: profileAnswer(p), xpAnswer: own.xpAnswer, Streak: own.Streak,
	}, Then: todayList{own.Today}})
}

// Standing is a player's XP and streak; a field is nil if the game has none.
type Standing struct {
	XP     *XP
	Streak *Streak
	Today  []Today
}

// The parts of a Standing, as GET /v1/me shows them.
type (
	XP     = xpAnswer
	Streak = streakAnswer
	Today  = todayAnswer
)

// NewStanding makes the standing from a player's current state.
func NewStanding(g *game.Game, current leaderboard.Me) Standing {
	own := newOwnAnswer(g, "", current)
	return Standing{own.xpAnswer, own.Streak, own.Today}
}

func newOwnAnswer(g *game.Game, player string, current leaderboard.Me) ownAnswer {
	answer := ownAnswer{Player: player, Today: newTodayAnswers(current.Today)}
	if g.GivesXP() {
		level := g.Level.Level(current.XP)
		answer.xpAnswer = &xpAnswer{XP: current.XP, Level: level, NextLevelXP: g.Level.XP(level + 1)}
		if current.XPRank > 0 {
			answer.XPRank = &current.XPRank
		}
	}
	if !g.Streak.Off {
		answer.Streak = newStreakAnswer(current.Streak)
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

func newTodayAnswers(today []leaderboard.Today) []todayAnswer {
	rows := make([]todayAnswer, len(today))
	for i, t := range today {
		rows[i] = todayAnswer{t.Mode.Called(), t.Date.String(), t.Rank, json.RawMessage(t.Mode.FormatScore(t.Score)), t.Mode.FormatValues(t.Score)}
	}
	return rows
}

// deleteMe erases the owner of the session token: DELETE /v1/me.
func (m me) deleteMe(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player
	if err := m.Notices.MayWrite(r.Context()); err != nil {
		return err
	}
	fits := func(ctx context.Context) error {
		return gate.CostsMore(ctx, erasureIn(m.Game)-erasureOf)
	}
	did, err := m.services.Removals.EraseOwn(r.Context(), player.ID, lifecycle.ActOf(r.Header.Get(respond.RequestID), player.ID, m.Now()), fits)
	if err != nil {
		return err
	}
	return ops.WriteErasure(w, r, player.ID, did)
}
