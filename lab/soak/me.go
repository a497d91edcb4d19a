package soak

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/model"
)

type meBody struct {
	XP     json.Number `json:"xp"`
	Level  int64       `json:"level"`
	Streak struct {
		Current    int     `json:"current"`
		Best       int     `json:"best"`
		LastPlayed *string `json:"last_played"`
		Freezes    int     `json:"freezes"`
	} `json:"streak"`
}

// meMost is how many players' GET /v1/me one look checks.
const meMost = 200

// checkMe reads XP, level and streak as the players see them, which include today.
func (r *run) checkMe(ctx context.Context) error {
	points := map[int32]int64{}
	for _, w := range r.model.Rows(model.Board{Mode: model.XP}) {
		points[w.Player] = w.Score
	}
	var tasks []func(context.Context) error
	rng := r.rng("me", int(r.now.Unix()))
	for _, i := range rng.Perm(len(r.model.IDs))[:min(meMost, len(r.model.IDs))] {
		player := int32(i)
		if r.model.Retired[player] {
			continue
		}
		who, err := r.calls.player(devissuer.Claims{Player: r.model.IDs[i]})
		if err != nil {
			return err
		}
		tasks = append(tasks, func(ctx context.Context) error {
			var got meBody
			switch err := r.calls.Get(ctx, who, "/v1/me", &got); {
			case errors.Is(err, caller.ErrNotFound):
				r.wrong("GET /v1/me of %s: 404", r.model.IDs[player])
			case err != nil:
				return err
			default:
				r.judgeMe(player, points[player], got)
			}
			return nil
		})
	}
	return caller.Together(ctx, r.Workers, tasks)
}

func (r *run) judgeMe(player int32, points int64, got meBody) {
	want := model.StreakOf(r.Game.Streak, r.model.Played(player), game.DateOf(r.now))
	last := ""
	if got.Streak.LastPlayed != nil {
		last = *got.Streak.LastPlayed
	}
	wantLast := ""
	if !want.Last.IsZero() {
		wantLast = want.Last.String()
	}
	id := r.model.IDs[player]
	if xp, ok := model.Scaled(got.XP.String(), 0); !ok || xp != points || got.Level != model.Level(r.Game.Level.Base, points) {
		r.wrong("%s is told %s XP and level %d, must be %d and %d", id, got.XP, got.Level, points, model.Level(r.Game.Level.Base, points))
	}
	if s := got.Streak; s.Current != want.Current || s.Best != want.Best || s.Freezes != want.Freezes || last != wantLast {
		r.wrong("%s is told a streak of %d, best %d, last played %q, freezes %d; must be %d, %d, %q, %d", id,
			s.Current, s.Best, last, s.Freezes, want.Current, want.Best, wantLast, want.Freezes)
	}
}
