package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// A player who looks while a day is rolled up sees the day counted once, whichever two round
// trips of the look the roll-up comes between.
func TestADayThatIsRolledUpMeanwhileCountsOnce(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		k.ageless()
		k.game = loadGame(t, "name: g\nseasons: [{name: autumn, first: 2026-11-16, last: 2026-12-20}]\nmodes:\n  first: {max: 1000, xp: 1, scopes: [country, group], teams: sum}\n  coins: {policy: sum, max: 500, day_max: 5000, scopes: [group]}\n  fades: {max: 1000, decimals: 2, decay: {factor: 0.5, every: 7d}}\n")
		played := game.DateOf(noon) // a Wednesday, the 18th
		red := group(t, "red")
		play := func(mode, player string, d game.Date, score game.Score) {
			t.Helper()
			m := k.mode(mode)
			var scopes []game.Scope
			if m.HasScope(game.Group) {
				scopes = append(scopes, red)
			}
			_, err := k.process().Boards.Submit(ctx, game.Submission{
				Mode: m, Player: player, Date: d, Score: score, At: k.clock.Now(), Scopes: scopes,
				Profile:     game.Profile{Country: "BR"},
				Idempotency: game.IdempotencyRecord{ID: fmt.Sprint(mode, player, d), Fingerprint: "f"},
			})
			require.NoError(t, err)
		}
		// sealed is a moment at which the day takes no more writes, and has not been rolled
		// up.
		sealed := noon
		for k.clock.Set(sealed); k.process().Rollup.Calendar.Writable(played); k.clock.Set(sealed) {
			sealed = sealed.Add(time.Hour)
		}
		require.Equal(t, game.Month.Of(played), game.Month.Of(game.DateOf(sealed)))
		begin := func(later time.Duration) {
			k.empty()
			k.clock.Set(noon)
			for _, mode := range []string{"first", "coins", "fades"} {
				play(mode, "ana", played, 100)
				play(mode, "ben", played, 50)
			}
			k.clock.Set(noon.Add(14 * time.Hour))
			_, err := runDaily(ctx, k.process(), nil)
			require.NoError(t, err)
			k.clock.Set(sealed)
			for _, mode := range []string{"first", "coins", "fades"} {
				play(mode, "ana", game.DateOf(sealed), 7)
			}
			k.clock.Set(sealed.Add(later))
		}
		first, coins := k.mode("first"), k.mode("coins")
		xp, _ := k.process().DB.Game.ModeNamed(game.XPMode)
		today := game.DateOf(sealed)
		month, allTime := game.Month.Of(today), game.AllTime.Of(today)
		season, ok := k.game.PeriodOf(game.Season, today)
		require.True(t, ok)
		boards := []game.Board{
			game.BoardOf(first, season, game.Scope{}), game.BoardOf(coins, season, red), game.BoardOf(first, season, game.TeamsScope()),
			game.BoardOf(first, month, game.Scope{}), game.BoardOf(first, allTime, game.Scope{}),
			game.BoardOf(coins, month, game.Scope{}), game.BoardOf(coins, allTime, game.Scope{}),
			game.BoardOf(first, month, red), game.BoardOf(first, allTime, red), game.BoardOf(coins, allTime, red),
			game.BoardOf(first, month, country(t, "BR")),
			game.BoardOf(xp, allTime, game.Scope{}), game.BoardOf(k.mode("fades"), allTime, game.Scope{}),
			game.BoardOf(first, month, game.TeamsScope()), game.BoardOf(first, allTime, game.TeamsScope()),
		}
		for _, b := range boards {
			looks := map[string]func(p *process) game.Score{
				"page": func(p *process) game.Score {
					page, err := p.Boards.Page(ctx, b, game.PageRequest{Limit: 10})
					require.NoError(t, err)
					return page.Entries[0].Score
				},
			}
			for _, way := range []string{"card", "around"} {
				if !b.OfTeams() {
					looks[way] = func(p *process) game.Score {
						score, found, err := ownScore(ctx, p, b, "ana", way)
						require.NoError(t, err)
						require.True(t, found)
						return score
					}
				}
			}
			want := game.Score(107)
			switch {
			case b.OfTeams():
				want = 157
			case b.Decays(): // what was played a half-life ago
				want = 57
			}
			for _, later := range []time.Duration{10 * time.Second, 10 * time.Minute} { // own scores are put in, or on the board
				for how, look := range looks {
					k.overtaken(t, func() { begin(later) }, k.runsDaily, func(p *process, before string) {
						require.Equal(t, want, look(p), "%s of %s %s later, rolled up %s", how, b.Key, later, before)
					})
				}
			}
		}
	})
}

