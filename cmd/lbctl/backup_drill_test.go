package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
)

// drillGame has all that a backup has to bring back.
const drillGame = `
name: drilled
anonymous: true
limits: {submit: {player: off}, boards: {player: off, ip: off}, duels: {player: off}, commands: {player: off, ip: off}, devices: {ip: off}}
refresh: 1s
duels: {k: 32, xp: 1.5}
badges:
  streak_3: {title: Three days, streak: 3}
  first_place: {title: First, rank: 1, period: day, once: true}
leagues: {}
currencies: {coins: {daily: 20, longest: 5}}
challenges: {english: [The quick brown fox jumps over the lazy dog.]}
modes:
  daily: {max: 1000, xp: 1, scopes: [country, group], details: true}
  longest: {policy: best, max: 100000, xp: 1, scopes: [country, group]}
  fastest: {policy: best, order: asc, decimals: 2, max: 3600}
  newest: {policy: latest, min: -50, max: 50, aggregate: last, scopes: [group]}
  adding: {policy: sum, max: 500, day_max: 5000, xp: 0.5, scopes: [country, group]}
  typed: {policy: best, decimals: 2, max: 350, play: required, proof: keystrokes, challenge: {seconds: 5, texts: english}}
`

var drillPlayers = []string{"user_ana", "user_ben", "user_cid", "user_dan", "user_eve", "user_fay"}

// drillFeature is what a feature adds to a drill that a product without it does not have.
type drillFeature struct {
	use   func(*drillProduct)
	who   string // asks for what there is of it
	asked string
	table string // has then so many rows at least
	rows  int64
}

var drillFeatures []drillFeature

// drillProduct is a product that is backed up, or one that a backup was brought into.
type drillProduct struct {
	*testing.T
	*local.Product
	file   string
	redis  string // its address
	outbox bool
	now    time.Time
}

// drillStores are a Redis and a database of their own.
func startDrill(t *testing.T, redis, database string, now time.Time, more ...string) *drillProduct {
	t.Helper()
	text := drillGame + strings.Join(more, "\n")
	g, err := gamefile.Parse("drilled.yaml", []byte(text))
	require.NoError(t, err)
	product, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: redis, DatabaseURL: database, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	d := &drillProduct{T: t, Product: product, file: drillFile(t, more...), redis: redis, outbox: g.Outbox}
	d.set(now)
	return d
}

// drillFile is the game's file.
func drillFile(t *testing.T, more ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "drilled.yaml")
	require.NoError(t, os.WriteFile(file, []byte(drillGame+strings.Join(more, "\n")), 0o600))
	return file
}

func (d *drillProduct) set(now time.Time) { d.now = now; d.Clock.Set(now) }

