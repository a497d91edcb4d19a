package duel_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestAServersResultMovesBothRatingsOnce(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		k.ready(t, "match-1", "a", "b")
		first, err := k.Report(ctx, "match-1", duel.Result{Winner: "a", Score: score(3, 1)})
		require.NoError(t, err)
		require.Equal(t, duel.Decided, first.State)
		require.Equal(t, duel.ByServer, first.By)
		require.Equal(t, [2]duel.RatingChange{{Before: 1000, After: 1016, Rank: 1}, {Before: 1000, After: 984, Rank: 2}}, first.Ratings)
		require.Equal(t, &duel.Outcome{Winner: 0, Score: score(3, 1)}, first.Outcome)

		k.ready(t, "match-2", "b", "c")
		_, err = k.Report(ctx, "match-2", duel.Result{})
		require.NoError(t, err)

		again, err := k.Report(ctx, "match-1", duel.Result{Winner: "a", Score: score(3, 1)})
		require.NoError(t, err)
		require.Equal(t, first, again, "as it was answered, whatever has happened since")
		for _, other := range []duel.Result{{Winner: "b", Score: score(3, 1)}, {Winner: "a", Score: score(3, 2)}, {Score: score(3, 1)}, {Winner: "a"}} {
			_, err = k.Report(ctx, "match-1", other)
			require.ErrorIs(t, err, duel.ErrDecided)
		}
		_, err = k.Report(ctx, "match-1", duel.Result{Winner: "c"})
		require.ErrorIs(t, err, duel.ErrNotPlaying)
		_, err = k.Report(ctx, "nothing", duel.Result{Winner: "a"})
		require.ErrorIs(t, err, duel.ErrUnknown)
	})
}

func TestPlayersMustTellTheSame(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		tell := func(id, player, winner string) (duel.Duel, error) {
			return k.Report(ctx, id, duel.Result{Player: player, Winner: winner, Score: score(2, 0)})
		}
		k.ready(t, "agreed", "a", "b")
		d, err := tell("agreed", "b", "a")
		require.NoError(t, err)
		require.Equal(t, duel.Ready, d.State)
		_, err = tell("agreed", "b", "b")
		require.ErrorIs(t, err, duel.ErrDecided, "a player tells a result once")
		_, err = tell("agreed", "c", "a")
		require.ErrorIs(t, err, duel.ErrUnknown)
		d, err = tell("agreed", "a", "a")
		require.NoError(t, err)
		require.Equal(t, duel.Decided, d.State)
		require.Equal(t, duel.ByPlayers, d.By)
		require.Equal(t, 1016.0, d.Ratings[0].After)

		k.ready(t, "disputed", "a", "b")
		_, err = tell("disputed", "a", "a")
		require.NoError(t, err)
		for range 2 {
			d, err = tell("disputed", "b", "b")
			require.NoError(t, err)
			require.Equal(t, duel.Disputed, d.State)
		}
		_, err = tell("disputed", "b", "a")
		require.ErrorIs(t, err, duel.ErrDecided, "nobody takes a word back")
		require.Zero(t, d.Ratings)
		require.Equal(t, [2]float64{1016, 984}, k.ratings(t, "a", "b"))

		d, err = k.Report(ctx, "disputed", duel.Result{Winner: "b"})
		require.NoError(t, err)
		require.Equal(t, duel.Decided, d.State, "a game server's word decides")
	})
}

func TestWhatTheTimeoutDoes(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		k.ready(t, "one told", "a", "b")
		_, err := k.Report(ctx, "one told", duel.Result{Player: "a", Winner: "a"})
		require.NoError(t, err)
		k.ready(t, "none told", "a", "b")
		k.clock.Pass(k.rules.Timeout + time.Minute)

		d, err := k.Duel(ctx, "one told")
		require.NoError(t, err)
		require.Equal(t, duel.Decided, d.State)
		require.Equal(t, duel.ByTimeout, d.By)
		require.Equal(t, 1016.0, d.Ratings[0].After)
		_, err = k.Report(ctx, "one told", duel.Result{Player: "b", Winner: "b"})
		require.ErrorIs(t, err, duel.ErrDecided)

		d, err = k.Duel(ctx, "none told")
		require.NoError(t, err)
		require.Equal(t, duel.Expired, d.State)
		_, err = k.Report(ctx, "none told", duel.Result{Player: "b", Winner: "b"})
		require.ErrorIs(t, err, duel.ErrOver)
		d, err = k.Report(ctx, "none told", duel.Result{Winner: "b"})
		require.NoError(t, err)
		require.Equal(t, duel.Decided, d.State, "a game server may be late")
		require.InDelta(t, 2000, d.Ratings[0].After+d.Ratings[1].After, 1e-9)
	})
}

