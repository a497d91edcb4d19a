package activityreplay

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// settle computes, and compares the boards of a date that is over with the model.
func (r *replay) settle(ctx context.Context, d game.Date) error {
	before := r.spent()
	if err := r.compute(ctx, 0); err != nil {
		return err
	}
	r.report.Computing += r.spent() - before
	r.report.Days++
	for _, mode := range activity.RulesOf(r.o.Game).Modes() {
		everybody, groups := map[string]game.Score{}, map[string]map[string]game.Score{}
		for group := range r.groups {
			groups[group] = map[string]game.Score{}
		}
		for player, day := range r.want[d] {
			everybody[player], groups[day.Group][player] = day.Scores[mode], day.Scores[mode]
		}
		if err := r.compareBoard(ctx, mode, game.Day.Of(d), game.Scope{}, everybody); err != nil {
			return err
		}
		for _, group := range slices.Sorted(maps.Keys(groups)) {
			scope, err := game.GroupScope(group)
			if err != nil {
				return err
			}
			if err := r.compareBoard(ctx, mode, game.Day.Of(d), scope, groups[group]); err != nil {
				return err
			}
		}
	}
	if err := r.compareStreaks(ctx, d); err != nil {
		return err
	}
	if d.Weekday() != time.Sunday {
		return nil
	}
	r.report.Weeks++
	week := game.Week.Of(d)
	for _, mode := range activity.RulesOf(r.o.Game).Modes() {
		want := map[string]game.Score{}
		for _, day := range week.Days() {
			for player, active := range r.want[day] {
				want[player] += active.Scores[mode]
			}
		}
		if err := r.compareBoard(ctx, mode, week, game.Scope{}, want); err != nil {
			return err
		}
	}
	return nil
}

func (r *replay) compareBoard(ctx context.Context, mode string, p game.Period, s game.Scope, want map[string]game.Score) error {
	m, _ := r.o.Game.ModeCalled(mode)
	got, err := r.board(ctx, game.BoardOf(m, p, s))
	r.compare(strings.TrimSpace(mode+" "+p.Key()+" "+s.String()), want, got)
	return err
}

func (r *replay) board(ctx context.Context, b game.Board) (map[string]game.Score, error) {
	parts := r.parts[0].Store()
	if b.Derived() {
		if err := parts.Rollup.Refresh(ctx, b); err != nil {
			return nil, err
		}
	}
	scores := map[string]game.Score{}
	err := parts.DB.EachMember(ctx, b.Key, func(members []redis.Member) error {
		for _, m := range members {
			scores[m.Player] = b.Mode.Decode(m.Stored)
		}
		return nil
	})
	return scores, err
}

func (r *replay) compareStreaks(ctx context.Context, d game.Date) error {
	want, got := map[string]game.Score{}, map[string]game.Score{}
	for player, day := range r.want[d] {
		want[player] = game.Score(day.Streak)
	}
	err := r.parts[0].Store().DB.EachMember(ctx, activity.ActiveKey(d), func(members []redis.Member) error {
		for _, m := range members {
			got[m.Player] = game.Score(m.Stored)
		}
		return nil
	})
	r.compare("streaks "+d.String(), want, got)
	return err
}

func (r *replay) compare(what string, want, got map[string]game.Score) {
	players := maps.Clone(want)
	maps.Copy(players, got)
	for _, player := range slices.Sorted(maps.Keys(players)) {
		w, wanted := want[player]
		g, there := got[player]
		if w == g && wanted == there || len(r.report.Faults) >= mostFaults {
			continue
		}
		r.report.Faults = append(r.report.Faults, fmt.Sprintf("%s: %s has %d (%t), the model %d (%t)", what, player, g, there, w, wanted))
	}
}
