package closing_test

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

const fading = `
name: testing
refresh: 1s
modes:
  first: {max: 1000, xp: 1.5, scopes: [country, region, group], details: true, decay: {factor: 0.95}}
  coins: {policy: sum, max: 500, day_max: 5000, scopes: [group], decay: {factor: 0.7, every: 7d}}
seasons:
  - {name: turn, first: 2026-12-30, last: 2027-01-06}
`

// left adds up the archive's results of a mode as they count today: each day multiplied by the
// factor for every step that has begun since. It counts in 1024ths, without any other
// rounding.
func (k *kit) left(kept *archive.Archive, m *game.Mode, of game.Scope) map[string]float64 {
	ctx := context.Background()
	exact := map[string]*big.Rat{}
	today := k.game.Today(k.now)
	for d := monday; !d.After(today); d = d.AddDays(1) {
		weight := big.NewRat(1, 1)
		for next := d.AddDays(1); !next.After(today); next = next.AddDays(1) {
			if next.DaysSince(monday)%m.Decay.Every == 0 {
				weight.Mul(weight, big.NewRat(m.Decay.Factor, game.DecayUnit))
			}
		}
		require.NoError(k.t, kept.Results.OfDay(ctx, m.Name, d, func(rows []game.Result) error {
			for _, r := range rows {
				stored, on := r.Stored, of == game.Scope{}
				for _, scoped := range r.Scopes {
					if scoped.Scope == of {
						stored, on = scoped.Stored, true
					}
				}
				if !on {
					continue
				}
				if exact[r.Player] == nil {
					exact[r.Player] = new(big.Rat)
				}
				score := new(big.Rat).SetInt64(int64(m.Decode(stored)))
				exact[r.Player].Add(exact[r.Player], score.Mul(score, weight))
			}
			return nil
		}))
	}
	totals := map[string]float64{}
	for player, sum := range exact {
		totals[player], _ = sum.Float64()
	}
	return totals
}

// decays asserts that the board of all time equals what is left of the archive's results.
func (k *kit) decays(when string) {
	k.t.Helper()
	red, err := game.GroupScope("red")
	require.NoError(k.t, err)
	kept, store := k.archive(), k.process().Store
	for _, m := range k.game.Modes {
		for _, scope := range []game.Scope{{}, red} {
			b := game.BoardOf(m, game.AllTime.Of(k.game.Today(k.now)), scope)
			page, err := store.Boards.Page(context.Background(), b, game.PageRequest{Limit: 100})
			require.NoError(k.t, err)
			want := k.left(kept, m, scope)
			require.Len(k.t, page.Entries, len(want), "%s %s", b.Key, when)
			for _, e := range page.Entries {
				require.InDelta(k.t, want[e.Player], e.Stored, 1.0/1024, "%s of %s %s", b.Key, e.Player, when)
			}
		}
	}
}

// The archive agrees to the last bit with the rolled-up days that Redis keeps, through a
// removal of one of them and a loss of Redis. With another factor, a restore makes them again.
func TestWhatDecaysIsInTheArchiveAndIsMadeAgainByAnyFactor(t *testing.T) {
	onEngines(t, func(k *kit) {
		ctx := context.Background()
		k.game = testkit.Game(k.t, fading)
		k.playDays(monday, 16, 6)
		k.at(monday.AddDays(16), 9, 0)
		k.decays("as it was played")
		k.agree()

		m, rolledUp := k.mode("first"), monday.AddDays(3)
		var player string
		require.NoError(k.t, k.archive().Results.OfDay(ctx, m.Name, rolledUp, func(rows []game.Result) error {
			player = rows[0].Player
			return nil
		}))
		rows, err := k.archive().Results.Of(ctx, player, monday, monday.AddDays(16))
		require.NoError(k.t, err)
		_, err = k.process().Store.Repair.RemoveScore(ctx, m, rolledUp, player, &lifecycle.ArchivedPlayer{Results: rows})
		require.NoError(k.t, err)
		_, err = k.archive().Results.Delete(ctx, m.Name, rolledUp, player, game.Act{ID: "gone", At: k.now, Actor: "op"})
		require.NoError(k.t, err)
		k.decays("without a score")
		k.agree()

		restore := func() {
			k.t.Helper()
			_, err := k.process().Restore(ctx, closing.RestoreOptions{})
			require.NoError(k.t, err)
		}
		_, err = k.server.Redis().Do(ctx, "FLUSHALL")
		require.NoError(k.t, err)
		restore()
		k.decays("after a loss")
		k.agree()

		k.game = testkit.Game(k.t, strings.NewReplacer("0.95", "0.9", "every: 7d", "every: 14d").Replace(fading))
		k.now = k.now.Add(time.Hour)
		var differences []string
		_, err = k.process().Verify(ctx, func(d lifecycle.Difference) { differences = append(differences, d.Key) })
		require.NoError(k.t, err)
		require.Contains(k.t, fmt.Sprint(differences), "folded:lb:first:alltime", "it is seen until it is made again")
		restore()
		k.decays("by another factor")
		k.agree()
		k.playDays(monday.AddDays(16), 3, 6)
		k.now = k.now.Add(time.Hour)
		k.decays("three days later")
		k.agree()
	})
}
