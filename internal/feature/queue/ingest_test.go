package queue_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

var modes = []string{"first", "golf", "best", "fastest", "latest", "soonest", "coins"}

// standing tells which of a player's plays counts, in the order of play.
func standing(m *game.Mode, plays []game.Submission) (score game.Score, of game.Submission) {
	of = plays[0]
	for _, p := range plays[1:] {
		better := p.Score > of.Score
		if m.Order == game.Asc {
			better = p.Score < of.Score
		}
		if m.Policy == game.Latest || m.Policy == game.Best && better {
			of = p
		}
	}
	if m.Policy != game.Sum {
		return of.Score, of
	}
	for _, p := range plays {
		score += p.Score
	}
	return score, of
}

// The scores that stand follow from what was played, in whatever order, batches and
// repetitions it is delivered, and wherever connections and processes fail.
func TestWhatStandsFollowsFromWhatWasPlayed(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		rapid.Check(t, func(t *rapid.T) {
			k.Server.Inject(nil)
			k.empty()
			plays := map[string]map[string][]game.Submission{} // by mode and player
			var deliveries []host.QueueMessage
			for n := range rapid.IntRange(1, 60).Draw(t, "plays") {
				mode, player := rapid.SampledFrom(modes).Draw(t, "mode"), fmt.Sprintf("p%d", rapid.IntRange(1, 4).Draw(t, "player"))
				sub := k.play(n, mode, player, game.Score(rapid.IntRange(0, 20).Draw(t, "score")))
				if plays[mode] == nil {
					plays[mode] = map[string][]game.Submission{}
				}
				plays[mode][player] = append(plays[mode][player], sub)
				for range rapid.IntRange(1, 3).Draw(t, "deliveries") {
					deliveries = append(deliveries, message(t, n, sub))
				}
			}
			deliveries = rapid.Permutation(deliveries).Draw(t, "order")
			seed := rapid.Uint64().Draw(t, "faults")
			k.Server.Inject(cuts(rand.New(rand.NewPCG(seed, 0))))
			processes := []*queue.Ingest{k.ingest(), k.ingest(), k.ingest()}
			for len(deliveries) > 0 {
				size := min(rapid.IntRange(1, 40).Draw(t, "batch"), len(deliveries))
				batch := deliveries[:size:size]
				deliveries = deliveries[size:]
				failed, err := rapid.SampledFrom(processes).Draw(t, "process").Take(context.Background(), batch)
				require.NoError(t, err)
				killed := rapid.IntRange(0, 9).Draw(t, "killed") == 0 // before it could answer
				for _, m := range batch {
					if killed || contains(failed, m.ID) {
						deliveries = append(deliveries, m)
					}
				}
			}
			k.Server.Inject(nil)
			for mode, players := range plays {
				current := k.standings(t, mode)
				require.Len(t, current, len(players))
				for player, list := range players {
					score, of := standing(k.mode(mode), list)
					require.Equal(t, score, current[player], "%s of %s", player, mode)
					if of.Details != nil {
						require.Equal(t, string(of.Details), k.details(t, mode, player))
					}
				}
			}
		})
	})
}

func contains(ids []string, id string) bool {
	for _, other := range ids {
		if other == id {
			return true
		}
	}
	return false
}

// cuts breaks one request in five: before its effect, after it, or by refusal.
func cuts(random *rand.Rand) func(upstashtest.Request) upstashtest.Fault {
	var mu sync.Mutex
	return func(upstashtest.Request) upstashtest.Fault {
		mu.Lock()
		defer mu.Unlock()
		switch random.IntN(15) {
		case 0:
			return upstashtest.Fault{CutBefore: true}
		case 1:
			return upstashtest.Fault{CutAfter: true}
		case 2:
			return upstashtest.Fault{Status: 503, Body: `{"error":"ERR engine unreachable"}`}
		}
		return upstashtest.Fault{}
	}
}

func TestProcessesAtOnceLeaveTheSameBoards(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		const players, plays = 50, 8
		var all []host.QueueMessage
		want := map[string]map[string]game.Score{}
		for _, mode := range modes {
			want[mode] = map[string]game.Score{}
			for p := range players {
				player := fmt.Sprintf("p%d", p)
				var list []game.Submission
				for range plays {
					sub := k.play(len(all), mode, player, game.Score(rand.IntN(21)))
					list = append(list, sub)
					all = append(all, message(t, len(all), sub))
				}
				want[mode][player], _ = standing(k.mode(mode), list)
			}
		}
		all = append(all, all[:len(all)/3]...)
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		var wait sync.WaitGroup
		for part := range 6 {
			wait.Go(func() {
				in := k.ingest()
				for i := part * 20; i < len(all); i += 6 * 20 {
					failed, err := in.Take(context.Background(), all[i:min(i+20, len(all))])
					if err != nil || len(failed) > 0 {
						t.Errorf("%d messages failed: %v", len(failed), err)
					}
				}
			})
		}
		wait.Wait()
		for _, mode := range modes {
			require.Equal(t, want[mode], k.standings(t, mode), mode)
		}
	})
}