func TestManyConnectionsHaveOneEffect(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		k.ready(t, "one", "a", "b")
		var wait sync.WaitGroup
		for i := range 64 {
			wait.Go(func() {
				player := []string{"a", "b"}[i%2]
				_, err := k.Report(ctx, "one", duel.Result{Player: player, Winner: "b"})
				require.NoError(t, err)
			})
		}
		wait.Wait()
		d, err := k.Duel(ctx, "one")
		require.NoError(t, err)
		require.Equal(t, duel.Decided, d.State)
		require.Equal(t, [2]float64{984, 1016}, k.ratings(t, "a", "b"))
	})
}

// Over connections that break before and after the effect, every result counts
// once, and the sum of all ratings stays.
func TestEveryResultCountsOnceWhateverBreaks(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		k.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
			switch n := rand.IntN(100); {
			case n < 8:
				return upstashtest.Fault{CutBefore: true}
			case n < 16:
				return upstashtest.Fault{CutAfter: true}
			}
			return upstashtest.Fault{}
		})
		players := []string{"a", "b", "c", "d", "e", "f"}
		want := map[string]float64{}
		for _, p := range players {
			want[p] = 1000
		}
		for i := range 60 {
			id := "m" + string(rune('0'+i%10)) + string(rune('a'+i/10))
			a, b := players[i%6], players[(i+1+i/6)%6]
			if a == b {
				continue
			}
			winner := []string{a, b, ""}[i%3]
			var wait sync.WaitGroup
			for range 3 {
				wait.Go(func() {
					for {
						_, err := k.Arrange(ctx, id, [2]string{a, b}, "")
						if err == nil {
							_, err = k.Report(ctx, id, duel.Result{Winner: winner})
						}
						if err == nil {
							return
						}
					}
				})
			}
			wait.Wait()
			change := eloChange(k.rules, k.rules.K, want[a], want[b], []float64{1, 0, 0.5}[i%3])
			want[a] += change
			want[b] -= change
		}
		k.redis.Server.Inject(nil)
		sum := 0.0
		for _, p := range players {
			got := k.ratings(t, p, p)[0]
			require.InDelta(t, want[p], got, 1e-9, p)
			sum += got
		}
		require.InDelta(t, 6000, sum, 1e-9)
	})
}

func TestTheFirstDuelsOfAPlayerMayCountForMore(t *testing.T) {
	onEngines(t, "duels: {provisional: {duels: 2, k: 64}}", func(t *testing.T, k *kit) {
		for i, want := range []float64{64, 64, 32} {
			d := k.ready(t, k.newID(), "a", "b")
			require.Equal(t, want, d.K, i)
		}
		require.Equal(t, 48.0, k.ready(t, "mixed", "a", "new").K, "the mean of both, so that nothing is gained or lost in all")
		require.Equal(t, 48.0, k.ready(t, "mixed", "a", "new").K, "the same duel counts once")
		require.Equal(t, 48.0, k.ready(t, "next", "a", "new").K)
		require.Equal(t, 32.0, k.ready(t, "third", "a", "new").K)
	})
}

// ratings reads two ratings as they are stored.
func (k *kit) ratings(t require.TestingT, a, b string) (ratings [2]float64) {
	for i, p := range []string{a, b} {
		reply, err := k.redis.Client.Do(ctx, upstash.Cmd("ZSCORE", game.DuelKey, p))
		require.NoError(t, err)
		ratings[i], err = reply.Float64()
		require.NoError(t, err)
	}
	return ratings
}
