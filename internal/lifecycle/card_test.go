package lifecycle_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Nobody looks at last week after its last score. Early on Monday, in the grace or after it, a
// card of this week still shows the rank that last week's board has.
func TestTheRankBeforeIsThatOfTheBoardBefore(t *testing.T) {
	monday := time.Date(2026, 11, 16, 0, 5, 0, 0, time.UTC)
	for _, name := range []string{"first", "best", "fastest", "latest", "coins", "shared", "golf"} {
		for _, at := range []time.Time{monday, monday.Add(20 * time.Minute), monday.AddDate(0, 0, 3)} {
			t.Run(fmt.Sprint(name, at.Format(" Mon 15:04")), func(t *testing.T) {
				onEngines(t, func(t *testing.T, k *kit) {
					ctx := t.Context()
					n := 0
					play := func(at time.Time, player string, score game.Score) {
						k.clock.Set(at)
						s := k.play(name, player, score)
						n++
						s.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(n), Fingerprint: "f"}
						_, err := k.process().Boards.Submit(ctx, s)
						require.NoError(t, err)
					}
					for i := range 5 {
						play(monday.AddDate(0, 0, -4), fmt.Sprintf("p%d", i), game.Score(5+i))
					}
					seen := k.process()
					_, err := seen.Boards.Card(ctx, weekBoard(k, seen, name), "p0")
					require.NoError(t, err)
					for i := range 5 { // and the order reverses
						play(monday.Add(-time.Hour), fmt.Sprintf("p%d", i), game.Score(20-4*i))
					}
					play(monday, "p0", 9)
					k.clock.Set(at)
					if at.Sub(monday) > 24*time.Hour { // by then cron-weekly has made it
						made := k.process()
						k.clock.Set(monday.Add(2 * time.Hour))
						require.NoError(t, made.Rollup.Refresh(ctx, game.BoardOf(k.mode(name), game.Week.Of(game.NewDate(2026, time.November, 15)), game.Scope{})))
						k.clock.Set(at)
					}
					week := func(p *process) game.Board {
						return game.BoardOf(k.mode(name), game.Week.Of(game.NewDate(2026, time.November, 16)), game.Scope{})
					}
					card, err := seen.Boards.Card(ctx, week(seen), "p0")
					require.NoError(t, err)
					fresh := k.process()
					lastWeek := game.BoardOf(k.mode(name), game.Week.Of(game.NewDate(2026, time.November, 15)), game.Scope{})
					before, err := fresh.Boards.Card(ctx, lastWeek, "p0")
					require.NoError(t, err)
					require.Equal(t, before.Rank, card.PreviousRank)
					again, err := fresh.Boards.Card(ctx, week(fresh), "p0")
					require.NoError(t, err)
					require.Equal(t, before.Rank, again.PreviousRank)
				})
			})
		}
	}
}

