package once_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/play/once"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "20", "30")) }

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

type kit struct {
	*testkit.Redis
	tb    testing.TB
	game  *game.Game
	clock *testkit.Clock
}

// onEngines runs a test over the embedded Redis and over a real one, of a game with a
// mode that earns and one that does not.
func onEngines(t *testing.T, test func(t *testing.T, k *kit)) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		g := testkit.Game(t, "name: typing\nmodes: {earns: {max: 100}, plain: {max: 100}}\n")
		testkit.Mode(t, g, "earns").Earns = true
		testkit.Mode(t, g, "earns").NeedsPlay = true
		testkit.Mode(t, g, "plain").NeedsPlay = true
		test(t, &kit{testkit.NewRedis(t, address, testkit.AtOnce), t, g, testkit.Still(noon)})
	})
}

// process is one with a memory of its own.
func (k *kit) process() *once.Records {
	db := redis.New(k.Client, k.game, k.clock.Now, nil)
	return once.New(db)
}

func (k *kit) play(mode, fingerprint string) once.Play {
	return once.Play{
		Mode: testkit.Mode(k.tb, k.game, mode), Date: game.DateOf(noon), Player: "ana", ID: "id", Fingerprint: fingerprint,
	}
}

// counted is how many of ana's plays earn.
func (k *kit) counted(mode string) int64 {
	first, last := game.PlaysOf("ana")
	return k.Do("ZLEXCOUNT", game.PlaysKey(mode, game.DateOf(noon)), first, last).(int64)
}

// wait lets so much time pass for the notes of plays without an answer.
func (k *kit) wait(d time.Duration) {
	k.tb.Helper()
	left := k.Do("PTTL", "turn:id").(int64)
	require.Positive(k.tb, left)
	k.Do("PEXPIRE", "turn:id", strconv.FormatInt(left-d.Milliseconds(), 10))
}

func (k *kit) details(field string) any {
	return k.Do("HGET", game.DetailsKey("earns", game.DateOf(noon)), field)
}

func TestAPlayIsClaimedOnceAndItsAnswerKept(t *testing.T) {
	for _, mode := range []string{"earns", "plain"} {
		onEngines(t, func(t *testing.T, k *kit) {
			records, p := k.process(), k.play(mode, "f")
			warm := p
			warm.ID = "warm" // sees to the expiry of both keys
			claim, err := records.Claim(t.Context(), warm)
			require.NoError(t, err)
			require.NoError(t, claim.Keep(t.Context(), "-", ""))

			commands, roundTrips := k.Spent(func() {
				claim, err = records.Claim(t.Context(), p)
				require.NoError(t, err)
				_, ok := claim.Answer()
				require.False(t, ok)
				require.False(t, claim.TookOver())
				require.NoError(t, claim.Keep(t.Context(), "first 1 2", "7 {}"))
			})
			require.EqualValues(t, 2, commands)
			require.EqualValues(t, 2, roundTrips)
			commands, _ = k.Spent(func() {
				again, err := k.process().Claim(t.Context(), p)
				require.NoError(t, err)
				text, ok := again.Answer()
				require.True(t, ok)
				require.Equal(t, "first 1 2", text)
				require.NoError(t, again.Keep(t.Context(), "second", ""), "holds nothing")
				require.NoError(t, again.Release(t.Context(), true))
			})
			require.EqualValues(t, 2, commands)
			commands, _ = k.Spent(func() {
				text, ok, err := records.Find(t.Context(), p)
				require.NoError(t, err)
				require.True(t, ok)
				require.Equal(t, "first 1 2", text)
			})
			require.EqualValues(t, 1, commands)
			_, err = records.Claim(t.Context(), k.play(mode, "g"))
			require.ErrorIs(t, err, idempotency.ErrReused)
			_, _, err = records.Find(t.Context(), k.play(mode, "g"))
			require.ErrorIs(t, err, idempotency.ErrReused)
			require.EqualValues(t, map[string]int64{"earns": 2, "plain": 0}[mode], k.counted(mode))
		})
	}
}

