package leaderboard

import (
	"context"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// lateScores are scores that were written to days that have closed: XP and streaks may have
// taken these days in, and boards that are made from them may be made once an hour only.
type lateScores struct{ s *Store }

// count brings those of the submissions that are late to their players' XP, streaks and own
// cards. It does so whatever became of them: a request that is sent again may have been cut off
// before.
func (l lateScores) count(ctx context.Context, subs ...game.Submission) error {
	players := map[game.Date]map[string]bool{} // of each day
	all := map[string]bool{}
	for _, sub := range subs {
		if !l.has(sub.Date) {
			continue
		}
		if players[sub.Date] == nil {
			players[sub.Date] = map[string]bool{}
		}
		players[sub.Date][sub.Player], all[sub.Player] = true, true
	}
	if len(all) == 0 {
		return nil
	}
	if err := l.s.Rollup.NoteLate(ctx, slices.Sorted(maps.Keys(all))); err != nil {
		return err
	}
	for _, d := range slices.SortedFunc(maps.Keys(players), game.Date.Compare) {
		if err := l.s.XP.CountLate(ctx, d, slices.Sorted(maps.Keys(players[d]))); err != nil {
			return err
		}
		l.s.Windows.Forget(game.XPKey)
		l.s.Totals.Forget(game.XPKey)
	}
	return nil
}

// has reports whether scores of a day are late.
func (l lateScores) has(d game.Date) bool { return l.s.DB.Age(game.Day.Of(d)) >= game.Closed }

// countLate counts the late scores of a batch. If that fails, they are answered with its error:
// they are to be sent again.
func (b *batch) countLate(ctx context.Context) {
	late := lateScores{b.s}
	var written []game.Submission
	for i, sub := range b.subs {
		if b.outcomes[i].Err == nil {
			written = append(written, sub)
		}
	}
	err := late.count(ctx, written...)
	for i, sub := range b.subs {
		if err != nil && b.outcomes[i].Err == nil && late.has(sub.Date) {
			b.outcomes[i].Err = err
		}
	}
}
