package review_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/play/review"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/redis"
)

const typing = `name: g
challenges: {english: [The quick brown fox.]}
modes:
  a: {max: 350, decimals: 2, play: required, proof: keystrokes, challenge: {seconds: 30, texts: english}}
`

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

type kit struct {
	*review.Store
	*testkit.Redis
	game  *game.Game
	clock *testkit.Clock
}

func onEngines(t *testing.T, test func(t *testing.T, k kit)) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		g, err := gamefile.Parse("g.yaml", []byte(typing))
		require.NoError(t, err)
		store, clock := testkit.NewRedis(t, address, testkit.AtOnce), testkit.Ticking(noon)
		clock.Stop()
		test(t, kit{review.New(redis.New(store.Client, g, clock.Now, nil)), store, g, clock})
	})
}

func (k kit) play(player string, n int) review.Play {
	return review.Play{ID: fmt.Sprintf("%s-%d", player, n), Why: "steady", Submission: game.Submission{
		Mode: k.game.Modes[0], Player: player, Date: game.DateOf(noon), Score: game.Score(n), At: noon.Add(time.Duration(n) * time.Second),
		Profile: game.Profile{Name: "Zoë"},
	}}
}

func ids(plays []review.Play) (all []string) {
	for _, p := range plays {
		all = append(all, p.ID)
	}
	return all
}

func TestWhatIsHeldWaitsUntilItIsDropped(t *testing.T) {
	onEngines(t, func(t *testing.T, k kit) {
		ctx := t.Context()
		for _, p := range []review.Play{k.play("ana", 3), k.play("bob", 1), k.play("ana", 2), k.play("ana", 3)} {
			require.NoError(t, k.Put(ctx, p))
		}
		all, next, err := k.List(ctx, "", 10)
		require.NoError(t, err)
		require.Empty(t, next)
		require.Equal(t, []string{"bob-1", "ana-2", "ana-3"}, ids(all), "oldest first, and each once")
		require.Equal(t, k.play("bob", 1), all[0])

		first, next, err := k.List(ctx, "", 2)
		require.NoError(t, err)
		rest, end, err := k.List(ctx, next, 2)
		require.NoError(t, err)
		require.Empty(t, end)
		require.Equal(t, ids(all), append(ids(first), ids(rest)...))

		one, err := k.Find(ctx, "ana-2")
		require.NoError(t, err)
		require.NoError(t, k.Drop(ctx, one))
		_, err = k.Find(ctx, "ana-2")
		require.ErrorIs(t, err, review.ErrUnknown)

		own, err := k.Of(ctx, "ana")
		require.NoError(t, err)
		require.Equal(t, []string{"ana-3"}, ids(own))
		require.NoError(t, k.Erase(ctx, "ana"))
		all, _, err = k.List(ctx, "", 10)
		require.NoError(t, err)
		require.Equal(t, []string{"bob-1"}, ids(all))
	})
}

func TestAPlayersNewestWait(t *testing.T) {
	onEngines(t, func(t *testing.T, k kit) {
		require.NoError(t, k.Put(t.Context(), k.play("anabel", 1)))
		for n := range review.OfPlayer + 2 {
			require.NoError(t, k.Put(t.Context(), k.play("ana", n)))
			require.NoError(t, k.Put(t.Context(), k.play("ana", n)), "sent twice")
		}
		own, err := k.Of(t.Context(), "ana")
		require.NoError(t, err)
		require.Equal(t, []string{"ana-2", "ana-3", "ana-4", "ana-5", "ana-6"}, ids(own))
		other, err := k.Of(t.Context(), "anabel")
		require.NoError(t, err)
		require.Len(t, other, 1)
	})
}

func TestWhatIsHeldIsBoundedAndEnds(t *testing.T) {
	onEngines(t, func(t *testing.T, k kit) {
		ctx := t.Context()
		args := []string{}
		for n := range review.Most {
			args = append(args, fmt.Sprintf("user_%d %013d n%d", n, noon.UnixMilli(), n), "{}")
		}
		_, err := k.Server.Redis().Do(ctx, append([]string{"HSET", game.HeldKey}, args...)...)
		require.NoError(t, err)
		require.ErrorIs(t, k.Put(ctx, k.play("ana", 1)), review.ErrFull)
		left, err := k.Server.Redis().Do(ctx, "HLEN", game.HeldKey)
		require.NoError(t, err)
		require.EqualValues(t, review.Most, left)

		k.clock.Pass(60 * 24 * time.Hour) // those days are past changing
		p := k.play("ana", 1)
		p.Submission.At = k.clock.Now()
		require.NoError(t, k.Put(ctx, p))
		all, _, err := k.List(ctx, "", 10)
		require.NoError(t, err)
		require.Equal(t, []string{"ana-1"}, ids(all))
		ttl, err := k.Server.Redis().Do(ctx, "TTL", game.HeldKey)
		require.NoError(t, err)
		require.Positive(t, ttl)
	})
}

// However many devices have plays held, there is room for those of players who have signed in.
func TestDevicesHaveAShareOfWhatIsHeld(t *testing.T) {
	onEngines(t, func(t *testing.T, k kit) {
		ctx := t.Context()
		full := 0
		for n := range review.OfDevices + 1 {
			if err := k.Put(ctx, k.play(fmt.Sprint("dev_", n), 1)); err != nil {
				require.ErrorIs(t, err, review.ErrFull)
				full++
			}
		}
		require.Equal(t, 1, full)
		require.NoError(t, k.Put(ctx, k.play("dev_0", 1)), "sent twice")
		require.NoError(t, k.Put(ctx, k.play("ana", 1)))
		one, err := k.Find(ctx, "dev_0-1")
		require.NoError(t, err)
		require.NoError(t, k.Drop(ctx, one))
		require.NoError(t, k.Put(ctx, k.play("dev_x", 1)), "there is room again")
	})
}

func TestAGameWithoutProofsAsksNothing(t *testing.T) {
	g, err := gamefile.Parse("g.yaml", []byte("name: g\nmodes: {a: {max: 5}}\n"))
	require.NoError(t, err)
	store := testkit.NewRedis(t, "", testkit.AtOnce)
	s := review.New(redis.New(store.Client, g, time.Now, nil))
	own, err := s.Of(t.Context(), "ana")
	require.NoError(t, err)
	require.Empty(t, own)
	require.NoError(t, s.Erase(t.Context(), "ana"))
	require.Zero(t, store.Client.Meter().Usage().Commands)
}

func TestWhatIsHeldIsCounted(t *testing.T) {
	onEngines(t, func(t *testing.T, k kit) {
		for n := range 3 {
			count, err := k.Count(t.Context())
			require.NoError(t, err)
			require.EqualValues(t, n, count)
			require.NoError(t, k.Put(t.Context(), k.play("ana", n)))
		}
	})
}
