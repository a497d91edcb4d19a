package lifecycle_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// playSeason makes four players play two modes on the first days of a season, with equal
// totals, so that ties alone decide. It looks at groups and runs the schedule too.
func (k *kit) playSeason(t *testing.T, days int) {
	ctx := context.Background()
	p := k.process()
	for day := range days {
		k.clock.Set(noon.AddDate(0, 0, day))
		for i, player := range []string{"a", "b", "c", "d"} {
			for _, mode := range []string{"first", "shared"} {
				sub := k.play(mode, player, game.Score(5+day%3))
				sub.At = noon.AddDate(0, 0, day).Add(time.Duration((i+day)%4) * time.Minute)
				if mode == "first" {
					sub.Scopes = []game.Scope{group(t, "red")}
				}
				_, err := p.Boards.Submit(ctx, sub)
				require.NoError(t, err)
			}
		}
		k.daily(t, noon.AddDate(0, 0, day).Add(13*time.Hour))
	}
}

// daily runs the schedule, and lets the days expire that are due.
func (k *kit) daily(t *testing.T, at time.Time) {
	ctx := context.Background()
	k.clock.Set(at)
	_, err := runDaily(ctx, k.process(), nil)
	require.NoError(t, err)
	keys, err := k.server.Redis().Do(ctx, "KEYS", "lb:*:2026-*")
	require.NoError(t, err)
	for _, key := range keys.([]any) {
		_, p, _, err := game.ParseBoardKey(key.(string))
		require.NoError(t, err)
		if end, _ := k.game.Expires(p); !at.Before(end) {
			_, err := k.server.Redis().Do(ctx, "DEL", key.(string))
			require.NoError(t, err)
		}
	}
}

// When a season is over its board stays as it is while its last days are rolled up and expire:
// equal totals no longer change places, on any scope.
func TestASeasonsBoardStaysWhenItIsOver(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, testGame+"seasons: [{name: short, first: 2026-11-18, last: 2026-11-29}]")
		ctx := context.Background()
		k.playSeason(t, 12)
		season, ok := k.game.SeasonOf(game.DateOf(noon))
		require.True(t, ok)
		read := func() map[string]string {
			p := k.process()
			current := map[string]string{}
			for _, mode := range []string{"first", "shared"} {
				for _, scope := range []game.Scope{{}, group(t, "red")} {
					if mode == "shared" && scope != (game.Scope{}) {
						continue
					}
					b := game.BoardOf(k.mode(mode), season, scope)
					for _, e := range wholeBoard(t, p, b, 3) {
						current[b.Key] += fmt.Sprintf("%d %s %v %v\n", e.Rank, e.Player, e.Score, e.Stored)
					}
				}
			}
			return current
		}
		over := noon.AddDate(0, 0, 13)
		k.clock.Set(over)
		_, err := k.process().Rollup.RefreshPeriod(ctx, season)
		require.NoError(t, err)
		want := read()
		require.Len(t, want, 3)
		for key, rows := range want {
			require.Contains(t, rows, " 72 72\n", key) // 4 × (5 + 6 + 7), without fractions
			require.Equal(t, 4, strings.Count(rows, "\n"), key)
		}
		for _, day := range []int{14, 16, 18, 20, 22, 60, 170} {
			k.daily(t, noon.AddDate(0, 0, day))
			require.Equal(t, want, read(), "day %d", day)
		}
		ttl, err := k.server.Redis().Do(ctx, "TTL", game.BoardKey("first", season, game.Scope{}))
		require.NoError(t, err)
		end, _ := k.game.Expires(season)
		require.InDelta(t, end.Sub(k.clock.Now()).Seconds(), ttl, 60)
		ttl, err = k.server.Redis().Do(ctx, "TTL", game.RolledUpKey(game.BoardKey("first", season, game.Scope{})))
		require.NoError(t, err)
		require.Positive(t, ttl, "what was folded expires too")
		fields, err := k.server.Redis().Do(ctx, "HLEN", game.DaysKey("first"))
		require.NoError(t, err)
		require.EqualValues(t, 12, fields, "days stay on the index as long as their season lives")
		k.daily(t, end.Add(24*time.Hour))
		fields, err = k.server.Redis().Do(ctx, "HLEN", game.DaysKey("first"))
		require.NoError(t, err)
		require.EqualValues(t, 0, fields)
	})
}

// A season that has run for months is made from a bounded number of keys.
func TestALongSeasonCostsWhatAllTimeDoes(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, testGame+"seasons: [{name: long, first: 2026-11-18, last: 2027-11-17}]")
		k.playSeason(t, 40)
		season, _ := k.game.SeasonOf(game.DateOf(noon))
		for _, scope := range []game.Scope{{}, group(t, "red")} {
			cost := func(period game.Period) (commands, trips int64) {
				p := k.process()
				k.clock.Set(k.clock.Now().Add(time.Minute))
				return p.spent(func() {
					page, err := p.Boards.Page(context.Background(), game.BoardOf(k.mode("first"), period, scope), game.PageRequest{Limit: 10})
					require.NoError(t, err)
					require.EqualValues(t, 4, page.Total)
				})
			}
			commands, trips := cost(game.AllTime.Of(game.DateOf(noon)))
			seasonCommands, seasonTrips := cost(season)
			require.LessOrEqual(t, seasonCommands, commands+1, "its expiry")
			require.LessOrEqual(t, seasonTrips, trips)
		}
	})
}

// Rolling up a day that is in a season costs three commands more for each board: the season's
// entries are read and written, and its expiry is set.
func TestRollingUpIntoASeasonCostsThreeCommands(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		cost := func(seasons string) (commands int64, rolledUp int) {
			k.empty()
			k.game = loadGame(t, testGame+seasons)
			k.clock.Set(noon)
			p := k.process()
			for _, mode := range []string{"first", "shared"} {
				_, err := p.Boards.Submit(ctx, k.play(mode, "a", 7))
				require.NoError(t, err)
			}
			k.clock.Set(noon.AddDate(0, 0, 7))
			view, err := p.Rollup.Calendar.Survey(ctx)
			require.NoError(t, err)
			commands, _ = p.spent(func() {
				report, err := p.Days.RollUpDays(ctx, view)
				require.NoError(t, err)
				rolledUp = len(report.Boards)
			})
			return commands, rolledUp
		}
		const inSeason = "seasons: [{name: long, first: 2026-11-18, last: 2027-11-17}]"
		cost(inSeason) // this makes the scripts known to Redis
		without, rolledUp := cost("")
		with, _ := cost(inSeason)
		require.Equal(t, 2, rolledUp)
		require.Equal(t, without+int64(3*rolledUp), with)
	})
}
