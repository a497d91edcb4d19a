package closing_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const withoutSeasons = `
name: testing
refresh: 1s
streak: {freezes: 1, every: 3}
modes:
  first: {max: 1000, xp: 1.5, scopes: [country, region, group], levels: 3, teams: sum, details: true}
  best: {policy: best, max: 100000, scopes: [country, region, group], teams: {best: 2}}
  fastest: {policy: best, order: asc, decimals: 2, max: 3600, xp: {play: 3, scores: {"0.4": 20, "0.2": 50}}, levels: 2}
  latest: {policy: latest, min: -50, max: 50, aggregate: last, details: true}
  coins: {policy: sum, max: 500, day_max: 5000, scopes: [country, region, group], teams: {best: 1}}
`

// testGame has two seasons, with a day between them.
const testGame = withoutSeasons + `
seasons:
  - {name: turn, first: 2026-12-30, last: 2027-01-06}
  - {name: winter, first: 2027-01-08, last: 2027-04-30}
`

// monday is the first day of the last week of a year of 53 weeks.
var monday = game.NewDate(2026, time.December, 28)

// kit is one product: a Redis, a Postgres, and processes that come and go.
type kit struct {
	t      *testing.T
	game   *game.Game
	server *upstashtest.Server
	client *upstash.Client
	url    string // of Postgres
	now    time.Time
	keys   int
	late   bool // cron-weekly does not run

	opening sync.Mutex
	kept    *archive.Archive
	keptAt  string // where kept is open; url may be changed
}

func newKit(t *testing.T) *kit { return newKitOver(t, "") }

// onEngines runs a test over the embedded Redis and over a real one.
func onEngines(t *testing.T, test func(k *kit)) {
	testkit.OnEngines(t, func(t *testing.T, redis string) { test(newKitOver(t, redis)) })
}

// newKitOver is newKit over a Redis at an address; "" is the embedded one.
func newKitOver(t *testing.T, address string) *kit {
	redis := testkit.NewRedis(t, address)
	return &kit{
		t: t, game: testkit.Game(t, testGame), server: redis.Server, client: redis.Client,
		url: archivetest.Database(t), now: monday.Midnight(),
	}
}

// archive is shared by all processes: it remembers nothing, and each of its connections would
// start a process of Postgres.
func (k *kit) archive() *archive.Archive {
	k.opening.Lock()
	defer k.opening.Unlock()
	if k.kept == nil || k.keptAt != k.url {
		k.kept, k.keptAt = testkit.Archive(k.t, k.url, jobs.Tables()...), k.url
	}
	return k.kept
}

// process makes a new process, which remembers nothing.
func (k *kit) process() *closing.Closing { return k.over(k.app(nil), k.archive()) }

// withoutArchive is a process of a product without Postgres.
func (k *kit) withoutArchive() *closing.Closing { return k.over(k.app(nil), nil) }

// app is the product of a process, whose memory has an age; nil: real time.
func (k *kit) app(elapsed func() time.Duration) *app.App {
	return app.New(app.Parts{Redis: k.client, Game: k.game, Now: func() time.Time { return k.now }, Elapsed: elapsed, Log: slog.New(slog.DiscardHandler)})
}

func (k *kit) over(a *app.App, kept *archive.Archive) *closing.Closing {
	return &closing.Closing{Game: k.game, Store: a.Store(), Archive: kept, Now: a.Now, Features: jobs.Features(a, kept, nil, nil)}
}

func (k *kit) mode(name string) *game.Mode { return testkit.Mode(k.t, k.game, name) }

// at sets the clock to a time of a day.
func (k *kit) at(d game.Date, hour, minute int) {
	k.now = d.Midnight().Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
}

// play submits for a date, with a country, and with a group and details if the mode has them.
func (k *kit) play(mode, player string, d game.Date, score game.Score) {
	k.t.Helper()
	m := k.mode(mode)
	k.keys++
	sub := game.Submission{
		Mode: m, Player: player, Date: d, Score: score, At: d.Midnight().Add(time.Duration(k.keys) * time.Second),
		Profile:     game.Profile{Name: "Name of " + player},
		Idempotency: game.IdempotencyRecord{ID: fmt.Sprint("k", k.keys), Fingerprint: "f"},
	}
	sub.Profile.Country = []string{"BR", "DE", "JP"}[len(player)%3]
	if len(m.Scopes) > 0 {
		team, err := game.GroupScope([]string{"red", "green", "blue"}[len(player)%3])
		require.NoError(k.t, err)
		sub.Scopes = append(sub.Scopes, team)
	}
	if m.Levels > 0 {
		level, err := game.LevelScope(1 + k.keys%m.Levels)
		require.NoError(k.t, err)
		sub.Scopes = append(sub.Scopes, level)
	}
	if m.Details {
		sub.Details = []byte(fmt.Sprintf(`{"n":%d}`, k.keys))
	}
	_, err := k.process().Store.Boards.Submit(context.Background(), sub)
	require.NoError(k.t, err)
}

// playDays makes some players play every mode on some days, and closes each day and each week.
func (k *kit) playDays(first game.Date, days, players int) {
	for n := range days {
		d := first.AddDays(n)
		k.at(d, 12, 0)
		for i := range players {
			if (n+i)%4 == 3 {
				continue // now and then a player misses a day
			}
			for _, m := range k.game.Modes {
				low, high := int64(m.Min), min(int64(m.Max), 60)
				k.play(m.Name, fmt.Sprintf("player%0*d", i%5+1, i), d, game.Score(low+(int64(n*37+i*101)%(high-low))))
			}
		}
		k.at(d.AddDays(1), 0, 20)
		_, err := k.process().Daily(context.Background())
		require.NoError(k.t, err)
		if d.Weekday() == time.Sunday && !k.late {
			_, err := k.process().Weekly(context.Background(), k.now)
			require.NoError(k.t, err)
		}
	}
}

// agree asserts that Redis and Postgres have the same.
func (k *kit) agree() {
	k.t.Helper()
	var differences []lifecycle.Difference
	report, err := k.process().Verify(context.Background(), func(d lifecycle.Difference) { differences = append(differences, d) })
	require.NoError(k.t, err)
	require.Empty(k.t, differences)
	require.Positive(k.t, report.Entries)
}

// contents returns all lasting boards, streaks and names in Redis.
func (k *kit) contents() map[string]any {
	k.t.Helper()
	ctx := context.Background()
	all := map[string]any{}
	keys, err := k.server.Redis().Do(ctx, "KEYS", "*")
	require.NoError(k.t, err)
	for _, key := range keys.([]any) {
		name := key.(string)
		kind, err := k.server.Redis().Do(ctx, "TYPE", name)
		require.NoError(k.t, err)
		switch fmt.Sprint(kind) {
		case "zset":
			all[name], err = k.process().Store.DB.ReadBoard(ctx, name)
		case "hash":
			fields := map[string]string{}
			var flat any
			flat, err = k.server.Redis().Do(ctx, "HGETALL", name)
			for pair := flat.([]any); len(pair) > 1; pair = pair[2:] {
				fields[pair[0].(string)] = pair[1].(string)
			}
			all[name] = fields
		}
		require.NoError(k.t, err)
	}
	return all
}
