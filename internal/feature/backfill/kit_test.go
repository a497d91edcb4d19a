package backfill_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/backfill"
	"github.com/framedle/leaderboards/internal/feature/importer"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const testGame = `
name: testing
refresh: 1s
streak: {freezes: 1, every: 3}
seasons:
  - {name: advent, first: 2026-12-03, last: 2026-12-24}
  - {name: winter, first: 2026-12-28, last: 2027-01-12}
modes:
  first: {max: 1000, xp: 1.5, scopes: [country, region, group], details: true, teams: {best: 2}}
  best: {policy: best, max: 100000, scopes: [country, region, group], details: true}
  fastest: {policy: best, order: asc, decimals: 2, max: 3600, xp: {play: 10, scores: {900: 5, 100.5: 20}}}
  latest: {policy: latest, min: -50, max: 50, aggregate: last, details: true}
  coins: {policy: sum, max: 500, day_max: 5000, xp: 0.7, scopes: [country, region, group], details: true}
badges:
  streak_3: {title: Three in a row, streak: 3}
  streak_6: {title: Six in a row, streak: 6}
  days_5: {title: Five days, days: 5}
  rich: {title: Rich, xp: 2000}
  high: {title: High, score: 500, mode: first}
  day_top2: {title: Near the top, rank: 2, period: day, mode: best}
  group_first: {title: First of a group, rank: 1, period: day, mode: first, scope: group}
  week_top2: {title: A good week, rank: 2, period: week, mode: best}
  month_top2: {title: A good month, rank: 2, period: month, mode: best}
  season_first: {title: First of a season, rank: 1, period: season, mode: best}
`

// TestMain keeps property tests short: each past is some hundred round trips. For
// a long run: go test ./internal/feature/backfill -rapid.checks=50
func TestMain(m *testing.M) {
	if os.Getenv(childOf) != "" {
		os.Exit(child())
	}
	os.Exit(testkit.Main(m, "4", ""))
}

// kit is one product: a Redis and a Postgres.
type kit struct {
	t     testing.TB
	game  *game.Game
	redis *testkit.Redis
	url   string // of Postgres
	kept  *archive.Archive
	now   time.Time
}

// newKit is an empty product; redis is "" for the embedded one.
func newKit(t testing.TB, redis string, now time.Time) *kit {
	return &kit{t: t, game: testkit.Game(t, testGame), redis: testkit.NewRedis(t, redis), url: archivetest.Database(t), now: now}
}

// onEngines runs a test over the embedded Redis and over a real one.
func onEngines(t *testing.T, test func(t *testing.T, redis func() string)) {
	t.Run("embedded", func(t *testing.T) { test(t, func() string { return "" }) })
	t.Run("real", func(t *testing.T) { test(t, func() string { return testkit.RealRedis(t) }) })
}

// archive is one for all processes, so that a past needs few connections.
func (k *kit) archive() *archive.Archive {
	if k.kept == nil {
		var err error
		k.kept, err = archive.Open(archive.Options{URL: k.url, Connections: 2})
		require.NoError(k.t, err)
		k.t.Cleanup(k.close)
	}
	return k.kept
}

func (k *kit) close() {
	if k.kept != nil {
		k.kept.Close(context.Background())
	}
}

// process is a fresh one, which remembers nothing.
func (k *kit) process() *closing.Closing {
	now := func() time.Time { return k.now }
	a := app.New(app.Parts{Redis: k.redis.Client, Game: k.game, Now: now, Log: slog.New(slog.DiscardHandler)})
	return &closing.Closing{Game: k.game, Archive: k.archive(), Now: now, Store: a.Store(), Features: jobs.Features(a, k.archive(), nil, nil)}
}

func (k *kit) mode(name string) *game.Mode { return testkit.Mode(k.t, k.game, name) }

// options are those of an import of files with these contents.
func (k *kit) options(contents ...string) backfill.Options {
	dir := k.t.TempDir()
	o := backfill.Options{Layout: importer.PastLayout(), Game: k.game, Closing: k.process(), Temp: dir, Now: func() time.Time { return k.now }}
	for i, text := range contents {
		name := filepath.Join(dir, fmt.Sprintf("past%d", i))
		require.NoError(k.t, os.WriteFile(name, []byte(text), 0o600))
		o.Files = append(o.Files, name)
	}
	return o
}

