package lifecycle_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/upstash"
)

// However seldom a player plays, a submission costs two commands, and the look at the board
// after it one.
func TestASmallBoardIsReadWholeWhenItsTotalIsDue(t *testing.T) {
	for _, mode := range []string{"first", "best", "latest", "shared", "shared_best"} {
		onEngines(t, func(t *testing.T, k *kit) {
			pass := k.aging()
			ctx := context.Background()
			p := k.process()
			names := int64(0)
			for i := range 30 {
				pass(time.Minute)
				k.clock.Set(noon.Add(time.Duration(i) * time.Second))
				var outcome leaderboard.Outcome
				commands, trips := p.spent(func() {
					var err error
					outcome, err = p.Boards.Submit(ctx, k.play(mode, fmt.Sprint("p", i), game.Score(i%7)))
					require.NoError(t, err)
				})
				if i > 1 && i%15 > 0 { // these do housekeeping, note it, or read the bans
					require.Equal(t, []int64{2, 1}, []int64{commands, trips}, mode)
				}
				require.EqualValues(t, i+1, outcome.Total)
				commands, _ = p.spent(func() {
					page, err := p.Boards.Page(ctx, k.dayBoard(p, mode), game.PageRequest{Limit: 100})
					require.NoError(t, err)
					require.Len(t, page.Entries, i+1)
					require.EqualValues(t, i+1, page.Total)
					for _, e := range page.Entries {
						if e.Player == fmt.Sprint("p", i) {
							require.Equal(t, outcome.Rank, e.Rank)
						}
					}
				})
				if i > 0 {
					names += commands
				}
			}
			require.LessOrEqual(t, names, int64(29+40), "the board, the name of who is new, and everybody's anew after a quarter of an hour")
			fresh := k.process()
			require.Equal(t, wholeBoard(t, fresh, k.dayBoard(fresh, mode), 7), wholeBoard(t, p, k.dayBoard(p, mode), 100))
		})
	}
}

// A new process takes unknown boards to be as large as the largest board that it knows.
func TestABoardIsTakenToBeAsLargeAsOthers(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.ageless()
		ctx := context.Background()
		fill := func(mode string, players int) {
			var subs []game.Submission
			for i := range players {
				subs = append(subs, k.play(mode, fmt.Sprintf("p%04d", i), game.Score(i%7)))
			}
			for _, o := range k.process().Boards.SubmitBatch(ctx, subs[:min(len(subs), 1000)]) {
				require.NoError(t, o.Err)
			}
			for _, o := range k.process().Boards.SubmitBatch(ctx, subs[min(len(subs), 1000):]) {
				require.NoError(t, o.Err)
			}
		}
		fill("first", 30)
		fill("best", 40)
		fill("latest", 20)
		fill("fastest", 1300)
		// Commands about boards, without those for names and keys.
		counts := func(do func(ctx context.Context)) map[string]int64 {
			var meter upstash.Meter
			do(upstash.WithMeter(ctx, &meter))
			asked := map[string]int64{}
			for name, n := range meter.Usage().ByName {
				if slices.Contains([]string{"ZRANGE", "ZREVRANGE", "ZCARD", "ZRANK", "ZREVRANK"}, name) {
					asked[name] = n
				}
			}
			return asked
		}
		var outcome leaderboard.Outcome
		submit := func(p *process, mode, player string, total int64) map[string]int64 {
			return counts(func(ctx context.Context) {
				var err error
				outcome, err = p.Boards.Submit(ctx, k.play(mode, player, 3))
				require.NoError(t, err)
				require.Equal(t, total, outcome.Total)
			})
		}
		whole := map[string]int64{"ZRANGE": 1}

		p := k.process()
		require.Equal(t, whole, submit(p, "first", "a", 31), "it knows of no large one")
		require.Equal(t, whole, submit(p, "best", "a", 41))
		require.Equal(t, map[string]int64{"ZRANGE": 1, "ZRANK": 1, "ZCARD": 1}, submit(p, "fastest", "a", 1301), "it has outgrown being read")
		fresh := k.process()
		around, err := fresh.Boards.Around(ctx, k.dayBoard(fresh, "fastest"), "a", 1)
		require.NoError(t, err)
		require.Equal(t, outcome.Rank, around.Entries[1].Rank)
		require.Equal(t, map[string]int64{"ZRANK": 1}, submit(p, "fastest", "p0007", 1301), "the total is known")
	})
}

