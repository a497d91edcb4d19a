package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// drillBlock is a block of docs/operate/runbook.md that is run as it stands.
var drillBlock = regexp.MustCompile("(?ms)^```sh drill ([a-z-]+)\n(.*?)^```$")

// drills are the blocks, by name.
func drills(t *testing.T) map[string]string {
	page, err := os.ReadFile("../../docs/operate/runbook.md")
	require.NoError(t, err)
	all := map[string]string{}
	for _, block := range drillBlock.FindAllStringSubmatch(string(page), -1) {
		all[block[1]] = block[2]
	}
	return all
}

// drilled is a product with days of history, and a shell before it.
type drilled struct {
	*testing.T
	*local.Product
	tool   string // the built lbctl
	today  game.Date
	before map[string]string // pages as they were before anything went wrong
}

// days are how many were played before today: so few that none is about to be
// rolled up, which removals wait for.
const days = 5

func buildLbctl(t *testing.T) string {
	tool := filepath.Join(t.TempDir(), "lbctl")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", tool, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	return tool
}

// newDrilled plays six days: each day three players, closed and archived in the night
// after it by the schedules themselves, and today's plays saved. The clock is then
// the machine's, as it is for lbctl.
func newDrilled(t *testing.T, tool string) *drilled {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	database := archivetest.Database(t)
	product, err := local.Start(t.Context(), local.Options{
		Addr: "127.0.0.1:0", Redis: local.RedisAuto, DatabaseURL: database, Game: g, Log: t.Output(),
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	d := &drilled{T: t, Product: product, tool: tool, today: game.DateOf(time.Now())}
	for back := days; back > 0; back-- {
		date := d.today.AddDays(-back)
		for i, player := range []string{"user_ana", "user_cheat", "user_gone"} {
			d.play(date, player, 100*(i+1)+back)
		}
		if night := date.AddDays(1).Midnight().Add(20 * time.Minute); night.Before(time.Now()) {
			d.Clock.Set(night)
			d.fire("cron-daily")
		}
	}
	d.Clock.Set(time.Time{})
	d.play(d.today, "user_ana", 500)
	for _, name := range []string{"cron-weekly", "cron-save", "cron-daily"} {
		d.fire(name)
	}
	d.before = d.pages()
	return d
}

func (d *drilled) play(date game.Date, player string, score int) {
	d.Helper()
	if date != d.today {
		d.Clock.Set(date.Midnight().Add(12 * time.Hour))
	}
	server, err := client.New(client.Config{URL: d.URL, SigningKey: d.Secrets.SigningKey})
	require.NoError(d, err)
	body := fmt.Sprintf(`{"mode":"daily_frame","player":%q,"date":%q,"score":%d,"country":"BR"}`, player, date, score)
	a, err := server.Do(d.Context(), client.Request{Method: http.MethodPost, Path: "/v1/scores", Body: []byte(body)})
	require.NoError(d, err)
	require.Equal(d, http.StatusCreated, a.Status, string(a.Body))
}

func (d *drilled) fire(schedule string) {
	d.Helper()
	anybody, err := client.New(client.Config{URL: d.URL, Timeout: time.Minute})
	require.NoError(d, err)
	a, err := anybody.Do(d.Context(), client.Request{Method: http.MethodPost, Path: "/_local/schedules/" + schedule})
	require.NoError(d, err)
	require.Equal(d, http.StatusOK, a.Status, "%s: %s", schedule, a.Body)
}

// get is the answer to what anybody may ask.
func (d *drilled) get(path, query string) (int, string) {
	anybody, err := client.New(client.Config{URL: d.URL})
	require.NoError(d, err)
	values, err := url.ParseQuery(query)
	require.NoError(d, err)
	a, err := anybody.Do(d.Context(), client.Request{Method: http.MethodGet, Path: path, Query: values})
	require.NoError(d, err)
	return a.Status, string(a.Body)
}

// pages are the boards that everybody sees, without the time they were made.
func (d *drilled) pages() map[string]string {
	all := map[string]string{}
	for _, query := range []string{"period=day&date=" + d.today.AddDays(-2).String(), "period=day&date=" + d.today.String(), "period=alltime"} {
		status, body := d.get("/v1/leaderboards/daily_frame", query)
		require.Equal(d, http.StatusOK, status, body)
		var page struct{ Entries json.RawMessage }
		require.NoError(d, json.Unmarshal([]byte(body), &page))
		all[query] = string(page.Entries)
	}
	_, all["xp"] = d.get("/v1/leaderboards/xp/players/user_ana", "")
	return all
}

// end is one command of a block and how it ended.
type end struct {
	command string
	status  int
}

// outcome is what a block printed, and how each command of it ended.
type outcome struct {
	text string
	ends []end
}

// run gives a block to bash as it stands, with the page's words for lbctl and fire.
func (d *drilled) run(block string) outcome {
	d.Helper()
	status := filepath.Join(d.TempDir(), "ends")
	preamble := `
ended() { echo "$1 $2" >> "$ENDS"; return "$1"; }
lbctl() { "$LBCTL" "$@"; ended $? "lbctl $*"; }
curl() { command curl --fail-with-body "$@"; ended $? "curl"; }
fire() { command curl -sS --fail-with-body -X POST "$API/_local/schedules/$1"; ended $? "fire $1"; }
`
	shell := exec.CommandContext(d.Context(), "bash", "-u", "-c", preamble+block)
	root, err := filepath.Abs("../..")
	require.NoError(d, err)
	shell.Dir = d.TempDir()
	require.NoError(d, os.Symlink(filepath.Join(root, "games"), filepath.Join(shell.Dir, "games")))
	shell.Env = append(
		os.Environ(), "LEADERBOARDS_URL="+d.URL, "API="+d.URL, "OPS_TOKEN="+d.Secrets.OpsToken, "SIGNING_KEYS="+d.Secrets.SigningKey, "SESSION_TOKEN=", "LBCTL="+d.tool, "ENDS="+status, "GAME=framedle", "MODE=daily_frame",
		"UPSTASH_REDIS_REST_URL="+d.Secrets.RedisRESTURL, "UPSTASH_REDIS_REST_TOKEN="+d.Secrets.RedisRESTToken,
		"DATABASE_URL="+d.Secrets.DatabaseURL, "DATE="+d.today.AddDays(-1).String(),
	)
	out, err := shell.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil {
		require.ErrorAs(d, err, &exit, string(out))
	}
	got := outcome{text: string(out)}
	ends, err := os.ReadFile(status)
	require.NoError(d, err, string(out))
	for line := range strings.Lines(string(ends)) {
		var e end
		_, err := fmt.Sscanf(line, "%d", &e.status)
		require.NoError(d, err)
		_, e.command, _ = strings.Cut(strings.TrimSpace(line), " ")
		got.ends = append(got.ends, e)
	}
	d.Log(got.text)
	return got
}

// bearerStatus is how the operator is answered.
func bearerStatus(d *drilled, path string) int {
	operator, err := client.New(client.Config{URL: d.URL, OpsToken: d.Secrets.OpsToken})
	require.NoError(d, err)
	a, err := operator.Do(d.Context(), client.Request{Method: http.MethodGet, Path: path})
	require.NoError(d, err)
	return a.Status
}

// sql runs statements in the history.
func (d *drilled) sql(statements string) {
	conn, err := pgx.Connect(d.Context(), d.Secrets.DatabaseURL)
	require.NoError(d, err)
	_, err = conn.Exec(d.Context(), statements)
	require.NoError(d, err)
	require.NoError(d, conn.Close(d.Context()))
}

func (d *drilled) redis(command ...string) {
	_, err := d.Upstash.Redis().Do(d.Context(), command...)
	require.NoError(d, err)
}

// statuses are those of the commands of a block, in their order.
func (o outcome) statuses() (all []int) {
	for _, e := range o.ends {
		all = append(all, e.status)
	}
	return all
}

// drill is what goes wrong, how the commands of the page end then, and what must
// be so afterwards.
type drill struct {
	wrong    func(d *drilled)
	statuses []int // of each lbctl, curl and fire of the block
	after    func(d *drilled, said string)
}

// drillsOfFeatures are those that a product without the feature does not need.
var drillsOfFeatures = map[string]drill{}

func quotaGone(upstashtest.Request) upstashtest.Fault {
	return upstashtest.Fault{Status: 400, Body: `{"error":"ERR max requests limit exceeded. Limit: 500000, Usage: 500000. See https://upstash.com/docs/redis/troubleshooting/max_requests_limit for details"}`}
}

var score = regexp.MustCompile(`"score":\d+`)

func same(d *drilled, _ string) { require.Equal(d, d.before, d.pages()) }

func TestEveryDrillOfTheRunbookRuns(t *testing.T) {
	tool := buildLbctl(t)
	all := map[string]drill{
		"look": {statuses: []int{0, 0, 0}, after: same},
		"redis-lost": {func(d *drilled) { d.redis("FLUSHALL"); d.play(d.today, "user_late", 50) }, []int{1, 1, 0, 0, 0, 0, 0, 0, 0}, func(d *drilled, said string) {
			require.Contains(d, said, "missing in Redis")
			require.Contains(d, said, ", 0 differences")
			pages := d.pages()
			closed := "period=day&date=" + d.today.AddDays(-2).String()
			require.Equal(d, d.before[closed], pages[closed])
			require.Equal(d, score.FindString(d.before["xp"]), score.FindString(pages["xp"]))
			today := pages["period=day&date="+d.today.String()]
			require.Contains(d, today, "user_ana")
			require.Contains(d, today, "user_late")
		}},
		"postgres-lost": {func(d *drilled) {
			d.sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
			status, body := d.get("/v1/leaderboards/daily_frame", "date=2026-01-31")
			require.Equal(d, 503, status, body)
			require.Equal(d, 200, bearerStatus(d, "/v1/ops/status"))
			// cron-save ran while the database was away.
			now := time.Now().UTC().Format(time.RFC3339)
			d.redis("HSET", "runs", "cron-save", `{"due":"`+now+`","ended":"`+now+`","milliseconds":1,"error":"postgres does not answer"}`)
		}, []int{1, 0, 0, 0, 0, 0, 0, 0}, func(d *drilled, said string) {
			require.Contains(d, said, "the database has no tables")
			require.Contains(d, said, "postgres does not answer")
			require.Contains(d, said, ", 0 differences")
			same(d, said)
		}},
		"schedule-missed": {func(d *drilled) {
			// The last two nights did not come.
			d.redis("HDEL", "closed", game.ClosedDay("daily_frame", d.today.AddDays(-1)), game.ClosedDay("daily_frame", d.today.AddDays(-2)))
			ended := time.Now().Add(-50 * time.Hour).UTC().Format(time.RFC3339)
			run := `{"due":"` + ended + `","ended":"` + ended + `","milliseconds":1}`
			lastWeek := strings.ReplaceAll(run, ended, time.Now().Add(-9*24*time.Hour).UTC().Format(time.RFC3339))
			d.redis("HSET", "runs", "cron-daily", run, "cron-daily good", run, "cron-save", run, "cron-save good", run, "cron-weekly", lastWeek, "cron-weekly good", lastWeek)
		}, []int{1, 0, 0, 0, 0, 0}, func(d *drilled, said string) {
			require.Contains(d, said, "cron-daily is late")
			require.Contains(d, said, "cron-weekly is late")
			require.Contains(d, said, "would close "+d.today.AddDays(-2).String())
			same(d, said)
		}},
		"cheater-score": {nil, []int{0, 0}, func(d *drilled, said string) {
			require.Contains(d, said, `"results":1`)
			status, _ := d.get("/v1/leaderboards/daily_frame/players/user_cheat", "date="+d.today.AddDays(-1).String())
			require.Equal(d, 404, status)
			require.Equal(d, score.FindString(d.before["xp"]), score.FindString(d.pages()["xp"]), "others keep theirs")
		}},
		"cheater-ban": {nil, []int{0, 0, 0, 0}, func(d *drilled, said string) {
			require.Regexp(d, `user_cheat .*plays with a script`, said)
			require.Regexp(d, `delete_result  user_cheat  daily_frame \S+ +[0-9a-f]+\n`, said, "each day once, and the request")
			require.Contains(d, said, ", 0 differences")
			status, _ := d.get("/v1/leaderboards/daily_frame/players/user_cheat", "date="+d.today.AddDays(-1).String())
			require.Equal(d, 404, status)
		}},
		"erasure": {nil, []int{0, 0, 1}, func(d *drilled, said string) {
			require.Contains(d, said, `"known": false`)
			require.NotContains(d, fmt.Sprint(d.pages()), "user_gone")
		}},
		"leaked-key": {nil, []int{0, 0, 0}, same},
		"quota": {func(d *drilled) { d.Upstash.Inject(quotaGone) }, []int{22, 0}, func(d *drilled, said string) {
			require.Contains(d, said, "500000")
			require.Contains(d, said, `"stale":true`)
			d.Upstash.Inject(nil)
			d.until("/v1/leaderboards/daily_frame/players/user_ana", "date="+d.today.String())
			same(d, said)
		}},
		"redis-away": {func(d *drilled) {
			d.Upstash.Inject(func(upstashtest.Request) upstashtest.Fault {
				return upstashtest.Fault{Status: 503, Body: `{"error":"ERR engine unreachable"}`}
			})
		}, []int{22, 0, 2}, func(d *drilled, said string) {
			require.Contains(d, said, `"stale":true`)
			d.Upstash.Inject(nil)
			d.until("/v1/leaderboards/daily_frame/players/user_ana", "date="+d.today.String())
			same(d, said)
		}},
		"drift": {nil, []int{0, 0}, same},
		"pace":  {nil, []int{0, 0}, same},
		"deployment": {func(d *drilled) {
			d.sql("DELETE FROM schema_migrations WHERE version_id = 29; DROP INDEX profiles_name")
		}, []int{0, 0, 0, 0}, func(d *drilled, said string) {
			require.Contains(d, said, "would apply 00029")
			require.Contains(d, said, "applied 00029")
		}},
		"wrong-rules": {func(d *drilled) {
			rules, err := os.ReadFile("../../games/framedle.yaml")
			require.NoError(d, err)
			flipped, err := gamefile.Parse("flipped.yaml", []byte(strings.Replace(string(rules), "day: utc", "day: local", 1)))
			require.NoError(d, err)
			redis, err := upstash.New(upstash.Config{URL: d.Secrets.RedisRESTURL, Token: d.Secrets.RedisRESTToken})
			require.NoError(d, err)
			require.NoError(d, control.AcceptRules(d.Context(), redis, flipped))
		}, []int{1, 1}, func(d *drilled, said string) {
			require.Contains(d, said, "REJECTED")
			require.Contains(d, said, "day: local -> utc")
		}},
		"maintenance": {nil, []int{0, 0, 1, 0, 0}, func(d *drilled, said string) {
			require.Contains(d, said, "MAINTENANCE since")
			same(d, said)
		}},
	}
	maps.Copy(all, drillsOfFeatures)
	blocks := drills(t)
	for name := range blocks {
		require.Contains(t, all, name, "docs/operate/runbook.md has a drill that is not run")
	}
	for name, one := range all {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, blocks, name)
			d := newDrilled(t, tool)
			if one.wrong != nil {
				one.wrong(d)
			}
			got := d.run(blocks[name])
			require.Equal(t, one.statuses, got.statuses(), "%v\n%s", got.ends, got.text)
			one.after(d, got.text)
		})
	}
}

