package lifecycle_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const (
	writers       = 64
	faultPlayers  = 40
	playsOfPlayer = 12
)

// unreliable breaks one connection in ten, half of them after the effect, and refuses some
// requests outright.
func unreliable() func(upstashtest.Request) upstashtest.Fault {
	return func(upstashtest.Request) upstashtest.Fault {
		switch n := rand.IntN(100); {
		case n < 6:
			return upstashtest.Fault{CutBefore: true}
		case n < 12:
			return upstashtest.Fault{CutAfter: true}
		case n < 15:
			return upstashtest.Fault{Status: 503, Body: `{"error":"ERR engine unreachable"}`}
		}
		return upstashtest.Fault{}
	}
}

// attempt is one play with all answers to it.
type attempt struct {
	sub     game.Submission
	outcome leaderboard.Outcome
	resent  bool // the player's own client had to send it again
}

// storm lets 64 writers send every player's plays through three processes, over connections
// that fail before and after the effect. A writer sends a play again until it gets an answer,
// as a player's client would.
func storm(t *testing.T, k *kit, mode string, score func(player, play int) game.Score) map[string][]attempt {
	processes := []*process{k.process(), k.process(), k.process()}
	type job struct{ player, play int }
	jobs := make(chan job)
	var mu sync.Mutex
	attempts := map[string][]attempt{}
	var failures atomic.Int64
	k.server.Inject(unreliable())
	defer k.server.Inject(nil)
	var wait sync.WaitGroup
	for w := range writers {
		wait.Go(func() {
			p := processes[w%len(processes)]
			for j := range jobs {
				player := fmt.Sprintf("p%d", j.player)
				a := attempt{}
				for {
					a.sub = k.play(mode, player, score(j.player, j.play))
					a.sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprintf("%s-%d", player, j.play), Fingerprint: "f"}
					var err error
					if a.outcome, err = p.Boards.Submit(context.Background(), a.sub); err == nil {
						break
					}
					failures.Add(1)
					a.resent = true
				}
				mu.Lock()
				attempts[player] = append(attempts[player], a)
				mu.Unlock()
			}
		})
	}
	all := make([]job, 0, faultPlayers*playsOfPlayer)
	for player := range faultPlayers {
		for play := range playsOfPlayer {
			all = append(all, job{player, play})
		}
	}
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, j := range all {
		jobs <- j
	}
	close(jobs)
	wait.Wait()
	return attempts
}

// standsOnce reads the board and checks that each player is on it exactly
// once, with ranks from 1 on without gaps.
func standsOnce(t *testing.T, k *kit, mode string) map[string]game.Score {
	p := k.process()
	scores := map[string]game.Score{}
	for i, e := range wholeBoard(t, p, k.dayBoard(p, mode), 7) {
		require.NotContains(t, scores, e.Player)
		require.Equal(t, int64(i)+1, e.Rank)
		scores[e.Player] = e.Score
	}
	require.Len(t, scores, faultPlayers)
	return scores
}

func TestFirstPlayCountsOnceWhateverBreaks(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		attempts := storm(t, k, "first", func(player, play int) game.Score { return game.Score(10*player + play) })
		for player, current := range standsOnce(t, k, "first") {
			accepted, doubtful := 0, false
			for _, a := range attempts[player] {
				require.Equal(t, current, a.outcome.Score, "every answer tells the score that stands")
				doubtful = doubtful || a.resent
				if a.outcome.Status == game.Accepted {
					accepted++
					require.Equal(t, current, a.sub.Score, "the accepted score is the one that stands")
				}
			}
			require.LessOrEqual(t, accepted, 1)
			if !doubtful {
				require.Equal(t, 1, accepted)
			}
		}
	})
}

func TestBestPlayStandsWhateverBreaks(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		attempts := storm(t, k, "best", func(player, play int) game.Score { return game.Score(100*player + 7*play) })
		for player, current := range standsOnce(t, k, "best") {
			var best game.Score
			accepted := 0
			for _, a := range attempts[player] {
				best = max(best, a.sub.Score)
				if a.outcome.Status == game.Accepted {
					accepted++
				}
				require.GreaterOrEqual(t, a.outcome.Score, a.sub.Score)
				if a.outcome.Status != game.Kept {
					require.Equal(t, a.sub.Score, a.outcome.Score)
				}
			}
			require.Equal(t, best, current)
			require.LessOrEqual(t, accepted, 1)
		}
	})
}

func TestSumsCountEachPlayOnceWhateverBreaks(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		attempts := storm(t, k, "coins", func(player, play int) game.Score { return game.Score(player + play) })
		for player, current := range standsOnce(t, k, "coins") {
			var sum game.Score
			accepted := 0
			for _, a := range attempts[player] {
				sum += a.sub.Score
				if a.outcome.Status == game.Accepted {
					accepted++
				}
				if !a.resent {
					require.NotEqual(t, game.Replayed, a.outcome.Status, "a lost answer inside one call is no replay")
				}
			}
			require.Equal(t, sum, current)
			require.LessOrEqual(t, accepted, 1)
		}
	})
}

func TestReplayedSumTellsTheFirstAnswer(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		p := k.process()
		ctx := context.Background()
		sub := k.play("coins", "p1", 5)
		sub.Idempotency = game.IdempotencyRecord{ID: "one", Fingerprint: "f"}
		first, err := p.Boards.Submit(ctx, sub)
		require.NoError(t, err)
		other := k.play("coins", "p1", 7)
		other.Idempotency = game.IdempotencyRecord{ID: "two", Fingerprint: "g"}
		second, err := p.Boards.Submit(ctx, other)
		require.NoError(t, err)
		require.Equal(t, leaderboard.Outcome{Status: game.Improved, Score: 12, Rank: 1, Total: 1}, second)
		again, err := k.process().Boards.Submit(ctx, sub)
		require.NoError(t, err)
		require.Equal(t, leaderboard.Outcome{Status: game.Replayed, Score: first.Score, Rank: first.Rank, Total: first.Total}, again)
		// The rank of then is out of the players of then, however many there are by now.
		for n, of := range []*process{p, k.process()} { // which knows how many there are, and which does not
			late := k.play("coins", "p2", 3)
			late.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint("late", n), Fingerprint: "f"}
			then, err := of.Boards.Submit(ctx, late)
			require.NoError(t, err)
			for i := range 9 {
				better := k.play("coins", fmt.Sprint("better", i), 40)
				better.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(late.Idempotency.ID, i), Fingerprint: "f"}
				_, err := p.Boards.Submit(ctx, better)
				require.NoError(t, err)
			}
			for _, answering := range []*process{of, k.process()} {
				again, err := answering.Boards.Submit(ctx, late)
				require.NoError(t, err)
				require.Equal(t, leaderboard.Outcome{Status: game.Replayed, Score: then.Score, Rank: then.Rank, Total: then.Total}, again)
			}
		}
		sub.Idempotency.Fingerprint = "another body"
		_, err = p.Boards.Submit(ctx, sub)
		require.ErrorIs(t, err, leaderboard.ErrKeyReused)
		card, err := p.Boards.Card(ctx, k.dayBoard(p, "coins"), "p1")
		require.NoError(t, err)
		require.Equal(t, game.Score(12), card.Score, "neither replay left anything behind")
	})
}
