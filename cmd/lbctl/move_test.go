package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// living is a product that is moved from Redis to Redis, by its clock.
type living struct {
	t *testing.T
	*local.Product
	now  time.Time
	game *game.Game // nil: framedle
}

func (l *living) start(redis, database string) {
	g, err := l.game, error(nil)
	if g == nil {
		g, err = app.LoadGame("")
	}
	require.NoError(l.t, err)
	l.Product, err = local.Start(l.t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: redis, DatabaseURL: database, Game: g, Log: io.Discard})
	require.NoError(l.t, err)
	l.t.Cleanup(func() { require.NoError(l.t, l.Close()) })
	l.Clock.Set(l.now)
}

func (l *living) pass(d time.Duration) {
	l.now = l.now.Add(d)
	l.Clock.Set(l.now)
}

func (l *living) env() map[string]string {
	return map[string]string{"UPSTASH_REDIS_REST_URL": l.Secrets.RedisRESTURL, "UPSTASH_REDIS_REST_TOKEN": l.Secrets.RedisRESTToken, "DATABASE_URL": l.Database}
}

// do sends a request, as a player of the group red where one is named.
func (l *living) do(status int, method, path, body, player string) map[string]any {
	l.t.Helper()
	r, err := http.NewRequestWithContext(l.t.Context(), method, l.URL+path, bytes.NewBufferString(body))
	require.NoError(l.t, err)
	if player != "" {
		token := l.do(200, "POST", "/_local/token", fmt.Sprintf(`{"player":%q,"groups":["red"]}`, player), "")
		r.Header.Set("Authorization", "Bearer "+token["token"].(string))
	}
	res, err := http.DefaultClient.Do(r)
	require.NoError(l.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(l.t, err)
	require.Equal(l.t, status, res.StatusCode, "%s %s: %s", method, path, text)
	answer := map[string]any{}
	if len(text) > 0 {
		require.NoError(l.t, json.Unmarshal(text, &answer), "%s", text)
	}
	return answer
}

func (l *living) play(status int, player string, score int) {
	l.t.Helper()
	l.do(status, "POST", "/v1/scores", fmt.Sprintf(`{"mode":"daily_frame","score":%d,"groups":["red"]}`, score), player)
}

func (l *living) ranked(query string) (all []string) {
	l.t.Helper()
	for _, e := range l.do(200, "GET", "/v1/leaderboards/"+query, "", "")["entries"].([]any) {
		row := e.(map[string]any)
		all = append(all, fmt.Sprint(row["rank"], row["player"], row["score"]))
	}
	return all
}

// A running product is moved to another Redis, and back, without losing anything: standings,
// groups, closings and the archive. The way back is over the Redis protocol.
func TestALivingProductIsMovedAndMovedBack(t *testing.T) {
	var urls []string
	for range 2 {
		urls = append(urls, testkit.RealRedis(t))
	}
	// Days ago, since lbctl compares what has closed by the machine's clock.
	began := time.Now().UTC().Truncate(24 * time.Hour).Add(-6*24*time.Hour + 12*time.Hour)
	l := &living{t: t, now: began}
	l.start(urls[0], local.DatabaseAuto)
	database := l.Database
	l.play(201, "user_a", 600)
	l.play(201, "user_b", 700)
	l.pass(24 * time.Hour)
	l.do(200, "POST", "/_local/schedules/cron-daily", "", "")
	l.play(201, "user_a", 900)
	l.do(200, "POST", "/_local/schedules/cron-save", "", "")

	for i, target := range []string{urls[1], urls[0]} {
		to := upstashtest.Start(t, upstashtest.Options{Redis: target})
		_, err := to.Redis().Do(t.Context(), "FLUSHALL") // on the way back: a database of its own
		require.NoError(t, err)
		env := l.env()
		if i == 0 {
			env["UPSTASH_TARGET_REST_URL"], env["UPSTASH_TARGET_REST_TOKEN"] = to.URL(), to.Token()
		} else {
			env["REDIS_TARGET_URL"] = target
		}

		status, out := lbctl(t, env, "move")
		require.Equal(t, statusFailed, status)
		require.Contains(t, out.stderr.String(), "lbctl maintenance on first")
		status, out = lbctl(t, env, "move", "--live")
		require.Equal(t, statusGood, status, out.stderr.String())
		require.Contains(t, out.stdout.String(), "without --live to finish")
		l.play(201, fmt.Sprint("user_late", i), 650)
		status, _ = lbctl(t, env, "maintenance", "on", "--for", "160h", "--reason", "moving")
		require.Equal(t, statusGood, status)
		status, out = lbctl(t, env, "move")
		require.Equal(t, statusFailed, status)
		require.Contains(t, out.stderr.String(), "maintenance is effective everywhere by")
		l.pass(16 * time.Minute)
		l.play(503, "user_c", 100)
		before := l.ranked("daily_frame?scope=group:red")
		status, out = lbctl(t, env, "move", "--stopped")
		require.Equal(t, statusGood, status, out.stderr.String())
		require.Contains(t, out.stdout.String(), "copied again")
		require.Contains(t, out.stdout.String(), "done; point the functions at the target")

		old := l.Product
		l.start(target, database)
		require.Equal(t, before, l.ranked("daily_frame?scope=group:red"))
		l.play(503, "user_c", 100) // the maintenance has moved along
		status, _ = lbctl(t, l.env(), "maintenance", "off")
		require.Equal(t, statusGood, status)
		l.pass(2 * time.Minute)
		l.play(201, fmt.Sprint("user_new", i), 640)
		old.Clock.Set(l.now)
		require.Equal(t, http.StatusServiceUnavailable, statusOf(t, old), "the source still waits")
		require.Len(t, l.ranked("daily_frame?scope=group:red"), len(before)+1)
		l.do(200, "GET", "/v1/leaderboards/daily_frame/players/me?period=alltime", "", "user_a")

		l.pass(24 * time.Hour)
		l.do(200, "POST", "/_local/schedules/cron-daily", "", "")
		l.do(200, "POST", "/_local/schedules/cron-weekly", "", "") // a week may be over
		status, out = lbctl(t, l.env(), "verify", "--now", l.now.Format(time.RFC3339))
		require.Equal(t, statusGood, status, out.stdout.String()+out.stderr.String())
		require.Contains(t, out.stderr.String()+out.stdout.String(), " 0 differences")
		l.play(201, "user_a", 500)
		l.do(200, "POST", "/_local/schedules/cron-save", "", "")
	}
	me := l.do(200, "GET", "/v1/leaderboards/daily_frame/players/me?period=alltime", "", "user_a")
	require.EqualValues(t, 600+900+500+500, me["score"])
	require.Equal(t, []string{"1user_a500"}, l.ranked("daily_frame?scope=group:red"))
}

// A game that keeps each submission has some in Redis that the history has not: they
// go along, none is lost, and none is there twice.
func TestALivingOutboxIsMoved(t *testing.T) {
	text := []byte("name: outboxed\noutbox: true\nmodes: {daily_frame: {policy: best, max: 1000, scopes: [group]}}\n")
	file := filepath.Join(t.TempDir(), "outboxed.yaml")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	g, err := gamefile.Parse(file, text)
	require.NoError(t, err)
	for _, kind := range []string{local.RedisEmbedded, "real"} {
		t.Run("from "+kind, func(t *testing.T) {
			from, target := local.RedisEmbedded, testkit.RealRedis(t)
			if kind == "real" {
				from = testkit.RealRedis(t)
			}
			to := upstashtest.Start(t, upstashtest.Options{Redis: target})
			l := &living{t: t, game: g, now: time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)}
			l.start(from, local.DatabaseAuto)
			conn, err := pgx.Connect(t.Context(), l.Database)
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, conn.Close(context.Background())) })
			archived := func() (all, apart int) {
				require.NoError(t, conn.QueryRow(t.Context(), "SELECT count(*), count(DISTINCT (player, stored)) FROM submissions").Scan(&all, &apart))
				return all, apart
			}
			plays := 0
			play := func(n int) {
				for range n {
					plays++
					l.play(201, fmt.Sprint("user_", plays), 300)
				}
			}
			env := l.env()
			env["UPSTASH_TARGET_REST_URL"], env["UPSTASH_TARGET_REST_TOKEN"] = to.URL(), to.Token()
			play(3)
			l.do(200, "POST", "/_local/schedules/cron-save", "", "")
			all, _ := archived()
			require.Equal(t, 3, all)
			code, out := lbctl(t, env, "move", "--game", file, "--live") // of an outbox that is drained
			require.Equal(t, statusGood, code, out.stderr.String())
			play(4)
			code, out = lbctl(t, env, "move", "--game", file, "--live")
			require.Equal(t, statusGood, code, out.stderr.String())
			play(2)
			code, _ = lbctl(t, env, "maintenance", "on", "--for", "160h", "--reason", "moving")
			require.Equal(t, statusGood, code)
			l.pass(16 * time.Minute)
			l.play(503, "user_waits", 1)
			code, out = lbctl(t, env, "move", "--game", file, "--stopped")
			require.Equal(t, statusGood, code, out.stderr.String())
			left, err := to.Redis().Do(t.Context(), "XLEN", game.OutboxKey)
			require.NoError(t, err)
			require.EqualValues(t, 6, left)
			code, _ = lbctl(t, map[string]string{"UPSTASH_REDIS_REST_URL": to.URL(), "UPSTASH_REDIS_REST_TOKEN": to.Token()}, "maintenance", "off")
			require.Equal(t, statusGood, code)

			l.start(target, l.Database)
			l.pass(2 * time.Minute)
			play(2)
			l.do(200, "POST", "/_local/schedules/cron-save", "", "")
			all, apart := archived()
			require.Equal(t, plays, all, "none is lost, and none is there twice")
			require.Equal(t, plays, apart)
			require.Len(t, l.ranked("daily_frame?scope=group:red"), plays)
		})
	}
}