func TestAPlayWithoutAnAnswerIsTakenOverWhenNobodyCanBeAtIt(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		records := k.process()
		_, err := records.Claim(t.Context(), k.play("earns", "f")) // and dies
		require.NoError(t, err)
		var running *idempotency.RunningError
		_, err = records.Claim(t.Context(), k.play("earns", "f"))
		require.ErrorAs(t, err, &running)
		require.Equal(t, idempotency.Deadline, running.Wait)
		k.wait(time.Second)
		_, err = records.Claim(t.Context(), k.play("earns", "g"))
		require.ErrorAs(t, err, &running)
		require.LessOrEqual(t, running.Wait, idempotency.Deadline-time.Second)
		require.EqualValues(t, 1, k.counted("earns"))

		k.wait(idempotency.Deadline)
		commands, _ := k.Spent(func() {
			next, err := records.Claim(t.Context(), k.play("earns", "g"))
			require.NoError(t, err)
			require.True(t, next.TookOver())
		})
		require.EqualValues(t, 8, commands)
		_, err = records.Claim(t.Context(), k.play("earns", "f"))
		require.ErrorIs(t, err, idempotency.ErrReused, "the one that is at it says whose it is")
		_, err = records.Claim(t.Context(), k.play("earns", "g"))
		require.ErrorAs(t, err, &running)

		k.wait(idempotency.Deadline) // that one died as well
		last, err := records.Claim(t.Context(), k.play("earns", "g"))
		require.NoError(t, err)
		require.NoError(t, last.Keep(t.Context(), "done", ""))
		k.wait(idempotency.Deadline)
		found, err := records.Claim(t.Context(), k.play("earns", "g"))
		require.NoError(t, err)
		text, _ := found.Answer()
		require.Equal(t, "done", text)
		require.EqualValues(t, 1, k.counted("earns"))
	})
}

func TestAClaimThatHasRunOutWritesNothing(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		slow, err := k.process().Claim(t.Context(), k.play("earns", "f"))
		require.NoError(t, err)
		k.clock.Pass(idempotency.Deadline - idempotency.Margin)
		require.NoError(t, slow.Keep(t.Context(), "late", "7 {}"))
		require.NoError(t, slow.Release(t.Context(), true))
		require.Nil(t, k.details("ana"))
		require.EqualValues(t, 1, k.counted("earns"))
		require.EqualValues(t, 0, k.Do("EXISTS", "turn:id"))
		var none once.Claim
		require.NoError(t, none.Keep(t.Context(), "", ""))
		require.NoError(t, none.Release(t.Context(), true))
	})
}

func TestAReleasedPlayIsTheNextOnesAtOnce(t *testing.T) {
	for _, none := range []bool{true, false} {
		onEngines(t, func(t *testing.T, k *kit) {
			claim, err := k.process().Claim(t.Context(), k.play("earns", "f"))
			require.NoError(t, err)
			require.NoError(t, claim.Release(t.Context(), none))
			require.EqualValues(t, map[bool]int64{true: 0, false: 1}[none], k.counted("earns"))
			next, err := k.process().Claim(t.Context(), k.play("earns", "g"))
			require.NoError(t, err)
			require.True(t, next.TookOver())
			require.NoError(t, next.Keep(t.Context(), "done", ""))
			require.EqualValues(t, 1, k.counted("earns"))
		})
	}
}

// A held play is claimed like any other, and earns nothing, whatever else is sent with it.
func TestAPlayThatIsHeldEarnsNothing(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		held := k.play("earns", "f")
		held.Held = true
		claim, err := k.process().Claim(t.Context(), held)
		require.NoError(t, err)
		var running *idempotency.RunningError
		_, err = k.process().Claim(t.Context(), k.play("earns", "g"))
		require.ErrorAs(t, err, &running)
		require.NoError(t, claim.Keep(t.Context(), "held", ""))
		require.Zero(t, k.counted("earns"))
		_, err = k.process().Claim(t.Context(), k.play("earns", "g"))
		require.ErrorIs(t, err, idempotency.ErrReused)
		require.Zero(t, k.counted("earns"))
		again, err := k.process().Claim(t.Context(), held)
		require.NoError(t, err)
		text, _ := again.Answer()
		require.Equal(t, "held", text)

		accepted := k.play("earns", "h")
		accepted.ID = "other"
		claim, err = k.process().Claim(t.Context(), accepted)
		require.NoError(t, err)
		require.NoError(t, claim.Keep(t.Context(), "taken", ""))
		held.ID = "other"
		_, err = k.process().Claim(t.Context(), held)
		require.ErrorIs(t, err, idempotency.ErrReused)
		require.EqualValues(t, 1, k.counted("earns"))
	})
}