// runsDaily runs cron-daily in another process.
func (k *kit) runsDaily() {
	_, err := runDaily(context.Background(), k.process(), nil)
	require.NoError(k.tb, err)
}

// overtaken makes a look once for every second of its requests, each time from the beginning,
// and calls meanwhile just before that request: with the embedded engine before the first, the
// third and so on, with a real one before the others.
func (k *kit) overtaken(t *testing.T, begin, meanwhile func(), look func(p *process, before string)) {
	t.Helper()
	at := 1
	if k.real {
		at = 2
	}
	for ; ; at += 2 {
		begin()
		p := k.process()
		end := testkit.Before(k.server, at, meanwhile)
		look(p, fmt.Sprint("before request ", at))
		if !end() {
			return
		}
	}
}

// A player who looks while a day is closed sees its XP once, also in the league's week.
func TestADayThatIsClosedMeanwhileCountsOnce(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		k.ageless()
		k.game = loadGame(t, "name: g\nmodes: {first: {max: 1000, xp: 1}, coins: {policy: sum, max: 500, day_max: 5000, xp: 1}}")
		day := game.DateOf(noon) // a Wednesday
		begin := func(later time.Duration) {
			k.empty()
			for back, score := range []game.Score{7, 100, 30} { // today, a day that is over, one that is closed
				k.clock.Set(noon.AddDate(0, 0, -back))
				for _, mode := range []string{"first", "coins"} {
					sub := k.play(mode, "ana", score)
					sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(mode, back), Fingerprint: "f"}
					_, err := k.process().Boards.Submit(ctx, sub)
					require.NoError(t, err)
				}
			}
			k.clock.Set(noon.AddDate(0, 0, -1))
			k.runsDaily()
			k.clock.Set(noon.Add(later))
		}
		xp, _ := k.process().DB.Game.ModeNamed(game.XPMode)
		week := game.Week.Of(day)
		looks := map[string]func(p *process) game.Score{
			"week of the league": func(p *process) game.Score {
				_, err := p.XP.DeriveWeek(ctx, week, "xp of the week", k.game.Ends(week))
				require.NoError(t, err)
				all, err := p.DB.ReadBoard(ctx, "xp of the week")
				require.NoError(t, err)
				return game.Score(all["ana"])
			},
			"me": func(p *process) game.Score {
				me, err := p.Boards.Me(ctx, "ana", nil)
				require.NoError(t, err)
				require.EqualValues(t, 3, me.Streak.Current)
				return game.Score(me.XP)
			},
		}
		for _, way := range []string{"card", "around"} {
			looks[way] = func(p *process) game.Score {
				score, found, err := ownScore(ctx, p, game.BoardOf(xp, game.AllTime.Of(day), game.Scope{}), "ana", way)
				require.NoError(t, err)
				require.True(t, found)
				return score
			}
		}
		for _, later := range []time.Duration{10 * time.Second, 10 * time.Minute} {
			for how, look := range looks {
				k.overtaken(t, func() { begin(later) }, k.runsDaily, func(p *process, before string) {
					require.EqualValues(t, 2*(30+100+7), look(p), "%s %s later, closed %s", how, later, before)
				})
			}
		}
	})
}