// statusOf is what a score is answered.
func statusOf(t *testing.T, p *local.Product) int {
	l := &living{t: t, Product: p}
	token := l.do(200, "POST", "/_local/token", `{"player":"user_z"}`, "")
	r, err := http.NewRequestWithContext(t.Context(), "POST", p.URL+"/v1/scores", bytes.NewBufferString(`{"mode":"daily_frame","score":1}`))
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+token["token"].(string))
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer res.Body.Close()
	return res.StatusCode
}

func TestAMoveWithoutItsPlacesIsExplained(t *testing.T) {
	server := upstashtest.Start(t, upstashtest.Options{})
	env := map[string]string{"UPSTASH_REDIS_REST_URL": server.URL(), "UPSTASH_REDIS_REST_TOKEN": server.Token()}
	for says, args := range map[string][]string{
		"the target: no Redis: set UPSTASH_TARGET_REST_URL and UPSTASH_TARGET_REST_TOKEN, or REDIS_TARGET_URL": {"move"},
		"use either --live or --stopped": {"move", "--live", "--stopped"},
	} {
		status, out := lbctl(t, env, args...)
		require.Equal(t, statusFailed, status)
		require.Contains(t, out.stderr.String(), says)
	}
	status, out := lbctl(t, nil, "move")
	require.Equal(t, statusFailed, status)
	require.Contains(t, out.stderr.String(), "the source: no Redis: set UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN, or REDIS_URL")
}