// call is a request of somebody: a player, "server", "operator", or nobody in particular.
func (d *drillProduct) call(who, method, path, body string) (int, string) {
	d.Helper()
	config := client.Config{URL: d.URL, Now: d.Clock.Now, Timeout: time.Minute}
	request := client.Request{Method: method, Header: http.Header{}}
	request.Path, _, _ = strings.Cut(path, "?")
	if _, query, has := strings.Cut(path, "?"); has {
		values, err := url.ParseQuery(query)
		require.NoError(d, err)
		request.Query = values
	}
	if body != "" {
		request.Body = []byte(body)
		request.Header.Set("Idempotency-Key", rand.Text())
	}
	switch who {
	case "", "nobody":
	case "server":
		config.SigningKey = d.Secrets.SigningKey
	case "operator":
		config.OpsToken = d.Secrets.OpsToken
	default:
		token := who
		if !strings.HasPrefix(who, "dev1.") {
			var err error
			token, err = d.Token(devissuer.Claims{Player: who, Name: strings.ToUpper(who), Country: "BR"})
			require.NoError(d, err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
	}
	c, err := client.New(config)
	require.NoError(d, err)
	defer c.Close()
	a, err := c.Do(d.Context(), request)
	require.NoError(d, err)
	return a.Status, string(a.Body)
}

func (d *drillProduct) must(who, method, path, body string) string {
	d.Helper()
	status, text := d.call(who, method, path, body)
	require.Less(d, status, 300, "%s %s %s %s: %d %s", who, method, path, body, status, text)
	return text
}

func (d *drillProduct) play(mode, player string, score float64, more string) {
	d.Helper()
	d.must("server", http.MethodPost, "/v1/scores", fmt.Sprintf(`{"mode":%q,"player":%q,"score":%v%s}`, mode, player, score, more))
}

// day plays a day: every mode, in groups and countries, and duels.
func (d *drillProduct) day(n int, last bool) {
	d.Helper()
	for i, player := range drillPlayers {
		where := fmt.Sprintf(`,"country":%q,"groups":[%q]`, []string{"BR", "FR"}[i%2], []string{"red", "blue"}[(i+n)%2])
		d.play("daily", player, float64(100*i+n), where+`,"details":{"theme":"light"}`)
		d.play("longest", player, float64(10*i+7*n), where)
		d.play("longest", player, float64(10*i+3*n), where)
		d.play("fastest", player, 10.5+float64(i)/4, where)
		d.play("newest", player, float64(n-i), where)
		for range 1 + i%2 {
			d.play("adding", player, float64(5+i), where)
		}
		d.now = d.now.Add(time.Second)
		d.set(d.now)
	}
	d.arrangesDuels(n, last)
}

// daysOfPlay has players do everything, for some days, the last of which is open.
func (d *drillProduct) daysOfPlay(days int) {
	d.Helper()
	for n := range days {
		d.day(n, n+1 == days)
		if n+1 < days {
			d.set(d.now.Truncate(24 * time.Hour).Add(24*time.Hour + 20*time.Minute))
			d.fire("cron-daily")
			if d.now.Weekday() == time.Monday {
				d.fire("cron-weekly")
			}
			d.set(d.now.Truncate(24 * time.Hour).Add(12 * time.Hour))
		}
		d.everybodyReads("/v1/leagues/me") // a look takes a seat
	}
	d.makesFriends()
	d.must("operator", http.MethodPut, "/v1/ops/bans/user_dan", `{"reason":"plays with a script"}`)
	d.must("operator", http.MethodDelete, "/v1/ops/players/user_fay", "")
	d.opensDuels()
	d.claimsADevice()

	for _, feature := range drillFeatures {
		feature.use(d)
	}
	d.set(d.now.Add(time.Minute))
	d.fire("cron-daily") // takes the banned player's days out of wallets
}

func (d *drillProduct) everybodyReads(path string) {
	for _, player := range drillPlayers {
		d.must(player, http.MethodGet, path, "")
	}
}

func (d *drillProduct) fire(schedule string) {
	d.Helper()
	d.must("nobody", http.MethodPost, "/_local/schedules/"+schedule, "")
}

// answers are what everybody is answered, without what differs from process to process.
func (d *drillProduct) answers() map[string]string {
	d.Helper()
	all := map[string]string{}
	ask := func(who, path string) {
		status, body := d.call(who, http.MethodGet, path, "")
		var fields map[string]any
		require.NoError(d, json.Unmarshal([]byte(body), &fields), "%s: %d %s", path, status, body)
		for _, own := range []string{"updated_at", "next_cursor", "next", "request_id", "instance", "invite", "closes_at"} {
			delete(fields, own)
		}
		text, err := json.Marshal(fields)
		require.NoError(d, err)
		all[who+" "+path] = fmt.Sprint(status, " ", string(text))
	}
	players := append([]string{"user_new"}, drillPlayers...)
	today := d.now.Format(time.DateOnly)
	yesterday := d.now.AddDate(0, 0, -1).Format(time.DateOnly)
	for _, mode := range []string{"daily", "longest", "fastest", "newest", "adding", "typed"} {
		for _, period := range []string{"day&date=" + today, "day&date=" + yesterday, "week", "month", "alltime"} {
			scopes := []string{""}
			if mode != "fastest" && mode != "typed" {
				scopes = append(scopes, "&scope=group:red", "&scope=group:blue")
			}
			if mode == "daily" || mode == "longest" || mode == "adding" {
				scopes = append(scopes, "&scope=country:BR", "&scope=country:FR")
			}
			for _, scope := range scopes {
				ask("nobody", "/v1/leaderboards/"+mode+"?limit=50&period="+period+scope)
			}
		}
		for _, player := range players {
			ask("nobody", "/v1/leaderboards/"+mode+"/players/"+player+"?period=alltime")
		}
	}
	for _, board := range []string{
		"xp",
		"duels",
	} {
		ask("nobody", "/v1/leaderboards/"+board+"?limit=50&period=alltime")
	}
	for _, player := range players {
		for _, path := range []string{
			"/v1/me", "/v1/me/results",
			"/v1/me/wallets",
			"/v1/me/badges",
			"/v1/friends",
			"/v1/duels",
		} {
			ask(player, path)
		}
		if player != "user_dan" { // who is banned, and has no seat in a league that is made again
			ask(player, "/v1/leagues/me")
		}
	}
	ask("operator", "/v1/ops/bans")
	for _, feature := range drillFeatures {
		ask(feature.who, feature.asked)
	}
	return all
}

// lbctl runs a command over the stores of this product.
func (d *drillProduct) lbctl(args ...string) (int, *output) {
	d.Helper()
	return lbctl(d.T, drillEnv(d.redis, d.Database), append(args, "--game", d.file, "--now", d.now.Format(time.RFC3339))...)
}

func drillEnv(redis, database string) map[string]string {
	return map[string]string{"REDIS_URL": redis, "DATABASE_URL": database}
}

// rowCounts counts the rows of every table, apart from those that the work itself writes.
func rowCounts(t *testing.T, database string) map[string]int64 {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(t.Context(), `SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`)
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	counts := map[string]int64{}
	for _, name := range names {
		if name == "schema_migrations" || name == "lbctl_restore" {
			continue
		}
		var n int64
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM "`+name+`"`).Scan(&n))
		counts[name] = n
	}
	return counts
}

// bare makes a database without tables on the server of another.
func bare(t *testing.T, beside string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), beside)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	name := fmt.Sprintf("bare_%d", time.Now().UnixNano())
	_, err = conn.Exec(t.Context(), "CREATE DATABASE "+name)
	require.NoError(t, err)
	t.Cleanup(func() {
		conn, err := pgx.Connect(context.Background(), beside)
		require.NoError(t, err)
		_, err = conn.Exec(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)")
		require.NoError(t, err)
		_ = conn.Close(context.Background())
	})
	u, err := url.Parse(beside)
	require.NoError(t, err)
	u.Path = "/" + name
	return u.String()
}

// drillBegin is a Thursday, so that a week ends among the days.
var drillBegin = time.Date(2026, 11, 12, 12, 0, 0, 0, time.UTC)

// A product that has lived for some days is backed up and brought into two empty stores, once
// with tables and once without: every table has as many rows as before, everybody is answered
// what they were answered, and Redis and Postgres agree.
func TestABackupBringsEverythingIntoAnEmptyDeployment(t *testing.T) {
	for name, outbox := range map[string]string{"of days": "", "of submissions": "outbox: true"} {
		t.Run(name, func(t *testing.T) { bringBack(t, outbox) })
	}
}

func bringBack(t *testing.T, outbox string) {
	d := startDrill(t, testkit.RealRedis(t), archivetest.Database(t), drillBegin, outbox)
	d.daysOfPlay(6)
	folder := t.TempDir()
	status, out := d.lbctl("backup", "--to", folder)
	require.Equal(t, statusGood, status, out.stderr.String())
	var wrote struct {
		File string
		Rows int64
	}
	require.NoError(t, json.Unmarshal(out.stdout.Bytes(), &wrote), out.stdout.String())
	rows := rowCounts(t, d.Database)
	before := d.answers()
	for table, least := range map[string]int64{
		"results_2026_11": 100, "profiles": 5, "bans": 1, "erasures": 1, "leaderboard_snapshots": 1,
		"friend_pairs": 3,
		"league_seats": 5,
		"duels":        8,
		"open_duels":   2,
		"claims":       1,
	} {
		require.GreaterOrEqual(t, rows[table], least, table)
	}
	for _, feature := range drillFeatures {
		require.GreaterOrEqual(t, rows[feature.table], feature.rows, feature.table)
	}
	var all int64
	for table, n := range rows {
		if table != "results" && table != "score_audit" { // they are their partitions
			all += n
		}
	}
	require.Equal(t, all, wrote.Rows)

	for name, database := range map[string]string{"with tables": archivetest.Database(t), "without tables": bare(t, d.Database)} {
		t.Run(name, func(t *testing.T) {
			redis := testkit.RealRedis(t)
			status, out := lbctl(t, drillEnv(redis, database), "restore", "--from", wrote.File, "--game", d.file, "--now", d.now.Format(time.RFC3339))
			require.Equal(t, statusGood, status, "%s\n%s", out.stderr.String(), out.stdout.String())
			got := rowCounts(t, database)
			got["audit"]-- // the restore
			require.Equal(t, rows, got)
			again := startDrill(t, redis, database, d.now, outbox)
			after := again.answers()
			for _, path := range slices.Sorted(maps.Keys(before)) {
				require.Equal(t, before[path], after[path], path)
			}
			status, out = again.lbctl("verify")
			require.Equal(t, statusGood, status, "%s\n%s", out.stderr.String(), out.stdout.String())

			// The product goes on: a day more, and its closing.
			again.set(again.now.Truncate(24 * time.Hour).Add(36 * time.Hour))
			again.must("operator", http.MethodDelete, "/v1/ops/bans/user_dan", "")
			again.day(6, false)
			again.set(again.now.Truncate(24 * time.Hour).Add(24*time.Hour + 20*time.Minute))
			again.fire("cron-daily")
			status, out = again.lbctl("verify")
			require.Equal(t, statusGood, status, "%s\n%s", out.stderr.String(), out.stdout.String())
		})
	}
}
