package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Budgets in the steady state: the process knows the board's total and that
// its keys have their expiry. Each row fails when its operation spends one
// command or round trip more than it says.
func TestOperationsStayWithinTheirBudgets(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.ageless()
		ctx := context.Background()
		red := group(t, "red")
		submit := func(sub func() game.Submission) func(*process) {
			return func(p *process) {
				_, err := p.Boards.Submit(ctx, sub())
				require.NoError(t, err)
			}
		}
		later := func(do func(*process)) func(*process) {
			return func(p *process) {
				k.clock.Set(noon.Add(time.Minute))
				do(p)
			}
		}
		players := make([]string, 500)
		for i := range players {
			players[i] = fmt.Sprintf("p%d", i)
		}
		n := 0
		fresh := func() string { n++; return fmt.Sprintf("new%d", n) }
		once := func() game.IdempotencyRecord {
			n++
			return game.IdempotencyRecord{ID: fmt.Sprintf("once%d", n), Fingerprint: "f"}
		}
		page := func(mode string, offset int64) func(*process) {
			return func(p *process) {
				_, err := p.Boards.Page(ctx, k.dayBoard(p, mode), game.PageRequest{Limit: 100, Offset: offset})
				require.NoError(t, err)
			}
		}
		batch := func(mode string) func(*process) {
			return func(p *process) {
				var subs []game.Submission
				for range 1000 {
					subs = append(subs, k.play(mode, fresh(), 7))
				}
				for _, o := range p.Boards.SubmitBatch(ctx, subs) {
					require.NoError(t, o.Err)
				}
			}
		}
		rows := []struct {
			name                 string
			do                   func(*process)
			commands, roundTrips int64
		}{
			{"card in a group, first", func(p *process) {
				_, err := p.Boards.Card(ctx, game.BoardOf(k.mode("first"), k.dayBoard(p, "first").Period, red), "p1")
				require.NoError(t, err)
			}, 3, 1},
			{"card in a group, best", func(p *process) {
				_, err := p.Boards.Card(ctx, game.BoardOf(k.mode("best"), k.dayBoard(p, "best").Period, red), "p1")
				require.NoError(t, err)
			}, 4, 1}, // the own entry of the day, and then that of the group
			{"first, accepted", submit(func() game.Submission { return k.play("first", fresh(), 500) }), 2, 1},
			{"first, kept", submit(func() game.Submission { return k.play("first", "p1", 900) }), 2, 1},
			{"first, with a group", submit(func() game.Submission {
				s := k.play("first", "member", 500)
				s.Scopes = []game.Scope{red}
				return s
			}), 5, 1},
			{"first, with a group that is new to the player", submit(func() game.Submission {
				s := k.play("first", fresh(), 500)
				s.Scopes = []game.Scope{red}
				return s
			}), 6, 1},
			{"first, with two groups", submit(func() game.Submission {
				s := k.play("first", fresh(), 500)
				s.Scopes = []game.Scope{red, group(t, "blue")} // both new to the player: one command keeps both
				return s
			}), 8, 1},
			{"first, kept with a group", submit(func() game.Submission {
				s := k.play("first", "p1", 900)
				s.Scopes = []game.Scope{red}
				return s
			}), 5, 1},
			{"best, improved with a group", submit(func() game.Submission {
				n++
				s := k.play("best", "p1", 90000+game.Score(n))
				s.Scopes = []game.Scope{red}
				return s
			}), 5, 1},
			{"sum, with a group", submit(func() game.Submission {
				s := k.play("coins", "p1", 5)
				s.Idempotency, s.Scopes = once(), []game.Scope{red}
				return s
			}), 6, 1},
			{"first, with details", submit(func() game.Submission {
				s := k.play("first", fresh(), 500)
				s.Details = []byte(`{"guesses":2}`)
				return s
			}), 3, 1},
			{"best, accepted", submit(func() game.Submission { return k.play("best", fresh(), 500) }), 2, 1},
			{"best, improved", submit(func() game.Submission { return k.play("best", "p1", 90000+game.Score(n)) }), 2, 1},
			{"best, kept", submit(func() game.Submission { return k.play("best", "p1", 1) }), 2, 1},
			{"best, improved with details", submit(func() game.Submission {
				n++
				s := k.play("best", "p1", 90000+game.Score(n))
				s.Details = []byte(`{}`)
				return s
			}), 3, 2},
			{"latest, accepted", submit(func() game.Submission { return k.play("latest", fresh(), 5) }), 2, 1},
			{"latest, replaced", later(submit(func() game.Submission { return k.play("latest", "p1", -5) })), 4, 1},
			{"sum, first of the day", submit(func() game.Submission {
				s := k.play("coins", fresh(), 5)
				s.Idempotency = once()
				return s
			}), 4, 1},
			{"sum, added", submit(func() game.Submission {
				s := k.play("coins", "p1", 5)
				s.Idempotency = once()
				return s
			}), 4, 1},
			{"shared ranks, accepted", submit(func() game.Submission { return k.play("shared", fresh(), 5) }), 2, 1},
			{"shared ranks, kept", submit(func() game.Submission { return k.play("shared", "p1", 20) }), 4, 3},
			{"page of 100, total and names known", page("first", 100), 1, 1},
			{"page of 100, read before", func(p *process) {
				page("fastest", 0)(p)
			}, 0, 0},
			{"card, with the day before", func(p *process) {
				_, err := p.Boards.Card(ctx, k.dayBoard(p, "fastest"), "p1")
				require.NoError(t, err)
			}, 2, 1},
			{"card, with details", func(p *process) {
				_, err := p.Boards.Card(ctx, k.dayBoard(p, "first"), "p1")
				require.NoError(t, err)
			}, 3, 1},
			{"card of the week, with the week before", func(p *process) {
				_, err := p.Boards.Card(ctx, weekBoard(k, p, "first"), "p1")
				require.NoError(t, err)
			}, 3, 1}, // the own entry of the day, for when it was played
			{"around", func(p *process) {
				_, err := p.Boards.Around(ctx, k.dayBoard(p, "fastest"), "p200", 5)
				require.NoError(t, err)
			}, 1, 1},
			{"look-up of 500", func(p *process) {
				_, err := p.Boards.Lookup(ctx, k.dayBoard(p, "fastest"), players)
				require.NoError(t, err)
			}, 1, 1},
			{"friends, 500", func(p *process) {
				entries, err := p.Boards.LookupFriends(ctx, k.dayBoard(p, "fastest"), "p0")
				require.NoError(t, err)
				require.Len(t, entries, 500)
			}, 1, 1},
			{"friends, none", func(p *process) {
				entries, err := p.Boards.LookupFriends(ctx, k.dayBoard(p, "fastest"), "p1")
				require.NoError(t, err)
				require.Len(t, entries, 1)
			}, 2, 2},
			{"batch of 1,000 on a small board", batch("fastest"), 3, 1},
			{"batch of 1,000 on a large board", batch("golf"), 4, 1},
			{"week, fresh", func(p *process) {
				_, err := p.Boards.Page(ctx, weekBoard(k, p, "first"), game.PageRequest{Limit: 100, Offset: 100})
				require.NoError(t, err)
			}, 1, 1},
		}
		k.clock.Set(noon)
		p := k.process()
		for _, mode := range []string{"first", "best", "fastest", "latest", "shared"} {
			var subs []game.Submission
			for i, player := range players {
				s := k.play(mode, player, game.Score(i%20+1))
				s.Scopes = []game.Scope{red}
				s.Details = []byte(`{}`)
				if mode == "shared" || mode == "latest" || mode == "fastest" {
					s.Scopes = nil
				}
				if mode == "shared" || mode == "fastest" {
					s.Details = nil
				}
				subs = append(subs, s)
			}
			for _, o := range p.Boards.SubmitBatch(ctx, subs) {
				require.NoError(t, o.Err)
			}
			_, err := p.Boards.Page(ctx, k.dayBoard(p, mode), game.PageRequest{Limit: 200})
			require.NoError(t, err)
			_, err = p.Boards.Lookup(ctx, k.dayBoard(p, mode), players)
			require.NoError(t, err)
		}
		friends := []string{"ZADD", game.FriendsKey("p0")}
		for _, player := range players {
			friends = append(friends, "0", player)
		}
		_, err := k.server.Redis().Do(ctx, friends...)
		require.NoError(t, err)
		for range 6 {
			batch("golf")(p)
		}
		member := k.play("best", "member", 5)
		member.Scopes = []game.Scope{red}
		_, err = p.Boards.Submit(ctx, member)
		require.NoError(t, err)
		s := k.play("coins", "p1", 5)
		s.Idempotency = once()
		_, err = p.Boards.Submit(ctx, s)
		require.NoError(t, err)
		k.clock.Set(noon)
		_, err = p.Boards.Page(ctx, weekBoard(k, p, "first"), game.PageRequest{Limit: 100})
		require.NoError(t, err)
		_, err = p.Boards.Card(ctx, weekBoard(k, p, "first"), "p1")
		require.NoError(t, err)
		for _, mode := range []string{"first", "best", "coins"} { // what a process does once
			s := k.play(mode, fresh(), 5)
			s.Idempotency, s.Scopes = once(), []game.Scope{red, group(t, "blue")}
			_, err := p.Boards.Submit(ctx, s)
			require.NoError(t, err)
			_, err = p.Boards.Page(ctx, game.BoardOf(k.mode(mode), k.dayBoard(p, mode).Period, red), game.PageRequest{Limit: 100})
			require.NoError(t, err)
		}
		_, err = p.Boards.Card(ctx, game.BoardOf(k.mode("best"), k.dayBoard(p, "best").Period, red), "p1")
		require.NoError(t, err)
		for _, row := range rows {
			t.Run(row.name, func(t *testing.T) {
				counts := k.hasWithScore(t)
				k.clock.Set(noon) // the same interval for derived boards
				stats := k.stats(t)
				commands, roundTrips := p.spent(func() { row.do(p) })
				if counts {
					require.Equal(t, k.stats(t)-stats, commands, "the meter and Redis itself disagree")
				}
				require.Equal(t, row.commands, commands, "billed commands")
				require.Equal(t, row.roundTrips, roundTrips, "round trips")
			})
		}
	})
}

