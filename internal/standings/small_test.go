package standings_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
)

// However seldom somebody plays, a submission costs two commands, and the look
// at the board after it none.
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
				var outcome board.Outcome
				commands, trips := p.spent(func() {
					var err error
					outcome, err = p.Boards.Submit(ctx, k.play(mode, fmt.Sprint("p", i), game.Score(i%7)))
					require.NoError(t, err)
				})
				if i > 0 && i%15 > 0 { // the first one sees to the keys, and every quarter of an hour to the bans
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
			require.LessOrEqual(t, names, int64(6), "to know everybody, and that thrice in half an hour")
			fresh := k.process()
			require.Equal(t, wholeBoard(t, fresh, k.dayBoard(fresh, mode), 7), wholeBoard(t, p, k.dayBoard(p, mode), 100))
		})
	}
}

// A page that is held in memory shows what this process writes, in its place.
func TestAPageInMemoryTakesOwnWritesIn(t *testing.T) {
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

// Wherever the player is guessed to be, the surroundings are those that a
// process finds that guesses nothing.
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
			if i%4 == 0 { // others come in before the look
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
		require.ErrorIs(t, err, board.ErrNotOnBoard)
	})
}

// A write that reads the whole board, since its total is due, has counted its
// own player: the top that it leaves in memory does not count that one twice.
func TestATotalIsNeverTooHighWhereTheBoardIsLongerThanItsTop(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		l := k.living()
		for i := range 300 {
			l.play(t, fmt.Sprintf("p%03d", i), game.Score(1000-i))
			if i%25 == 24 {
				l.wait(11 * time.Second) // the total is due
			}
			page, err := l.Boards.Page(t.Context(), k.dayBoard(l.process, "first"), game.PageRequest{Limit: 10})
			require.NoError(t, err)
			require.EqualValues(t, i+1, page.Total)
		}
	})
}