// Scores come in between the commands of a read: no answer contradicts itself.
func TestReadsAgreeWithThemselvesWhileOthersWrite(t *testing.T) {
	overREST(t, func(t *testing.T, k *kit) {
		for _, name := range []string{"shared_best", "shared_fastest", "best"} {
			ctx := t.Context()
			p := &plainBoard{k, k.dayBoard(k.process(), name), map[string]float64{}}
			better, n := 19.5, 0
			if k.mode(name).Order == game.Asc {
				better = 0.5
			}
			start := map[string]float64{}
			for i := range 40 {
				start[fmt.Sprintf("p%02d", i)] = float64(5+i/10) + 0.01
			}
			p.put(t, start)
			var mu sync.Mutex
			k.server.Inject(func(upstashtest.Request) upstashtest.Fault { // before each round trip
				mu.Lock()
				defer mu.Unlock()
				for range 7 {
					n++
					p.put(t, map[string]float64{fmt.Sprintf("new%04d", n): better})
				}
				return upstashtest.Fault{}
			})
			agrees := func(what string, total int64, entries ...game.Entry) {
				last := int64(1)
				for i, e := range entries {
					require.GreaterOrEqual(t, e.Rank, last, what)
					require.LessOrEqual(t, e.Rank, total-int64(len(entries)-1-i), what)
					percentile := game.Percentile(e.Rank, total)
					require.True(t, percentile > 0 && percentile <= 100, what)
					last = e.Rank
				}
			}
			old := k.process()
			for i := range 40 {
				player := fmt.Sprintf("p%02d", i)
				for _, process := range []*process{old, k.process()} {
					card, err := process.Boards.Card(ctx, p.b, player)
					require.NoError(t, err)
					agrees("card", card.Total, card.Entry)
					near, err := process.Boards.Around(ctx, p.b, player, 3)
					require.NoError(t, err)
					agrees("around", near.Total, near.Entries...)
					page, err := process.Boards.Page(ctx, p.b, game.PageRequest{Limit: 5, Offset: int64(i)})
					require.NoError(t, err)
					agrees("page", page.Total, page.Entries...)
					page, err = process.Boards.Page(ctx, p.b, game.PageRequest{Limit: 5, Cursor: page.Next})
					require.NoError(t, err)
					agrees("page after a cursor", page.Total, page.Entries...)
				}
			}
			k.server.Inject(nil)
			p.do(t, "FLUSHALL")
		}
	})
}

// A card of a week shows the rank that the player has in the week before. A removal from that
// week shows at once.
func TestACardHasTheRankInTheWeekBefore(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		for name, want := range map[string]int64{"first": 3, "golf": 3, "shared": 5} { // commands: the day, both ranks, and with shared ties who is ahead on both
			t.Run(name, func(t *testing.T) {
				ctx := context.Background()
				k.empty()
				monday := game.Week.Of(game.DateOf(noon)).First().Midnight().Add(12 * time.Hour)
				k.elapsed = func() time.Duration { return k.clock.Now().Sub(monday) }
				other, p := k.process(), k.process()
				p.Rollup.UniteUpTo = 0
				play := func(at time.Time, player string, score game.Score) {
					k.clock.Set(at)
					_, err := other.Boards.Submit(ctx, k.play(name, player, score))
					require.NoError(t, err)
				}
				players := []string{"ana", "ben", "cleo", "dan", "eve"}
				for i, player := range players {
					play(monday.AddDate(0, 0, -4), player, game.Score(10+i/2)) // some tie
					play(monday, player, 7)
				}
				last := game.BoardOf(k.mode(name), game.Week.Of(game.DateOf(monday.AddDate(0, 0, -4))), game.Scope{})
				was := func() map[string]int64 {
					ranks := map[string]int64{}
					page, err := k.process().Boards.Page(ctx, last, game.PageRequest{Limit: 10})
					require.NoError(t, err)
					for _, e := range page.Entries {
						ranks[e.Player] = e.Rank
					}
					return ranks
				}
				look := func(player string) (rank, commands int64) {
					commands, _ = p.spent(func() {
						card, err := p.Boards.Card(ctx, weekBoard(k, p, name), player)
						require.NoError(t, err)
						rank = card.PreviousRank
					})
					return rank, commands
				}
				k.clock.Set(monday.Add(5 * time.Minute)) // the week has what was played
				truth := was()
				require.Len(t, truth, len(players))
				_, _ = look("ana") // makes both weeks
				for _, player := range players {
					rank, _ := look(player)
					require.Equal(t, truth[player], rank, player)
				}
				rank, commands := look("eve")
				require.Equal(t, truth["eve"], rank)
				require.EqualValues(t, want, commands)

				_, err := p.Repair.RemoveScore(ctx, k.mode(name), game.DateOf(monday.AddDate(0, 0, -4)), "ana", nil)
				require.NoError(t, err)
				truth = was()
				require.NotContains(t, truth, "ana")
				for _, player := range players[1:] {
					rank, _ := look(player)
					require.Equal(t, truth[player], rank, player)
				}
				rank, _ = look("ana")
				require.Zero(t, rank)
			})
		}
	})
}
