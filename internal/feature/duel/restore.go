package duel

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// ErrBusy is returned when duels are decided faster than they can be restored.
var ErrBusy = errors.New("duels are being decided meanwhile; try again")

const (
	// restoreTries is how often Restore tries again for players whose duels were decided
	// meanwhile.
	restoreTries = 5
	// restorePage is how many players one script handles: its arguments must fit the stack of
	// Lua, some 8,000.
	restorePage = 1000
	// restoreDuels is how many duels one script handles; a duel has more fields.
	restoreDuels = 50
)

// RestoreReport counts what a restore has made, or would make.
type RestoreReport struct {
	Ratings int `json:"ratings"` // players whose rating differed from the history's
	XP      int `json:"xp"`      // players whose XP of duels differed
	Duels   int `json:"duels"`   // duels that Redis lacked and should still have
	Open    int `json:"open"`    // duels under way that Redis lacked
	Races   int `json:"races"`   // races that Redis lacked and should still have
}

// Restore restores from the history the ratings, the XP of duels, and the duels that Redis
// should still have. It first hands over the duels that the history does not have yet. Duels
// under way are restored in the state in which they were last handed over. Restore may be
// repeated at any time, even while duels are decided: it never overwrites what Redis has got
// meanwhile. With dryRun it only counts, and counts what is not handed over yet as different.
//
// Errors: ErrNoHistory, ErrBusy.
//
// Cost: that of Keep; for every 1,000 players 2 billed commands, and 3 for what differs; for
// every 50 duels 1, and 3 for each that is missing, and 2 for each of its players; for each
// duel under way 2, and up to 8 for one that is missing.
func (k *Keeper) Restore(ctx context.Context, dryRun bool) (RestoreReport, error) {
	if k.history == nil {
		return RestoreReport{}, ErrNoHistory
	}
	r := &restore{k: k, dryRun: dryRun}
	// First, because they count among the duels that players have begun.
	if err := r.open(ctx); err != nil {
		return r.report, err
	}
	for range restoreTries {
		again, err := r.standings(ctx)
		if err != nil {
			return r.report, err
		}
		if !again {
			err := r.duels(ctx)
			if err == nil {
				r.report.Races, err = k.races.Restore(ctx, dryRun)
			}
			return r.report, err
		}
	}
	return r.report, ErrBusy
}

// restore is one run of Restore.
type restore struct {
	k      *Keeper
	dryRun bool
	report RestoreReport
}

// standings corrects every rating and XP that differs from the history. It changes a rating
// only if it is still what it was before everything was handed to the history, and XP only if
// it is still what it was after that. So no duel that is decided or handed over meanwhile is
// undone or counted twice. again reports that such a change has prevented a correction.
func (r *restore) standings(ctx context.Context) (again bool, err error) {
	ratings, err := r.k.all(ctx, game.DuelKey)
	if err != nil {
		return false, err
	}
	if !r.dryRun {
		if _, err := r.k.Keep(ctx); err != nil {
			return false, err
		}
	}
	xp, err := r.k.all(ctx, game.DuelXPKey)
	if err != nil {
		return false, err
	}
	due, err := r.k.listDue(ctx)
	if err != nil {
		return false, err
	}
	moves := []*moves{{key: game.DuelKey, moved: &r.report.Ratings}, {key: game.DuelXPKey, moved: &r.report.XP}}
	reckoning := r.k.reckoning()
	err = r.k.standings(ctx, due, func(page []Standing) error {
		for _, p := range page {
			should := reckoning.archivedRating(p)
			if stood, there := ratings[p.Player]; !there || reckoning.entry(stood) != should {
				moves[0].add(p.Player, ratings, should.Stored())
			}
			if _, has := xp[p.Player]; has || p.XP > 0 {
				moves[1].add(p.Player, xp, float64(p.XP))
			}
		}
		return nil
	})
	if err != nil || r.dryRun {
		moves[0].count()
		moves[1].count()
		return false, err
	}
	// Duels may have been added to the list meanwhile. If the history already has one of
	// them, its XP would count a second time when it leaves the list.
	now, err := r.k.listDue(ctx)
	if err != nil {
		return false, err
	}
	known, err := r.k.history.HasAny(ctx, slices.DeleteFunc(now, func(id string) bool { return slices.Contains(due, id) }))
	if err != nil || known {
		return known, err
	}
	for _, m := range moves {
		overtaken, err := r.move(ctx, m)
		if err != nil {
			return false, err
		}
		again = again || overtaken
	}
	if r.k.rules.Decay != nil { // the restored entries may not be settled for this week
		if _, err := r.k.redis.Do(ctx, upstash.Cmd("DEL", game.RefreshKey(game.DuelKey, reckoning.week)).Idempotent()); err != nil {
			return false, fmt.Errorf("have ratings settled again: %w", err)
		}
	}
	return again, r.begun(ctx)
}

// moves are changes to entries of a board.
type moves struct {
	key   string
	args  []string // player, old value (empty: no entry), new value
	moved *int
}

func (m *moves) add(player string, current map[string]float64, should float64) {
	was := ""
	if stood, there := current[player]; there {
		if stood == should {
			return
		}
		was = game.FormatStored(stood)
	}
	m.args = append(m.args, player, was, game.FormatStored(should))
}

func (m *moves) count() { *m.moved += len(m.args) / 3 }

func (r *restore) move(ctx context.Context, m *moves) (overtaken bool, err error) {
	for some := range slices.Chunk(m.args, 3*restorePage) {
		reply, err := r.k.redis.Do(ctx, redis.MoveEntries(m.key, some))
		if err != nil {
			return false, fmt.Errorf("restore %s: %w", m.key, err)
		}
		others, err := redis.Count(reply, "how many entries are something else")
		if err != nil {
			return false, fmt.Errorf("restore %s: %w", m.key, err)
		}
		*m.moved += len(some)/3 - int(others)
		overtaken = overtaken || others > 0
	}
	return overtaken, nil
}
