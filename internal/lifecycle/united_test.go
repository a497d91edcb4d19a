package lifecycle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

// A card of a week that is read as a union of its days equals the card of the stored week.
func TestAUnitedWeekIsTheWeekThatIsStored(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			monday := game.Week.Of(game.DateOf(noon)).First().AddDays(-7).Midnight()
			k.elapsed = func() time.Duration { return k.clock.Now().Sub(monday) }
			mode := rapid.SampledFrom([]string{"first", "best", "fastest", "latest", "coins", "shared", "shared_best", "shared_fastest", "golf"}).Draw(rt, "mode")
			at := monday
			for i := range rapid.IntRange(1, 40).Draw(rt, "plays") {
				at = at.Add(time.Duration(rapid.IntRange(1, 8*3600).Draw(rt, "seconds")) * time.Second)
				k.clock.Set(at)
				sub := k.play(mode, fmt.Sprint("p", rapid.IntRange(0, 9).Draw(rt, "player")), game.Score(rapid.IntRange(1, 6).Draw(rt, "score")))
				sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(i), Fingerprint: "f"}
				_, err := k.process().Boards.Submit(rt.Context(), sub)
				require.NoError(rt, err)
			}
			k.clock.Set(at.Add(3 * time.Minute)) // by then a stored board has what was just played, too
			stores, unites := k.process(), k.process()
			stores.Rollup.UniteUpTo = 0
			b := weekBoard(k, stores, mode)
			earlier, _ := b.Period.Previous()
			require.NoError(rt, stores.Rollup.Refresh(rt.Context(), game.BoardOf(b.Mode, earlier, game.Scope{})))
			for i := range 10 {
				k.clock.Pass(time.Minute)
				player := fmt.Sprint("p", i)
				want, wantErr := stores.Boards.Card(rt.Context(), b, player)
				got, err := unites.Boards.Card(rt.Context(), b, player)
				require.Equal(rt, wantErr, err)
				want.UpdatedAt = got.UpdatedAt
				require.Equal(rt, want, got)
			}
		})
	})
}

// A card of a small week costs the union of its days, and the rank in the week before. The
// week is not stored.
func TestACardOfASmallWeekCostsTwoCommands(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := t.Context()
		k.elapsed = func() time.Duration { return k.clock.Now().Sub(noon) }
		for i := range 40 {
			_, err := k.process().Boards.Submit(ctx, k.play("best", fmt.Sprint("p", i), game.Score(i)))
			require.NoError(t, err)
		}
		p := k.process()
		card := func(player string) (card game.Standing, commands, trips int64) {
			commands, trips = p.spent(func() {
				var err error
				card, err = p.Boards.Card(ctx, weekBoard(k, p, "best"), player)
				require.NoError(t, err)
			})
			return card, commands, trips
		}
		_, commands, trips := card("p7")
		require.Equal(t, []int64{5, 3}, []int64{commands, trips}, "and the sizes of two days, and the name")
		for i := range 5 {
			k.clock.Pass(time.Second)
			_, err := k.process().Boards.Submit(ctx, k.play("best", "p7", game.Score(50+i)))
			require.NoError(t, err)
			got, commands, trips := card("p7")
			require.Equal(t, []int64{2, 1}, []int64{commands, trips})
			require.Equal(t, game.Score(50+i), got.Score, "what was just played")
			require.Equal(t, []int64{1, 40}, []int64{got.Rank, got.Total})
		}
		require.EqualValues(t, 0, k.redis.Do("EXISTS", weekBoard(k, p, "best").Key))
		_, commands, _ = card("p7")
		require.Greater(t, commands, int64(2), "so soon after the last one Redis is not kept busy: the week is made for all")
		require.EqualValues(t, 1, k.redis.Do("EXISTS", weekBoard(k, p, "best").Key))
	})
}

// A process does not unite a week for a single look if the week may be large. If it does not
// know, it counts the two newest days, once in a quarter of an hour.
func TestALargeWeekIsNotUnitedForOne(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := t.Context()
		k.elapsed = func() time.Duration { return k.clock.Now().Sub(noon) }
		fill := func(mode string, players int) {
			var subs []game.Submission
			for i := range players {
				subs = append(subs, k.play(mode, fmt.Sprintf("p%04d", i), game.Score(i%7)))
			}
			for _, o := range k.process().Boards.SubmitBatch(ctx, subs) {
				require.NoError(t, o.Err)
			}
		}
		fill("first", 60)
		fill("best", 30)
		k.clock.Pass(24 * time.Hour)
		fill("first", 5)
		fill("best", 5)
		p := k.process()
		p.Rollup.UniteUpTo = 50
		unites := func(mode string, costs int64) (unites bool) {
			commands, _ := p.spent(func() {
				u, err := p.Rollup.UnitedOf(ctx, weekBoard(k, p, mode))
				require.NoError(t, err)
				unites = u != nil
			})
			require.Equal(t, costs, commands)
			return unites
		}
		require.False(t, unites("first", 2), "yesterday was large")
		require.False(t, unites("first", 0))
		require.True(t, unites("best", 2))
		_, err := p.Boards.Card(ctx, weekBoard(k, p, "best"), "p0007")
		require.NoError(t, err)
		k.clock.Pass(11 * time.Second)
		require.True(t, unites("best", 0), "this week is known not to be large")
		k.clock.Pass(16 * time.Minute)
		require.True(t, unites("best", 2), "it was so a while ago")
	})
}