// until waits for a product that has to notice by itself.
func (d *drilled) until(path, query string) {
	require.Eventually(d, func() bool {
		status, body := d.get(path, query)
		return status == http.StatusOK && !strings.Contains(body, `"stale":true`)
	}, time.Minute, 50*time.Millisecond)
}

// Every command of lbctl that a page names is there, with the flags that it is given, which
// are written with two dashes.
func TestEveryCommandAndFlagOfThePagesExists(t *testing.T) {
	code := regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]+`")
	call := regexp.MustCompile(`(?m)\blbctl ([a-z][a-z-]*)([^\n` + "`" + `|;#")]*)`)
	flagged := regexp.MustCompile(`(?:^| )(-{1,2})([a-z][a-z-]*)`)
	pages, err := filepath.Glob("../../docs/*/*.md")
	require.NoError(t, err)
	root := newRoot(console{stdout: io.Discard, stderr: io.Discard, getenv: func(string) string { return "" }})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	checked := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, snippet := range code.FindAllString(string(text), -1) {
			for _, found := range call.FindAllStringSubmatch(snippet, -1) {
				if found[1] == "v" {
					continue // what lbctl version prints
				}
				words := append([]string{found[1]}, strings.Fields(found[2])...)
				command, _, err := root.Find(words)
				require.NoError(t, err, "%s: lbctl %s", page, strings.Join(words, " "))
				for _, f := range flagged.FindAllStringSubmatch(found[2], -1) {
					checked++
					known := command.Flags().Lookup(f[2]) != nil && f[1] == "--"
					if len(f[2]) == 1 {
						known = command.Flags().ShorthandLookup(f[2]) != nil && f[1] == "-"
					}
					require.True(t, known, "%s: lbctl %s%s has %s%s", page, found[1], found[2], f[1], f[2])
				}
			}
		}
	}
	require.Greater(t, checked, 20)
}