func TestWhatCannotBeReadComesAgainAndBlocksNobody(t *testing.T) {
	k := newKit(t, "")
	var log bytes.Buffer
	k.log = slog.NewJSONHandler(&log, nil)
	good := message(t, 0, k.play(0, "first", "ana", 800))
	bad := []string{
		"", "{", "7", `{"v":2}`, `{"v":1,"m":"chess"}`,
		strings.Replace(good.Body, `"p":"ana"`, `"p":"a na"`, 1), strings.Replace(good.Body, `"d":"2026`, `"d":"`, 1),
		strings.Replace(good.Body, `"s":"800"`, `"s":"1001"`, 1), strings.Replace(good.Body, `{"v":1`, `{"c":["country:xx"],"v":1`, 1),
		strings.Replace(message(t, 1, k.play(1, "coins", "ana", 5)).Body, `"once-1"`, `""`, 1),
	}
	batch := []host.QueueMessage{good}
	var want []string
	for i, body := range bad {
		batch = append(batch, host.QueueMessage{ID: fmt.Sprintf("bad-%d", i), Body: body, Receives: 2})
		want = append(want, fmt.Sprintf("bad-%d", i))
	}
	failed, err := k.ingest().Take(t.Context(), batch)
	require.NoError(t, err)
	require.Equal(t, want, failed)
	require.Equal(t, map[string]game.Score{"ana": 800}, k.standings(t, "first"))
	for _, id := range want {
		require.Contains(t, log.String(), `"message":"`+id+`","receives":2,"error":"read a queued submission: `)
	}
	before := k.Client.Meter().Usage().Commands
	failed, err = k.ingest().Take(t.Context(), batch[1:])
	require.NoError(t, err)
	require.Len(t, failed, len(bad))
	require.Equal(t, before, k.Client.Meter().Usage().Commands, "poison costs no command")
}

func TestWhatARuleRefusesIsDoneWith(t *testing.T) {
	k := newKit(t, "")
	var log bytes.Buffer
	k.log = slog.NewJSONHandler(&log, nil)
	require.NoError(t, k.store().Notices.Ban(t.Context(), "mallory"))
	old := k.play(1, "first", "ben", 5)
	old.Date = old.Date.AddDays(-30)
	reused := k.play(3, "coins", "ana", 7)
	reused.Idempotency = game.IdempotencyRecord{ID: "once-2", Fingerprint: "another"}
	in := k.ingest()
	failed, err := in.Take(t.Context(), []host.QueueMessage{
		message(t, 0, k.play(0, "first", "mallory", 1000)), message(t, 1, old),
		message(t, 2, k.play(2, "coins", "ana", 5)), message(t, 3, reused), message(t, 4, k.play(4, "first", "ana", 9)),
	})
	require.NoError(t, err)
	require.Empty(t, failed)
	require.Equal(t, map[string]game.Score{"ana": 9}, k.standings(t, "first"))
	require.Equal(t, map[string]game.Score{"ana": 5}, k.standings(t, "coins"))
	require.Equal(t, 3, strings.Count(log.String(), "a queued score was rejected"), log.String())
}

// A score that was played in time counts, however late it is written.
func TestAClosedDateTakesWhatWasPlayedInTime(t *testing.T) {
	k := newKit(t, "")
	k.now = noon.AddDate(0, 0, 2)
	failed, err := k.ingest().Take(t.Context(), []host.QueueMessage{message(t, 0, k.play(0, "first", "ana", 9))})
	require.NoError(t, err)
	require.Empty(t, failed)
	require.Equal(t, map[string]game.Score{"ana": 9}, k.standings(t, "first"))
}

func TestWhileRedisIsAwayEverythingComesAgain(t *testing.T) {
	k := newKit(t, "")
	batch := []host.QueueMessage{message(t, 0, k.play(0, "first", "ana", 9)), message(t, 1, k.play(1, "coins", "ana", 9))}
	k.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
		return upstashtest.Fault{Status: 400, Body: `{"error":"ERR max requests limit exceeded. Limit: 500000, Usage: 500000"}`}
	})
	in := k.ingest()
	failed, err := in.Take(t.Context(), batch)
	require.NoError(t, err)
	require.Equal(t, []string{"m-0", "m-1"}, failed)
	k.Server.Inject(nil)
	failed, err = in.Take(t.Context(), batch)
	require.NoError(t, err)
	require.Empty(t, failed)
	require.Equal(t, map[string]game.Score{"ana": 9}, k.standings(t, "coins"))
}

// After a loss of Redis a process goes on, and writes to the new one.
func TestALostRedisIsSeenTo(t *testing.T) {
	k := newKit(t, "")
	elapsed := 0
	s := lifecycle.New(lifecycle.Options{Redis: k.Client, Game: k.game, Now: k.clock(), Elapsed: k.ages(&elapsed)})
	in := &queue.Ingest{Game: k.game, Store: s.Boards, Log: slog.New(k.log)}
	for i, players := range []int{5, 2} {
		k.empty()
		elapsed += 60
		var batch []host.QueueMessage
		for n := range players {
			batch = append(batch, message(t, n, k.play(n, "first", fmt.Sprintf("p%d-%d", i, n), 9)))
		}
		failed, err := in.Take(t.Context(), batch)
		require.NoError(t, err)
		require.Empty(t, failed)
		reply, err := k.Client.Do(t.Context(), upstash.Cmd("ZCARD", "lb:first:2026-11-18"))
		require.NoError(t, err)
		there, err := reply.Int64()
		require.NoError(t, err)
		require.EqualValues(t, players, there)
	}
}
