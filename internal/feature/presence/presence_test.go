package presence_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/presence"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "40", "")) }

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func count(t require.TestingT, p *presence.Presence) int64 {
	n, err := p.Count(context.Background())
	require.NoError(t, err)
	return n.Players
}

func TestTwoProcessesCountEverybodyOnce(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		redis, clock, ctx := testkit.NewRedis(t, address), testkit.Still(noon), t.Context()
		one, two := presence.New(redis.Client, clock.Now, nil), presence.New(redis.Connect(), clock.Now, nil)
		one.See("user_a")
		one.See("user_b")
		two.See("user_b")
		two.See("user_c")
		require.NoError(t, one.WriteDue(ctx))
		require.EqualValues(t, 3, count(t, two))
		require.EqualValues(t, 3, count(t, one))

		clock.Pass(time.Minute)
		two.See("user_c")
		require.NoError(t, two.WriteDue(ctx), "the second round tidies up")
		clock.Pass(presence.Every)
		require.NoError(t, two.WriteDue(ctx))
		clock.Pass(29 * time.Second)
		require.EqualValues(t, 3, count(t, one), "119 seconds later all are still there")
		clock.Pass(2 * presence.Every)
		require.EqualValues(t, 1, count(t, one), "of the others it is more than two minutes")
		clock.Pass(3 * time.Minute)
		require.EqualValues(t, 0, count(t, one))
	})
}

func TestABannedPlayerIsNotThere(t *testing.T) {
	redis, clock := testkit.NewRedis(t, ""), testkit.Still(noon)
	p := presence.New(redis.Client, clock.Now, func(_ context.Context, player string) (bool, error) { return player == "user_b", nil })
	p.See("user_a")
	p.See("user_b")
	require.EqualValues(t, 1, count(t, p))
}

func TestAnErasedPlayerIsForgotten(t *testing.T) {
	redis, clock := testkit.NewRedis(t, ""), testkit.Still(noon)
	p := presence.New(redis.Client, clock.Now, nil)
	p.See("user_a")
	p.See("user_b")
	require.NoError(t, p.WriteDue(t.Context()))
	p.See("user_a")
	require.NoError(t, p.Erase(t.Context(), "user_a"))
	clock.Pass(2 * presence.Every)
	require.EqualValues(t, 1, count(t, p))
}

// In any sixty seconds, whatever the requests: 1,000 players who send requests all the time,
// and pages that ask for the count.
func TestAProcessCostsFourCommandsAMinuteAtMost(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		redis, clock := testkit.NewRedis(t, address), testkit.Still(noon)
		p := presence.New(redis.Client, clock.Now, nil)
		var spent []int64
		before := redis.Ran()
		for second := range 25 * 60 {
			for i := range 1000 {
				if second%30 == i%30 {
					p.See(fmt.Sprintf("user_%04d", i))
				}
			}
			commands, _ := redis.Spent(func() {
				require.NoError(t, p.WriteDue(t.Context()))
				if second >= 7 {
					count(t, p)
				}
			})
			spent = append(spent, commands)
			clock.Pass(time.Second)
		}
		all := int64(0)
		for i := range spent {
			all += spent[i]
			minute := int64(0)
			for _, n := range spent[max(0, i-59) : i+1] {
				minute += n
			}
			require.LessOrEqual(t, minute, int64(4), "in the minute up to second %d", i)
		}
		require.Equal(t, all, redis.Ran()-before, "as Redis itself counts")
		require.EqualValues(t, 1000, count(t, p))
	})
}

func TestWhoHasBeenToldOfIsToldOfOnceAMinute(t *testing.T) {
	redis, clock := testkit.NewRedis(t, ""), testkit.Still(noon)
	p := presence.New(redis.Client, clock.Now, nil)
	spent := func(players ...string) (commands int64) {
		for _, player := range players {
			p.See(player)
		}
		commands, _ = redis.Spent(func() { require.Positive(t, count(t, p)) })
		clock.Pass(presence.Every)
		return commands
	}
	require.EqualValues(t, 2, spent("user_a"))
	require.EqualValues(t, 1, spent("user_a"), "the second round tidies up")
	for minute := range 5 {
		require.EqualValues(t, 2, spent("user_a"), minute)
		require.Zero(t, spent("user_a"), minute)
	}
	require.EqualValues(t, 2, spent("user_a"))
	require.EqualValues(t, 2, spent("user_a", "user_b"), "somebody is new")
	require.Zero(t, spent("user_a", "user_b"))
	require.EqualValues(t, 2, spent("user_a", "user_b"))
	require.EqualValues(t, 2, count(t, p))
}