func (k *kit) bringIn(o backfill.Options) backfill.Summary {
	k.t.Helper()
	summary, err := backfill.Run(context.Background(), o)
	require.NoError(k.t, err)
	return summary
}

// agree asserts that Redis and Postgres say the same.
func (k *kit) agree() {
	k.t.Helper()
	var differences []lifecycle.Difference
	_, err := k.process().Verify(context.Background(), func(d lifecycle.Difference) { differences = append(differences, d) })
	require.NoError(k.t, err)
	require.Empty(k.t, differences)
}

// expire deletes the boards of days that have expired: Redis itself does so by a clock that a
// test cannot move.
func (k *kit) expire() {
	k.t.Helper()
	ctx := context.Background()
	keys, err := k.redis.Server.Redis().Do(ctx, "KEYS", "*")
	require.NoError(k.t, err)
	for _, key := range keys.([]any) {
		name := key.(string)
		gone := false
		if date, ok := strings.CutPrefix(name, "xp:"); ok {
			d, err := game.ParseDate(date)
			gone = err == nil && !k.process().Store.DB.Alive(d)
		} else if _, p, _, err := game.ParseBoardKey(name); err == nil {
			end, ok := k.game.Expires(p)
			gone = ok && !k.now.Before(end)
		} else if fields := strings.Split(name, ":"); fields[0] == "details" {
			d, err := game.ParseDate(fields[2])
			gone = err == nil && !k.process().Store.DB.Alive(d)
		} else if _, p, _, err := game.ParseBoardKey(strings.TrimPrefix(name, "folded:")); err == nil {
			end, ok := k.game.Expires(p)
			gone = ok && !k.now.Before(end)
		}
		if gone {
			_, err := k.redis.Server.Redis().Do(ctx, "DEL", name)
			require.NoError(k.t, err)
		}
	}
}

// boards are all lasting boards by key, derived once more; and streaks.
func (k *kit) boards() map[string]any {
	k.t.Helper()
	store := k.process().Store
	all := map[string]any{}
	scopes := []game.Scope{{}}
	for _, id := range []string{"red", "green", "blue"} {
		scope, err := game.GroupScope(id)
		require.NoError(k.t, err)
		scopes = append(scopes, scope)
	}
	scopes = append(scopes, game.TeamsScope())
	today := k.game.Today(k.now)
	for _, m := range k.game.Modes {
		for _, scope := range scopes {
			if scope != (game.Scope{}) && !m.HasScope(scope.Kind()) {
				continue
			}
			periods := append(k.game.AllSeasons(), game.AllTime.Of(today))
			for d := today.AddDays(-200); !d.After(today); d = d.AddDays(1) {
				for _, p := range []game.Period{game.Day.Of(d), game.Week.Of(d), game.Month.Of(d)} {
					end, _ := k.game.Expires(p)
					if k.now.Before(end) && !slices.Contains(periods, p) {
						periods = append(periods, p)
					}
				}
			}
			for _, p := range periods {
				b := game.BoardOf(m, p, scope)
				if rows := k.page(store, b); rows != nil {
					all[b.Key] = rows
				}
			}
		}
	}
	mode, _ := store.DB.Game.ModeNamed(game.XPMode)
	xp := game.BoardOf(mode, game.AllTime.Of(today), game.Scope{})
	all[xp.Key] = k.page(store, xp)
	return all
}

type row struct {
	Rank   int64
	Player string
	Score  game.Score
	Stored float64
}

func (k *kit) page(s *lifecycle.Parts, b game.Board) any {
	k.t.Helper()
	page, err := s.Boards.Page(context.Background(), b, game.PageRequest{Limit: 100})
	require.NoError(k.t, err, b.Key)
	var rows []row
	for _, e := range page.Entries {
		rows = append(rows, row{e.Rank, e.Player, e.Score, e.Stored})
	}
	if rows == nil {
		return nil
	}
	return rows
}
