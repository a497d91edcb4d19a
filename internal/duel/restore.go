package duel

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// ErrBusy is returned when duels are decided faster than they can be restored.
var ErrBusy = errors.New("duels are being decided meanwhile; try again")

const (
	// restoreTries is how often players are looked at again whose duels were
	// decided meanwhile.
	restoreTries = 5
	// restorePage is how many players, or duels, one script deals with: its
	// arguments must fit the stack of Lua, some 8,000.
	restorePage = 1000
	// restoreDuels is the same for duels, which have more fields.
	restoreDuels = 50
)

// Restored counts what a restore has made, or would make.
type Restored struct {
	Ratings int `json:"ratings"` // players whose rating was not the one of the history
	XP      int `json:"xp"`      // players whose XP of duels was not
	Duels   int `json:"duels"`   // that Redis did not know and still should
	Open    int `json:"open"`    // under way, that Redis did not know
	Races   int `json:"races"`   // that Redis did not know and still should
}

// Restore makes ratings, the XP of duels and the duels that Redis still should
// know again from the history. Duels that have not been handed to it are handed
// over first. Duels under way are made again as they were when they were last
// handed over. It may be repeated at any time, while duels are decided too:
// what Redis has got meanwhile is never put back. With dryRun it only tells
// what would be made, and takes what has not been handed over for a difference.
//
// Errors: ErrNoHistory, ErrBusy.
//
// Cost: that of Keep; for every 1,000 players 2 billed commands, and 3 for what
// differs; for every 50 duels 1, and 3 for each that is missing, and 2 for each
// of its players; for each duel under way 2, and up to 8 for one that is missing.
func (k *Keeper) Restore(ctx context.Context, dryRun bool) (Restored, error) {
	if k.history == nil {
		return Restored{}, ErrNoHistory
	}
	r := &restore{k: k, dryRun: dryRun}
	// First: they count among the duels that players have begun.
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
	report Restored
}

// standings moves every rating and XP that is not what the history says.
// A rating is moved from what it was before everything was handed to the
// history, and XP from what it was after: so neither takes a duel back, or in
// twice, that is decided or handed over meanwhile. It reports again where that
// was so.
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
	due, err := r.k.due(ctx)
	if err != nil {
		return false, err
	}
	moves := []*moves{{key: game.DuelKey, moved: &r.report.Ratings}, {key: game.DuelXPKey, moved: &r.report.XP}}
	reckoning := r.k.reckoning()
	err = r.k.standings(ctx, due, func(page []Standing) error {
		for _, p := range page {
			should := reckoning.kept(p)
			if stood, there := ratings[p.Player]; !there || reckoning.entry(stood) != should {
				moves[0].to(p.Player, ratings, should.Stored())
			}
			if _, has := xp[p.Player]; has || p.XP > 0 {
				moves[1].to(p.Player, xp, float64(p.XP))
			}
		}
		return nil
	})
	if err != nil || r.dryRun {
		moves[0].count()
		moves[1].count()
		return false, err
	}
	// Duels that came onto the list meanwhile: had the history one of them
	// already, its XP would count once more when it leaves the list.
	now, err := r.k.due(ctx)
	if err != nil {
		return false, err
	}
	known, err := r.k.history.HasDuels(ctx, slices.DeleteFunc(now, func(id string) bool { return slices.Contains(due, id) }))
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
	if r.k.rules.Decay != nil { // what was put back may not be in the order of this week
		if _, err := r.k.redis.Do(ctx, upstash.Cmd("DEL", game.RefreshKey(game.DuelKey, reckoning.week)).Idempotent()); err != nil {
			return false, fmt.Errorf("have ratings settled anew: %w", err)
		}
	}
	return again, r.begun(ctx)
}

// moves are entries of a board that are to be others.
type moves struct {
	key   string
	args  []string // player, what it was (empty: nothing), what it is to be
	moved *int
}

func (m *moves) to(player string, stands map[string]float64, should float64) {
	was := ""
	if stood, there := stands[player]; there {
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
		reply, err := r.k.redis.Do(ctx, rdb.MoveEntries(m.key, some))
		if err != nil {
			return false, fmt.Errorf("restore %s: %w", m.key, err)
		}
		others, err := rdb.Count(reply, "how many entries are something else")
		if err != nil {
			return false, fmt.Errorf("restore %s: %w", m.key, err)
		}
		*m.moved += len(some)/3 - int(others)
		overtaken = overtaken || others > 0
	}
	return overtaken, nil
}