// What a new process pays, with nothing in its memory. It must know the bans before it writes
// a score, and reads them every 15 minutes.
func TestColdProcessesPayForWhatTheyDoNotKnow(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.ageless()
		ctx := context.Background()
		k.clock.Set(noon.AddDate(0, 0, -1))
		_, err := k.process().Boards.Submit(ctx, k.play("best", "before", 7))
		require.NoError(t, err)
		k.clock.Set(noon)
		for i := range 150 {
			_, err := k.process().Boards.Submit(ctx, k.play("best", fmt.Sprintf("p%d", i), game.Score(i)))
			require.NoError(t, err)
		}
		rows := []struct {
			name                 string
			do                   func(*process) error
			commands, roundTrips int64
		}{
			{"submit: who is banned", func(p *process) error {
				_, err := p.Boards.Submit(ctx, k.play("best", "late", 7))
				return err
			}, 1 + 2, 1 + 1},
			{"submit: besides, an entry that the process does not know is replaced in a second round trip", func(p *process) error {
				_, err := p.Boards.Submit(ctx, k.play("best", "p5", 70))
				return err
			}, 1 + 2 + 2, 1 + 2},
			{"page of 100: the total, and names", func(p *process) error {
				_, err := p.Boards.Page(ctx, k.dayBoard(p, "best"), game.PageRequest{Limit: 100})
				return err
			}, 3, 2},
			{"page of 100 after a submission: the page, and names", func(p *process) error {
				_, err := p.Boards.Submit(ctx, k.play("best", "later", 7))
				require.NoError(t, err)
				_, err = p.Boards.Page(ctx, k.dayBoard(p, "best"), game.PageRequest{Limit: 100})
				return err
			}, 1 + 2 + 2, 1 + 1 + 2},
			{"around: total and names", func(p *process) error {
				_, err := p.Boards.Around(ctx, k.dayBoard(p, "best"), "p70", 5)
				return err
			}, 4, 3},
			{"week: lock, size, union, mark, page, names", func(p *process) error {
				_, err := p.Boards.Page(ctx, weekBoard(k, p, "best"), game.PageRequest{Limit: 100})
				return err
			}, 6, 5},
		}
		// This makes the script known to Redis, as it is to a Redis in use.
		warm := k.process()
		_, err = warm.Boards.Submit(ctx, k.play("best", "early", 7))
		require.NoError(t, err)
		_, err = k.process().Boards.Page(ctx, weekBoard(k, warm, "best"), game.PageRequest{Limit: 100})
		require.NoError(t, err)
		k.clock.Set(noon.Add(time.Minute))
		for _, row := range rows {
			t.Run(row.name, func(t *testing.T) {
				p := k.process()
				commands, roundTrips := p.spent(func() { require.NoError(t, row.do(p)) })
				require.Equal(t, row.commands, commands, "billed commands")
				require.Equal(t, row.roundTrips, roundTrips, "round trips")
			})
		}
	})
}

func weekBoard(k *kit, p *process, mode string) game.Board {
	return game.BoardOf(k.mode(mode), game.Week.Of(k.game.Today(k.clock.Now())), game.Scope{})
}

// free are commands that no plan bills.
var free = map[string]bool{"info": true, "ping": true, "hello": true, "client": true, "config": true, "auth": true, "select": true, "command": true}

// hasWithScore reports whether the engine supports ZRANK … WITHSCORE. For Redis before 7.2 the
// REST server sends and counts two commands instead.
func (k *kit) hasWithScore(tb testing.TB) bool {
	tb.Helper()
	_, err := k.server.Redis().Do(context.Background(), "ZRANK", "none", "none", "WITHSCORE")
	var refused upstashtest.EngineError
	require.True(tb, err == nil || errors.As(err, &refused), err)
	return err == nil
}

// stats returns how many commands the engine itself has counted.
func (k *kit) stats(tb testing.TB) int64 {
	tb.Helper()
	byName, err := k.server.Redis().CommandStats(context.Background())
	require.NoError(tb, err)
	var all int64
	for name, n := range byName {
		if !free[name] {
			all += n
		}
	}
	return all
}
