package jobs_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const keptGame = `
name: kept
currencies: {coins: {first: 1, coins: 2}}
leagues: {tiers: [Wood, Tin, Iron]}
badges: {often: {title: Two, days: 2}, rich: {title: XP, xp: 200}, fighter: {title: F, wins: 1}, top: {title: T, rank: 50, period: day}}
duels: {xp: 1, points: {win: 15, round: 1}, provisional: {duels: 3, k: 64}}
modes:
  first: {max: 1000, xp: 1, scopes: [country, group], teams: sum, details: true}
  coins: {policy: sum, max: 500, day_max: 5000, scopes: [group], xp: 1}
`

// words returns the words at each place of both stores, without what an erasure itself notes.
func (w *world) words() map[string]map[string]bool {
	all := testkit.Words(w, w.redis, w.do("KEYS", "*"))
	all["keys"] = map[string]bool{}
	for key := range all {
		if strings.HasPrefix(key, "scratch:") || strings.HasPrefix(key, "erasure:") || key == "removals" || key == "groups:played" {
			delete(all, key)
			continue
		}
		testkit.PutWords(all, "keys", key)
	}
	db, err := pgx.Connect(w.Context(), w.database)
	require.NoError(w, err)
	defer db.Close(context.Background())
	rows, err := db.Query(w.Context(), `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND c.relkind IN ('r') ORDER BY 1`)
	require.NoError(w, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(w, err)
	for _, table := range tables {
		rows, err := db.Query(w.Context(), `SELECT t::text FROM `+pgx.Identifier{table}.Sanitize()+` AS t`)
		require.NoError(w, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(w, err)
		for _, row := range lines {
			testkit.PutWords(all, "table "+table, row)
		}
	}
	return all
}

// ofAllKinds makes players do everything of which something is kept.
func (w *world) ofAllKinds(players []string) {
	w.many(players, func(m *game.Mode, i int) game.Score { return game.Score(100 + i + len(m.Name)) })
	w.makeDuels(players)
	w.befriend(players)
	w.spendFromWallets(players)
}

// Players are erased during a job, one before each of its requests or of its queries, or each
// second, third or fourth: nothing of any of them is left in either store, even if their act dates from before the job began.
func TestNothingIsLeftOfWhoIsErasedDuringAJob(t *testing.T) {
	for _, kind := range []string{"request", "query"} {
		for _, job := range []string{"cron-save", "cron-daily", "a repair"} {
			t.Run(job+", "+kind, func(t *testing.T) { erasedDuring(newWorld(t, "", true), job, kind) })
		}
	}
}

func erasedDuring(w *world, job, kind string) {
	relay := testkit.NewRelay(w, w.database)
	relayed := testkit.Archive(w, relay.URL, jobs.Tables()...)
	w.game = keptGame
	w.now = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC) // a Sunday: the night ends a week of leagues, too
	w.restart()
	players := named("p", 150)
	w.ofAllKinds(players)
	run := func() error { _, err := jobs.New(w.app, relayed).Save(w.Context(), w.now); return err }
	if job == "cron-daily" {
		require.NoError(w, w.save()) // archives what was spent too
		w.now = w.now.AddDate(0, 0, 1)
		run = func() error { _, err := jobs.New(w.app, relayed).Daily(w.Context(), w.now); return err }
	}
	if job == "a repair" {
		require.NoError(w, w.save())
		w.now = w.now.AddDate(0, 0, 1)
		w.daily()
		w.many(players, func(*game.Mode, int) game.Score { return 5 })
		require.NoError(w, w.save())
		w.do("FLUSHALL")
	}
	asked := w.now
	w.now = w.now.Add(time.Second)
	w.restart()
	erased, doing := 0, false
	at, step := 0, anyOf(4) // so that the players are enough for a whole job
	erase := func() {
		if doing || erased == len(players) {
			return
		}
		if at++; at%step > 0 {
			return
		}
		doing = true
		defer func() { doing = false }()
		_, err := jobs.Removals(w.app, w.kept).Erase(w.Context(), players[erased], lifecycle.Act{ID: "e" + players[erased], Actor: "operator", At: asked})
		require.NoError(w, err)
		erased++
	}
	end := func() { w.redis.Inject(nil) }
	if kind == "query" {
		end = relay.BeforeEach(erase)
	} else {
		w.redis.Inject(func(upstashtest.Request) (none upstashtest.Fault) { erase(); return none })
	}
	for run() != nil && erased < len(players) { // a run that an erasure interrupts leaves the day to the next run
		continue
	}
	end()
	require.Greater(w, erased, 10)
	w.now = w.now.Add(time.Second)
	w.restart()
	require.NoError(w, run())
	for place, words := range w.words() {
		for i, player := range players[:erased] {
			require.False(w, words[player], "%s has who was erased before %s %d", place, kind, (i+1)*step)
		}
	}
}

// The same holds for players of whom Redis knows nothing at their erasure, since it was lost,
// and the archive has no results but a duel or a profile.
func TestNothingComesBackOfWhomTheArchiveAloneKnows(t *testing.T) {
	w := newWorld(t, "", true)
	w.game = keptGame
	w.restart()
	w.many(named("q", 3), func(*game.Mode, int) game.Score { return 5 })
	players := named("p", 150)
	shown := make([]game.PlayerProfile, len(players))
	for i, player := range players {
		shown[i] = game.PlayerProfile{Player: player, Profile: game.Profile{Name: "Name"}, UpdatedAt: w.now}
		w.wins(fmt.Sprint("d", i), player, "q1")
	}
	require.NoError(t, w.kept.Profiles.Put(t.Context(), shown))
	require.NoError(t, w.save())
	w.do("FLUSHALL")
	w.now = w.now.Add(time.Second)
	w.restart()
	erased := w.before(players, w.erases, w.save)
	require.NoError(t, w.save())
	for place, words := range w.words() {
		for i, player := range players[:erased] {
			require.False(t, words[player], "%s has who was erased before request %d", place, i+1)
		}
	}
}
