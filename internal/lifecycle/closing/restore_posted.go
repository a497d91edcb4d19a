package closing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
)

// posted plays again the submissions of days that have not closed, in their order. This Redis
// may have some of them, and later ones.
func (r *restoring) posted(ctx context.Context) error {
	if !r.game.Outbox {
		return nil
	}
	var last game.Date
	if open := r.game.OpenDates(r.now()); len(open) > 0 {
		last = open[len(open)-1]
	}
	for _, m := range r.modes {
		whole, err := r.c.Archive.Days.Complete(ctx, m.Name, r.oldest(), last)
		if err != nil {
			return err
		}
		for d := r.oldest(); !d.After(last); d = d.AddDays(1) {
			if whole[d] {
				continue
			}
			firsts := firstPlays{}
			err := r.c.Archive.Submissions.OfDay(ctx, m.Name, d, func(page []game.Posted) error { return r.replay(ctx, m, page, firsts) })
			if err == nil && m.Policy == game.First {
				err = r.putFirst(ctx, m, d, firsts)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *restoring) replay(ctx context.Context, m *game.Mode, page []game.Posted, firsts firstPlays) error {
	for some := range slices.Chunk(page, 1000) {
		subs := make([]game.Submission, len(some))
		for i, s := range some {
			subs[i] = game.Submission{
				Mode: m, Player: s.Player, Date: s.Date, Score: m.Decode(s.Stored), At: s.At,
				Scopes: s.Scopes, Details: s.Details, Idempotency: game.IdempotencyRecord{ID: s.Once, Fingerprint: game.FingerprintRestored}, Posted: true,
			}
		}
		for i, o := range r.c.Store.Boards.SubmitBatch(ctx, subs) {
			switch {
			case o.Err == nil:
				r.report.Posted++
			case errors.Is(o.Err, leaderboard.ErrKeyReused): // this Redis has taken it before
			case errors.Is(o.Err, leaderboard.ErrDayTotal), errors.Is(o.Err, control.ErrBanned): // refused, as at the first time
				continue
			default:
				return fmt.Errorf("play %s of %s once more: %w", some[i].StreamID, some[i].Player, o.Err)
			}
			firsts.add(some[i])
		}
	}
	return nil
}

// firstPlays are each player's first play of a mode's day, and the first at each of its
// levels.
type firstPlays map[string]*firstPlay

type firstPlay struct {
	game.Posted
	levels levelPlays
}

func (f firstPlays) add(s game.Posted) {
	first, has := f[s.Player]
	if !has {
		first = &firstPlay{s, levelPlays{}}
		f[s.Player] = first
	} else if s.At.Before(first.At) {
		first.Posted = s
	}
	first.levels.add(s, func(was game.Posted) bool { return s.At.Before(was.At) })
}

// levelPlays are the plays that count for a player at levels.
type levelPlays map[game.Scope]game.Posted

// add makes a play count at its levels, unless an earlier one does.
func (l levelPlays) add(s game.Posted, before func(was game.Posted) bool) {
	for _, scope := range s.Scopes {
		if !scope.OwnEntries() {
			continue
		}
		if was, has := l[scope]; !has || before(was) {
			l[scope] = s
		}
	}
}

// scoped returns the player's results on the written boards besides the day's: from the play
// that counts on the day, and from those at levels.
func (l levelPlays) scoped(s game.Posted) (all []game.ScopedResult) {
	for _, scope := range s.Scopes {
		if !scope.OwnEntries() {
			all = append(all, game.ScopedResult{Scope: scope, Stored: s.Stored})
		}
	}
	for scope, at := range l {
		all = append(all, game.ScopedResult{Scope: scope, Stored: at.Stored})
	}
	return all
}

// putFirst makes first plays count if this Redis already had a later one: playing the first
// again does not replace the later one.
func (r *restoring) putFirst(ctx context.Context, m *game.Mode, d game.Date, firsts firstPlays) error {
	if len(firsts) == 0 {
		return nil
	}
	results := make([]game.Result, 0, len(firsts))
	for player, s := range firsts {
		results = append(results, game.Result{Player: player, Stored: s.Stored, Details: s.Details, Scopes: s.levels.scoped(s.Posted)})
	}
	// Merging again changes nothing, so each run gets its own name.
	run := "outbox-" + strconv.FormatInt(r.now().UnixNano(), 10)
	if err := r.c.Store.Restore.MergeDay(ctx, m, d, results, run, false); err != nil {
		return err
	}
	return r.c.Store.Restore.ForgetMerged(ctx, m, d)
}