// A page shows what this process has written before.
func TestAPageHasOwnWritesAtOnce(t *testing.T) {
	k := newKit(t, "")
	k.ageless()
	ctx := context.Background()
	rapid.Check(t, func(rt *rapid.T) {
		k.empty()
		p, fresh := k.process(), k.process()
		mode := rapid.SampledFrom([]string{"first", "best", "latest", "fastest", "shared", "shared_best", "coins"}).Draw(rt, "mode")
		limit := rapid.Int64Range(1, 6).Draw(rt, "limit")
		for step := range rapid.IntRange(1, 20).Draw(rt, "steps") {
			k.clock.Set(noon.Add(time.Duration(step) * time.Second))
			sub := k.play(mode, fmt.Sprint("p", rapid.IntRange(0, 9).Draw(rt, "player")), game.Score(rapid.IntRange(1, 5).Draw(rt, "score")))
			sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(step), Fingerprint: "f"}
			_, err := p.Boards.Submit(ctx, sub)
			require.NoError(rt, err)
			held, err := p.Boards.Page(ctx, k.dayBoard(p, mode), game.PageRequest{Limit: limit})
			require.NoError(rt, err)
			fresh.Notices.Forget()
			read, err := fresh.Boards.Page(ctx, k.dayBoard(fresh, mode), game.PageRequest{Limit: limit})
			require.NoError(rt, err)
			require.Equal(rt, read.Entries, held.Entries)
			require.Equal(rt, read.Total, held.Total)
			require.Equal(rt, read.Next, held.Next)
		}
	})
}

// Wherever the player is guessed to be, the places around equal those of a process that
// guesses nothing.
func TestSurroundingsAreTheSameHoweverTheyAreFound(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		pass := k.aging()
		ctx := context.Background()
		k.inhabit(t, 1500)
		p := k.process()
		for i := range 40 {
			player := fmt.Sprintf("x%02d", i)
			_, err := p.Boards.Submit(ctx, k.play("first", player, game.Score(i*997%1000)))
			require.NoError(t, err)
			if i%4 == 0 { // other scores come in before the look
				var subs []game.Submission
				for n := range 20 * (i % 8) {
					subs = append(subs, k.play("first", fmt.Sprintf("y%d-%d", i, n), 999))
				}
				for _, o := range k.process().Boards.SubmitBatch(ctx, subs) {
					require.NoError(t, o.Err)
				}
			}
			for _, reach := range []int64{1, 5, 50} {
				guessed, err := p.Boards.Around(ctx, k.dayBoard(p, "first"), player, reach)
				require.NoError(t, err)
				fresh := k.process()
				found, err := fresh.Boards.Around(ctx, k.dayBoard(fresh, "first"), player, reach)
				require.NoError(t, err)
				require.Equal(t, found.Entries, guessed.Entries)
				require.Len(t, guessed.Entries, int(2*reach+1))
			}
		}
		pass(time.Millisecond)
		_, err := p.Boards.Submit(ctx, k.play("first", "z", 500))
		require.NoError(t, err)
		commands, trips := p.spent(func() {
			_, err := p.Boards.Around(ctx, k.dayBoard(p, "first"), "z", 5)
			require.NoError(t, err)
		})
		require.EqualValues(t, 1, trips-min(trips-1, 1), "one round trip, and one for names")
		require.LessOrEqual(t, commands, int64(3))
		_, err = p.Boards.Around(ctx, k.dayBoard(p, "first"), "nobody", 5)
		require.ErrorIs(t, err, leaderboard.ErrNotOnBoard)
	})
}

// A write shows its player what it has read of the board: the places around equal those of a
// process that reads them anew. They cost no command.
func TestAShownWriteTellsThePlacesAround(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.ageless()
		ctx := context.Background()
		answer := 0
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			p := k.process()
			reads := leaderboard.NewReader(p.Boards, nil, nil)
			mode := rapid.SampledFrom([]string{"first", "best", "latest", "fastest", "shared", "shared_best"}).Draw(rt, "mode")
			play := func(name string) game.Submission {
				return k.play(mode, fmt.Sprint("p", rapid.IntRange(0, 19).Draw(rt, name)), game.Score(rapid.IntRange(1, 9).Draw(rt, "score")))
			}
			for step := range rapid.IntRange(1, 20).Draw(rt, "steps") {
				k.clock.Set(noon.Add(time.Duration(step) * time.Second))
				_, err := k.process().Boards.Submit(ctx, play("other"))
				require.NoError(rt, err)
				sub := play("player")
				sub.ShowsAround = true
				outcome, err := p.Boards.Submit(ctx, sub)
				require.NoError(rt, err)
				var shown leaderboard.Answer[game.Page]
				look := func() {
					shown, err = reads.Around(ctx, k.dayBoard(p, mode), sub.Player, 3, outcome.Hint())
					require.NoError(rt, err)
				}
				look()
				if outcome.Whole != nil {
					answer++
					commands, _ := p.spent(look) // now the process knows the names
					require.Zero(rt, commands)
					require.EqualValues(rt, len(outcome.Whole), outcome.Total)
				}
				fresh := k.process()
				found, err := fresh.Boards.Around(ctx, k.dayBoard(fresh, mode), sub.Player, 3)
				require.NoError(rt, err)
				require.Equal(rt, found.Entries, shown.Found.Entries)
				require.Equal(rt, found.Total, shown.Found.Total)
			}
		})
		require.Positive(t, answer)
	})
}