// An entry that is removed while its day is rolled up stays removed: on every board at once,
// and after the next closings.
func TestARemovalThatARollingUpOvertakesHolds(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		k.ageless()
		k.game = loadGame(t, "name: g\nmodes: {coins: {policy: sum, max: 500, day_max: 5000, xp: 1, scopes: [group]}}")
		played, red := game.DateOf(noon), group(t, "red")
		sealed := noon
		for k.clock.Set(sealed); k.process().Rollup.Calendar.Writable(played); k.clock.Set(sealed) {
			sealed = sealed.Add(time.Hour)
		}
		var kept *shelf
		daily := func() {
			_, err := runDaily(ctx, k.process(), kept)
			require.NoError(t, err)
		}
		begin := func() {
			k.empty()
			kept = newShelf()
			for _, at := range []time.Time{noon, sealed} {
				k.clock.Set(at)
				for _, mode := range []string{"coins"} {
					sub := k.play(mode, "ana", 100)
					if at != noon {
						sub.Score = 7
					}
					sub.Scopes = []game.Scope{red}
					sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(mode, at), Fingerprint: "f"}
					_, err := k.process().Boards.Submit(ctx, sub)
					require.NoError(t, err)
				}
				if at == noon {
					k.clock.Set(noon.Add(14 * time.Hour))
					daily()
				}
			}
			k.clock.Set(sealed.Add(time.Minute))
			for _, mode := range []string{"coins"} {
				for _, scope := range []game.Scope{{}, red} {
					for _, period := range []game.Period{game.Month.Of(played), game.AllTime.Of(played)} {
						_, err := k.process().Boards.Page(ctx, game.BoardOf(k.mode(mode), period, scope), game.PageRequest{Limit: 10})
						require.NoError(t, err)
					}
				}
			}
		}
		for _, mode := range []string{"coins"} {
			k.overtaken(t, begin, daily, func(p *process, before string) {
				_, err := p.Repair.RemoveScore(ctx, k.mode(mode), played, "ana", kept.of("ana"))
				if errors.Is(err, lifecycle.ErrRollingUp) {
					_, err = p.Repair.RemoveScore(ctx, k.mode(mode), played, "ana", kept.of("ana"))
				}
				require.NoError(t, err, before)
				kept.remove("ana", game.DayName{Mode: mode, Date: played})
				for round := range 3 {
					for _, scope := range []game.Scope{{}, red} {
						for _, period := range []game.Period{game.Month.Of(played), game.AllTime.Of(played)} {
							b := game.BoardOf(k.mode(mode), period, scope)
							page, err := k.process().Boards.Page(ctx, b, game.PageRequest{Limit: 10})
							require.NoError(t, err)
							require.EqualValues(t, 7, page.Entries[0].Score, "%s, rolled up %s, look %d", b.Key, before, round)
						}
					}
					xp, _ := k.process().DB.Game.ModeNamed(game.XPMode)
					page, err := k.process().Boards.Page(ctx, game.BoardOf(xp, game.AllTime.Of(played), game.Scope{}), game.PageRequest{Limit: 10})
					require.NoError(t, err)
					if round == 2 {
						require.EqualValues(t, 7, page.Entries[0].Score, "XP, rolled up %s", before)
					}
					k.clock.Set(k.clock.Now().Add(time.Hour))
					if round == 1 {
						daily()
					}
				}
			})
		}
	})
}

// A removal during a closing: the streak is as the removal left it. An erased player has none,
// and a removed score does not count.
func TestAStreakIsNotCountedAfterWhatItCountsIsRemoved(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		k.ageless()
		k.game = loadGame(t, "name: g\nmodes: {first: {max: 1000, xp: 1}}")
		played := game.DateOf(noon)
		begin := func() {
			k.empty()
			k.clock.Set(noon)
			for _, player := range []string{"ana", "ben"} {
				_, err := k.process().Boards.Submit(ctx, k.play("first", player, 100))
				require.NoError(t, err)
			}
			k.clock.Set(noon.Add(14 * time.Hour))
		}
		for name, remove := range map[string]func(){
			"erased": func() {
				_, err := k.process().Repair.Erase(ctx, "ana", lifecycle.Erasure{})
				require.NoError(t, err)
			},
			"taken out": func() {
				_, err := k.process().Repair.RemoveScore(ctx, k.mode("first"), played, "ana", nil)
				require.NoError(t, err)
			},
		} {
			testkit.Overtaken(k.server, begin, k.runsDaily, remove, func(when string) {
				k.runsDaily()
				all, err := k.process().Boards.Me(ctx, "ana", nil)
				require.NoError(t, err)
				require.Zero(t, all.Streak.Best, "%s %s", name, when)
				if name == "erased" {
					require.Nil(t, k.redis.Do("HGET", game.StreaksKey, "ana"), when)
				}
				all, err = k.process().Boards.Me(ctx, "ben", nil)
				require.NoError(t, err)
				require.Equal(t, 1, all.Streak.Best, "%s %s", name, when)
			})
		}
	})
}