// A play that an operator has taken out earns nothing, even if it is sent again.
func TestAPlayThatWasTakenOutEarnsNothing(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		claim, err := k.process().Claim(t.Context(), k.play("earns", "f"))
		require.NoError(t, err)
		require.NoError(t, claim.Keep(t.Context(), "done", ""))
		first, last := game.PlaysOf("ana")
		k.Do("ZREMRANGEBYLEX", game.PlaysKey("earns", game.DateOf(noon)), first, last)
		again, err := k.process().Claim(t.Context(), k.play("earns", "f"))
		require.NoError(t, err)
		text, _ := again.Answer()
		require.Equal(t, "done", text)
		require.Zero(t, k.counted("earns"))
	})
}

// A restore brings back which plays were counted, not that they were sent.
func TestAPlayThatCountedBeforeCountsOnce(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.Do("ZADD", game.PlaysKey("earns", game.DateOf(noon)), "0", game.PlayOf("ana", "id"))
		_, err := k.process().Claim(t.Context(), k.play("earns", "f"))
		require.Error(t, err)
		k.wait(idempotency.Deadline)
		claim, err := k.process().Claim(t.Context(), k.play("earns", "f"))
		require.NoError(t, err)
		require.NoError(t, claim.Keep(t.Context(), "done", ""))
		require.EqualValues(t, 1, k.counted("earns"))
	})
}

func TestALostClaimIsTheNextOnesInTime(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		var sent atomic.Int64
		for _, cuts := range []int64{1, 4} { // one answer, and all attempts of a call
			sent.Store(0)
			p := k.play("earns", "f")
			k.Do("DEL", game.PlaysKey("earns", game.DateOf(noon)), "turn:id")
			k.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
				return upstashtest.Fault{CutAfter: sent.Add(1) <= cuts}
			})
			_, err := k.process().Claim(t.Context(), p)
			if cuts == 1 {
				require.ErrorAs(t, err, new(*idempotency.RunningError), "it may be another's")
			} else {
				require.ErrorIs(t, err, once.ErrUnsure)
				require.ErrorIs(t, err, upstash.KindUnavailable)
			}
			k.Server.Inject(nil)
			if cuts == 4 {
				_, err := k.process().Claim(t.Context(), p)
				require.ErrorAs(t, err, new(*idempotency.RunningError))
			}
			k.wait(idempotency.Deadline)
			claim, err := k.process().Claim(t.Context(), p)
			require.NoError(t, err)
			require.True(t, claim.TookOver())
			require.EqualValues(t, 1, k.counted("earns"))
		}
	})
}

// Of many processes with two bodies, only one runs the effect of a play at any moment,
// however often one of them dies.
func TestOneOfManyIsAtAPlay(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		processes := []*once.Records{k.process(), k.process(), k.process(), k.process()}
		for died := range 3 {
			var won atomic.Int64
			var all sync.WaitGroup
			for i := range 32 {
				all.Go(func() {
					c, err := processes[i%4].Claim(context.Background(), k.play("earns", fmt.Sprint("f", i%2)))
					if _, ok := c.Answer(); err == nil && !ok {
						won.Add(1)
					}
				})
			}
			all.Wait()
			require.EqualValues(t, 1, won.Load(), died)
			require.EqualValues(t, 1, k.counted("earns"))
			k.wait(idempotency.Deadline)
		}
	})
}

func TestRecordsSayNotWhoseTheyAre(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		claim, err := k.process().Claim(t.Context(), k.play("plain", "f"))
		require.NoError(t, err)
		require.NoError(t, claim.Keep(t.Context(), "kept 1", ""))
		all := fmt.Sprint(
			k.Do("ZRANGE", game.PlaysKey("plain", game.DateOf(noon)), "0", "-1"),
			k.Do("HGETALL", game.DetailsKey("plain", game.DateOf(noon))),
		)
		require.False(t, strings.Contains(all, "ana"), all)
	})
}

// A play may be the only thing that there is of a day, and come after the day was looked for:
// then it lists the day itself, so that rolling up sees to its keys.
func TestALatePlayListsItsDay(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		listed := func() any { return k.Do("HGET", game.DaysKey("earns"), game.DateOf(noon).String()) }
		_, err := k.process().Claim(t.Context(), k.play("earns", "f"))
		require.NoError(t, err)
		require.Nil(t, listed(), "the schedule that closes the day looks for it")
		k.clock.Set(noon.AddDate(0, 0, 1))
		_, err = k.process().Claim(t.Context(), k.play("earns", "f"))
		require.Error(t, err, "it waits for the first")
		require.Equal(t, "empty", listed())
	})
}