// A write that reads the whole board, since its total is due, has counted its own player
// already: the top that it leaves in memory does not count that player twice.
func TestATotalIsNeverTooHighWhereTheBoardIsLongerThanItsTop(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		l := k.living()
		for i := range 300 {
			l.play(t, fmt.Sprintf("p%03d", i), game.Score(1000-i))
			if i%25 == 24 {
				l.elapsed += 11 * time.Second // the total is due
			}
			page, err := l.Boards.Page(t.Context(), k.dayBoard(l.process, "first"), game.PageRequest{Limit: 10})
			require.NoError(t, err)
			require.EqualValues(t, i+1, page.Total)
		}
	})
}

// Whatever has happened to a board since a process last saw it, and whether it is small or not,
// its answers equal those of a process that remembers nothing.
func TestAnswersAreThoseOfAProcessThatRemembersNothing(t *testing.T) {
	for _, mode := range []string{"first", "best", "fastest"} {
		t.Run(mode, func(t *testing.T) {
			onEngines(t, func(t *testing.T, k *kit) { k.answersOnAGrowingBoard(t, mode, 1100, 1600, 80, 60) })
		})
		t.Run(mode+", small", func(t *testing.T) {
			onEngines(t, func(t *testing.T, k *kit) { k.answersOnAGrowingBoard(t, mode, 150, 100, 20, 30) })
		})
	}
}

// answersOnAGrowingBoard plays on a board that begins with so many players, grows by a few at a
// time and by a leap at once, and loses some at both ends.
func (k *kit) answersOnAGrowingBoard(t *testing.T, mode string, begins, leap, lost, few int) {
	lots := rand.New(rand.NewPCG(5, 6))
	pass := k.aging()
	b := k.dayBoard(k.process(), mode)
	players := 0
	crowd := func(n int) {
		var subs []game.Submission
		for range n {
			players++
			subs = append(subs, k.play(mode, fmt.Sprint("c", players), game.Score(1+lots.IntN(999))))
		}
		for many := range slices.Chunk(subs, 1000) {
			for _, o := range k.process().Boards.SubmitBatch(t.Context(), many) {
				require.NoError(t, o.Err)
			}
		}
	}
	crowd(begins)
	p := k.process()
	reader := k.process()
	for i := range 200 {
		pass(time.Duration(lots.IntN(12)) * time.Second)
		switch {
		case i%40 == 39:
			crowd(leap) // of a large board more than a run may have grown by
		case i%50 == 49: // removed, without a note to any process
			k.redis.Do("ZREMRANGEBYRANK", b.Key, "0", strconv.Itoa(lost))
			k.redis.Do("ZREMRANGEBYRANK", b.Key, strconv.Itoa(-1-lost), "-1")
		case i%8 == 0:
			crowd(lots.IntN(few))
		}
		sub := k.play(mode, fmt.Sprint("player", lots.IntN(300)), game.Score(1+lots.IntN(999)))
		sub.ShowsAround = lots.IntN(2) == 0
		var used upstash.Meter
		outcome, err := p.Boards.Submit(upstash.WithMeter(t.Context(), &used), sub)
		require.NoError(t, err)
		fresh := k.process()
		current, err := fresh.Boards.Card(t.Context(), b, sub.Player)
		require.NoError(t, err)
		require.Equal(t, current.Rank, outcome.Rank)
		require.Equal(t, current.Score, outcome.Score)
		if used.Usage().ByName["ZCARD"] > 0 || outcome.Whole != nil {
			require.Equal(t, current.Total, outcome.Total)
		}
		if sub.ShowsAround {
			k.surroundings(t, p, b, sub.Player, outcome.Hint())
		}
		if i%3 == 0 { // another function answers, which knows the board as it was a while ago
			k.surroundings(t, reader, b, sub.Player, leaderboard.PlaceHint{Rank: max(1, outcome.Rank+lots.Int64N(120)-60)})
		}
	}
}

// The places around, found with a hint that may be wrong, equal those of a process that
// remembers nothing.
func (k *kit) surroundings(t *testing.T, reader *process, b game.Board, player string, seen leaderboard.PlaceHint) {
	reads := leaderboard.NewReader(reader.Boards, nil, nil)
	var used upstash.Meter
	shown, err := reads.Around(upstash.WithMeter(t.Context(), &used), b, player, 5, seen)
	require.NoError(t, err)
	other, err := k.process().Boards.Around(t.Context(), b, player, 5)
	require.NoError(t, err)
	require.Equal(t, other.Entries, shown.Found.Entries)
	if used.Usage().ByName["ZCARD"] > 0 || seen.Whole != nil {
		require.Equal(t, other.Total, shown.Found.Total)
	}
}
