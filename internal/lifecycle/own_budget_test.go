package lifecycle_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// ownWeek makes three players play every mode on each day of a week, up to noon of the last of
// some days. Others look at these days then.
func (k *kit) ownWeek(t *testing.T, days int) {
	ctx := context.Background()
	monday := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	for day := range days {
		k.clock.Set(monday.AddDate(0, 0, day).Add(-time.Hour))
		if day > 0 {
			_, err := runDaily(ctx, k.process(), nil)
			require.NoError(t, err)
		}
		for i, player := range []string{"idle", "busy", "other"} {
			if day == days-1 && player == "busy" {
				continue // plays later
			}
			for _, m := range k.game.Modes {
				k.ownPlay(t, m.Name, player, game.Score(10+i))
			}
		}
	}
	k.clock.Set(monday.AddDate(0, 0, days-1))
}

func (k *kit) ownPlay(t *testing.T, mode, player string, score game.Score) {
	sub := k.play(mode, player, score)
	sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(mode, player, sub.At), Fingerprint: "f"}
	sub.Profile = game.Profile{Name: player, Country: "BR"}
	if sub.Mode.HasScope(game.Group) {
		sub.Scopes = []game.Scope{group(t, "red")}
	}
	_, err := k.process().Boards.Submit(context.Background(), sub)
	require.NoError(t, err)
}

// What a player's own standing costs in a process that knows its boards to be fresh: if the
// player has not played for an hour, just after a play that another process took, and once
// more after that. Other players look at the boards as well.
func TestOwnStandingsStayWithinTheirBudgets(t *testing.T) {
	week := func(mode string, scope game.Scope) func(*kit) game.Board {
		return func(k *kit) game.Board {
			return game.BoardOf(k.mode(mode), game.Week.Of(k.game.Today(k.clock.Now())), scope)
		}
	}
	of := func(kind game.PeriodKind, mode string, scope game.Scope) func(*kit) game.Board {
		return func(k *kit) game.Board {
			return game.BoardOf(k.mode(mode), kind.Of(k.game.Today(k.clock.Now())), scope)
		}
	}
	xp := func(k *kit) game.Board {
		return game.BoardOf(&game.ModeOfXP, game.AllTime.Of(game.Date{}), game.Scope{})
	}
	br, sa, red := country(t, "BR"), region(t, "SA"), group(t, "red")
	onEngines(t, func(t *testing.T, k *kit) {
		k.ageless()
		type row struct {
			name                string
			days                int // days of the week that have been played
			board               func(*kit) game.Board
			way                 string
			steady, just, again int64
		}
		spends := func(t *testing.T, row row) {
			ctx := context.Background()
			k.empty()
			k.ownWeek(t, row.days)
			b := row.board(k)
			p := k.process()
			look := func(player string) (commands int64) {
				commands, _ = p.spent(func() {
					_, found, err := ownScore(ctx, p, b, player, row.way)
					require.NoError(t, err)
					require.True(t, found)
				})
				return commands
			}
			now := k.clock.Now()
			see := func(p *process) {
				if earlier, ok := b.Period.Previous(); ok { // the board before, which is over
					_, err := p.Boards.Page(ctx, game.BoardOf(b.Mode, earlier, b.Scope), game.PageRequest{Limit: 10})
					require.NoError(t, err)
				}
				_, err := p.Boards.Page(ctx, b, game.PageRequest{Limit: 10})
				require.NoError(t, err)
			}
			see(k.process())
			k.clock.Set(now)
			see(p)
			now = k.clock.Now()
			steady := look("idle")
			for _, m := range k.game.Modes {
				k.ownPlay(t, m.Name, "busy", 12)
			}
			k.clock.Set(now) // the same interval
			just := look("busy")
			again := look("busy")
			require.Equal(t, [3]int64{row.steady, row.just, row.again}, [3]int64{steady, just, again}, "steady, just after, once more")
		}
		for _, row := range []row{
			{"card of the week, Monday, with a name", 1, week("first", game.Scope{}), "card", 3, 5, 4},
			{"card of the week, Wednesday", 3, week("first", game.Scope{}), "card", 3, 6, 4},
			{"card of the week, Saturday", 6, week("first", game.Scope{}), "card", 3, 9, 4},
			{"card of the week, Sunday", 7, week("first", game.Scope{}), "card", 3, 10, 4},
			{"around in the week, Sunday", 7, week("first", game.Scope{}), "around", 1, 1, 1},
			{"friends in the week, Sunday", 7, week("first", game.Scope{}), "friends", 3, 9, 3},
			{"card of the week, best", 7, week("best", game.Scope{}), "card", 3, 4, 4},
			{"card of the week, latest", 7, week("latest", game.Scope{}), "card", 3, 4, 4},
			{"card of the month", 7, of(game.Month, "first", game.Scope{}), "card", 4, 13, 5},
			{"card of all time", 7, of(game.AllTime, "first", game.Scope{}), "card", 3, 12, 4},
			{"card of all time, best", 7, of(game.AllTime, "best", game.Scope{}), "card", 3, 4, 4},
			{"card of the day in a country", 7, of(game.Day, "fastest", br), "card", 4, 6, 5},
			{"card of the week in a country, Wednesday", 3, week("first", br), "card", 4, 7, 5},
			{"card of the day in a region", 7, of(game.Day, "fastest", sa), "card", 4, 6, 5},
			{"card of the week in a region, Wednesday", 3, week("first", sa), "card", 4, 7, 5},
			{"card of the day in a group", 7, of(game.Day, "fastest", red), "card", 3, 3, 3},
			{"card of the week in a group, Wednesday", 3, week("first", red), "card", 4, 7, 5},
			{"card of XP, two modes of which give any", 7, xp, "card", 4, 8, 5},
		} {
			t.Run(row.name, func(t *testing.T) { spends(t, row) })
		}
	})
}
