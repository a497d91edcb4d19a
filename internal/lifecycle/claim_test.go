package lifecycle_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// merge returns what counts for a player who has played under two ids.
func (m *model) merge(device, player string) {
	theirs, played := m.entries[device]
	own, current := m.entries[player]
	delete(m.entries, device)
	takes := !current
	switch {
	case !played:
		return
	case takes:
	case m.mode.Policy == game.First:
		takes = theirs.at.Before(own.at)
	case m.mode.Policy == game.Latest:
		takes = theirs.at.After(own.at)
	case m.mode.Policy == game.Best:
		takes = m.better(theirs.score, own.score) || theirs.score == own.score && theirs.at.Before(own.at)
	default:
		takes = true
		theirs.score = min(theirs.score+own.score, m.mode.DayMax)
		if own.at.After(theirs.at) {
			theirs.at = own.at
		}
	}
	if takes {
		m.entries[player] = theirs
	}
}

// claim lets a player claim p3, and looks at once, before any refresh. A device that plays on,
// as it can through a process that does not know yet, is claimed again.
func (w *world) claim(t *rapid.T, now time.Time, player string) {
	ctx := context.Background()
	const device = "p3"
	closed := rapid.Bool().Draw(t, "closed before")
	if closed {
		_, err := runDaily(ctx, w.process(t), w.shelf)
		require.NoError(t, err)
	}
	w.k.clock.Set(now.Add(time.Duration(rapid.IntRange(10, 3000).Draw(t, "seconds before")) * time.Second))
	fresh := w.k.process()
	boards := map[string]game.Board{} // boards that the claim must correct
	days := map[*game.Mode][]game.Date{}
	for name, all := range w.history.days {
		m := w.k.mode(name)
		for d := range all {
			end, _ := w.g.Expires(game.Day.Of(d))
			if !now.Before(end.Add(-w.g.Lives.Day / 4)) {
				continue
			}
			days[m] = append(days[m], d)
			for _, b := range w.derived(fresh, m, d) {
				wholeBoard(t, fresh, b, 100)
				if _, played := all[d].entries[device]; played {
					boards[b.Key] = b
				}
			}
		}
	}
	xp, _ := fresh.DB.Game.ModeNamed(game.XPMode)
	xpBoard := game.BoardOf(xp, game.AllTime.Of(game.DateOf(now)), game.Scope{})
	wholeBoard(t, fresh, xpBoard, 100)
	_, err := w.process(t).Repair.Claim(ctx, device, player, w.past)
	require.NoError(t, err)
	for m, dates := range days {
		for _, d := range dates {
			w.history.day(m, d).merge(device, player)
		}
	}
	for _, b := range boards {
		want := w.history.period(b.Mode, b.Period)
		w.holds(t, fresh, device, b, want)
		w.holds(t, fresh, player, b, want)
	}
	if closed { // XP counts a late score when its day has closed again
		want := w.history.xp(w.g)
		w.holds(t, fresh, device, xpBoard, want)
		w.holds(t, fresh, player, xpBoard, want)
		me, err := w.k.process().Boards.Me(ctx, player, nil)
		require.NoError(t, err)
		require.EqualValues(t, want[player], me.XP)
	}
	other := map[string]string{"p1": "p2", "p2": "p1"}[player]
	_, err = w.process(t).Repair.Claim(ctx, device, other, w.past)
	require.ErrorIs(t, err, lifecycle.ErrClaimed)
	w.k.claimsAreIndexed(t)
}

func (w *world) past(_ context.Context, player string) (*lifecycle.ArchivedPlayer, error) {
	return w.shelf.of(player), nil
}

// Whenever a device is claimed, every board at once equals what the days add up to with the
// device's plays as the player's. It stays so through closings, roll-ups and refreshes.
func TestClaimsMergeEveryBoardAtOnce(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		rapid.Check(t, k.claimsMerge)
	})
}

func (k *kit) claimsMerge(t *rapid.T) {
	k.empty()
	l := &life{k: k, g: k.game, scheduled: true, history: history{days: map[string]map[game.Date]*model{}, today: k.today}}
	w := &world{life: l, shelf: newShelf()}
	for range 2 {
		l.processes = append(l.processes, k.process())
	}
	owner := rapid.SampledFrom([]string{"p1", "p2"}).Draw(t, "owner")
	now := time.Date(2026, 12, 20+rapid.IntRange(0, 8).Draw(t, "begin"), 1, 0, 0, 0, time.UTC)
	for range rapid.IntRange(5, 16).Draw(t, "days") {
		k.clock.Set(now)
		for range rapid.IntRange(0, 6).Draw(t, "plays") {
			w.play(t, now)
		}
		if rapid.IntRange(0, 2).Draw(t, "claim") == 0 {
			w.claim(t, now, owner)
		}
		_, err := runDaily(context.Background(), w.process(t), w.shelf)
		require.NoError(t, err)
		now = now.AddDate(0, 0, 1)
		w.expire(now)
	}
	k.claimsAreIndexed(t)
	w.look(t, now)
	for name, days := range w.history.days {
		for d, day := range days {
			if w.g.Closed(game.Day.Of(d), now.AddDate(0, 0, -1)) {
				for player, row := range w.shelf.days[name][d] {
					require.Equal(t, day.entries[player].score, row.Score(), "%s of %s on %s in the archive", player, name, d)
				}
				require.Len(t, w.shelf.days[name][d], len(day.entries))
			}
		}
	}
}