func TestAProcessThatNobodyAsksOnlyTells(t *testing.T) {
	redis, clock := testkit.NewRedis(t, ""), testkit.Still(noon)
	p := presence.New(redis.Client, clock.Now, nil)
	p.See("user_a")
	commands, trips := redis.Spent(func() { require.NoError(t, p.WriteDue(t.Context())) })
	require.Equal(t, []int64{1, 1}, []int64{commands, trips})
	clock.Pass(presence.Every)
	require.NoError(t, p.WriteDue(t.Context())) // tidies up
	clock.Pass(presence.Every)
	commands, _ = redis.Spent(func() { require.NoError(t, p.WriteDue(t.Context())) })
	require.Zero(t, commands, "nobody was there")
}

func TestMoreThanAThousandPlayersAreToldInPortions(t *testing.T) {
	redis, clock := testkit.NewRedis(t, ""), testkit.Still(noon)
	p := presence.New(redis.Client, clock.Now, nil)
	for i := range 25_000 {
		p.See(fmt.Sprintf("user_%d", i))
	}
	commands, trips := redis.Spent(func() { require.NoError(t, p.WriteDue(t.Context())) })
	require.Equal(t, []int64{20, 1}, []int64{commands, trips})
	require.EqualValues(t, 20_000, count(t, p), "a process remembers so many")
}

func TestWhoCouldNotBeToldOfIsToldOfLater(t *testing.T) {
	redis, clock := testkit.NewRedis(t, ""), testkit.Still(noon)
	away := errors.New("away")
	var refuse error
	client := redis.Client
	p := presence.New(client, clock.Now, nil)
	gate := func(ctx context.Context) context.Context {
		return upstash.WithGate(ctx, func(context.Context) error { return refuse })
	}
	p.See("user_a")
	refuse = away
	require.ErrorIs(t, p.WriteDue(gate(t.Context())), away)
	_, err := p.Count(gate(t.Context()))
	require.ErrorIs(t, err, away)
	refuse = nil
	clock.Pass(presence.Every)
	require.NoError(t, p.WriteDue(t.Context())) // tidies up
	clock.Pass(presence.Every)
	require.EqualValues(t, 1, count(t, p))
}

func TestManyAskAtOnceAndOneCommandAnswersThem(t *testing.T) {
	redis, clock := testkit.NewRedis(t, ""), testkit.Still(noon)
	p := presence.New(redis.Client, clock.Now, nil)
	p.See("user_a")
	commands, _ := redis.Spent(func() {
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if _, err := p.Count(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
	require.LessOrEqual(t, commands, int64(3), "a write with its count, and one count beside it")
}

// Three processes on one Redis are compared with a plain list of who sent a request when. A
// process writes every minute, so the count may lack players who have come since, but no
// others.
func TestTheCountIsThatOfAPlainList(t *testing.T) {
	server := upstashtest.Start(t, upstashtest.Options{})
	rapid.Check(t, func(rt *rapid.T) {
		_, err := server.Redis().Do(context.Background(), "FLUSHALL")
		require.NoError(rt, err)
		clock := testkit.Still(noon)
		processes := make([]*presence.Presence, 3)
		for i := range processes {
			client, err := upstash.New(upstash.Config{URL: server.URL(), Token: server.Token()})
			require.NoError(rt, err)
			processes[i] = presence.New(client, clock.Now, nil)
		}
		last := map[string]time.Time{}
		for range rapid.IntRange(1, 80).Draw(rt, "steps") {
			clock.Pass(time.Duration(rapid.IntRange(1, 40).Draw(rt, "seconds")) * time.Second)
			p := processes[rapid.IntRange(0, 2).Draw(rt, "process")]
			player := fmt.Sprintf("user_%d", rapid.IntRange(0, 5).Draw(rt, "player"))
			p.See(player)
			last[player] = clock.Now()
			require.NoError(rt, p.WriteDue(context.Background()))
		}
		for round := range 4 { // what each remembers is told by then, be one round for tidying up
			if round > 0 {
				clock.Pass(presence.Every)
			}
			for _, p := range processes {
				require.NoError(rt, p.WriteDue(context.Background()))
			}
		}
		got, err := processes[0].Count(context.Background())
		require.NoError(rt, err)
		want := int64(0)
		for _, at := range last {
			if got.At.Sub(at) < presence.Window {
				want++
			}
		}
		require.Equal(rt, want, got.Players)
	})
}
