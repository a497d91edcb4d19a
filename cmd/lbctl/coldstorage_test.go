package main

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/dev/npmtest"
	"github.com/framedle/leaderboards/internal/feature/coldstorage/s3test"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/upstash"
)

const gameOfFiles = `
name: files
modes:
  puzzle: {title: Puzzle, policy: best, min: -50, max: 1000, ties: shared, scopes: [country, group], details: true}
  golf: {title: Golf, policy: best, order: asc, aggregate: min, min: 0, max: 90.25, decimals: 2}
  typing: {title: Typing, policy: best, aggregate: max, score: [{name: wpm, max: 300, decimals: 2}, {name: errors, max: 100, order: asc}]}
`

// filesProduct is a product in which a week and a month have been played and closed.
type filesProduct struct {
	*testing.T
	game    *game.Game
	product *local.Product
	env     map[string]string
	flags   []string
}

func newFilesProduct(t *testing.T) *filesProduct {
	p := &filesProduct{T: t}
	path := filepath.Join(t.TempDir(), "files.yaml")
	require.NoError(t, os.WriteFile(path, []byte(gameOfFiles), 0o600))
	var err error
	p.game, err = gamefile.Parse("files.yaml", []byte(gameOfFiles))
	require.NoError(t, err)
	p.product, err = local.Start(t.Context(), local.Options{
		Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, DatabaseURL: local.DatabaseAuto, Game: p.game, Log: t.Output(),
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.product.Close()) })
	s := p.product.Secrets
	p.env = map[string]string{"UPSTASH_REDIS_REST_URL": s.RedisRESTURL, "UPSTASH_REDIS_REST_TOKEN": s.RedisRESTToken, "DATABASE_URL": s.DatabaseURL}
	server, err := client.New(client.Config{URL: p.product.URL, SigningKey: s.SigningKey})
	require.NoError(t, err)
	first := time.Date(2026, 10, 28, 12, 0, 0, 0, time.UTC) // a Wednesday
	at := first
	for n := range 3 {
		at = first.AddDate(0, 0, n)
		for i := range 12 {
			p.product.Clock.Set(at.Add(time.Duration(i) * time.Minute))
			for _, body := range []string{
				`"mode":"puzzle","score":%d,"country":"BR","details":{"n":7}`, `"mode":"golf","score":%d.25`, `"mode":"typing","values":{"wpm":%d.5,"errors":3}`,
			} {
				body = fmt.Sprintf(`{"player":"p%02d",`+body+`}`, i, (n*7+i*5)%30)
				a, err := server.Do(t.Context(), client.Request{Method: http.MethodPost, Path: "/v1/scores", Body: []byte(body)})
				require.NoError(t, err)
				require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
			}
		}
	}
	later := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	p.product.Clock.Set(later)
	p.flags = []string{"--game", path, "--now", later.Format(time.RFC3339)}
	p.run("close", "day")
	p.run("close", "week", "2026-10-28")
	return p
}

func (p *filesProduct) try(args ...string) (int, *output) {
	status, out := lbctl(p.T, p.env, append(append([]string{args[0]}, p.flags...), args[1:]...)...)
	return status, out
}

func (p *filesProduct) run(args ...string) string {
	p.Helper()
	status, out := p.try(args...)
	require.Equal(p, statusGood, status, out.stdout.String()+out.stderr.String())
	return out.stdout.String()
}

// expectedRow is a row of a file as Redis has it, every number as a text.
type expectedRow struct {
	Rank   string   `json:"rank"`
	Player string   `json:"player"`
	Score  string   `json:"score"`
	Values []string `json:"values"`
	Bits   string   `json:"bits"`
}

type expectedBoard struct {
	File   string        `json:"file"`
	Mode   string        `json:"mode"`
	Period string        `json:"period"`
	Key    string        `json:"key"`
	Values []string      `json:"values"`
	Rows   []expectedRow `json:"rows"`
}

// inRedis is every closed board that stands in Redis, in the order that Redis has.
func (p *filesProduct) inRedis() (all []expectedBoard) {
	redis, err := upstash.New(upstash.Config{URL: p.env["UPSTASH_REDIS_REST_URL"], Token: p.env["UPSTASH_REDIS_REST_TOKEN"]})
	require.NoError(p, err)
	for _, m := range p.game.Modes {
		for _, kind := range []game.PeriodKind{game.Day, game.Week, game.Month} {
			for n := range 3 {
				period := kind.Of(game.NewDate(2026, 10, 28).AddDays(n))
				if kind != game.Day && n > 0 {
					continue
				}
				b := game.BoardOf(m, period, game.Scope{})
				reply, err := redis.Do(p.Context(), upstash.Cmd("ZRANGE", b.Key, "0", "-1", "WITHSCORES"))
				if m.Order == game.Desc {
					reply, err = redis.Do(p.Context(), upstash.Cmd("ZREVRANGE", b.Key, "0", "-1", "WITHSCORES"))
				}
				require.NoError(p, err)
				flat, err := reply.Array()
				require.NoError(p, err)
				require.NotEmpty(p, flat, b.Key)
				board := expectedBoard{
					File: "mode=" + m.Name + "/period=" + kind.String() + "/key=" + period.Key() + "/board.parquet",
					Mode: m.Name, Period: kind.String(), Key: period.Key(), Values: []string{},
				}
				for _, v := range m.Values {
					board.Values = append(board.Values, v.Name)
				}
				var entries []game.Entry
				for ; len(flat) > 1; flat = flat[2:] {
					player, err := flat[0].Text()
					require.NoError(p, err)
					number, err := flat[1].Text()
					require.NoError(p, err)
					stored, err := strconv.ParseFloat(number, 64)
					require.NoError(p, err)
					entries = append(entries, game.Entry{Player: player, Stored: stored, Score: game.TrueScore(stored)})
				}
				b.RankAmongThemselves(entries)
				for _, e := range entries {
					row := expectedRow{
						Rank: fmt.Sprint(e.Rank), Player: e.Player, Score: m.FormatScore(e.Score), Values: []string{},
						Bits: fmt.Sprint(int64(math.Float64bits(e.Stored))),
					}
					for i, v := range m.Unpack(e.Score) {
						row.Values = append(row.Values, m.Values[i].Format(v))
					}
					board.Rows = append(board.Rows, row)
				}
				all = append(all, board)
			}
		}
	}
	return all
}

func TestClosedBoardsAreKeptForYearsAndReadByOthers(t *testing.T) {
	p := newFilesProduct(t)
	current := p.inRedis()
	folder := t.TempDir()
	require.Contains(t, p.run("archive", "--to", folder), `"written": 15`)
	require.Contains(t, p.run("archive", "--to", folder), `"same": 15`)
	expected := filepath.Join(t.TempDir(), "expected.json")
	text, err := json.Marshal(current)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(expected, text, 0o600))
	readers := "../../test/parquet"
	require.NoError(t, npmtest.Install(t.Context(), readers))
	for _, file := range []string{"parquet.test.mjs", "package-lock.json"} {
		_, err := os.Stat(filepath.Join(readers, file)) // so that go test runs again when one changes, which Node alone reads
		require.NoError(t, err)
	}
	npmtest.Run(t, npmtest.Suite{
		Folder: readers, Files: []string{"parquet.test.mjs"}, Timeout: 5 * time.Minute,
		Env: []string{"FOLDER=" + folder, "EXPECTED=" + expected},
	})
}

// Redis and Postgres are both lost: what the bucket has makes all of it again.
func TestALostProductComesBackFromItsFiles(t *testing.T) {
	p := newFilesProduct(t)
	current := p.inRedis()
	bucket := s3test.New(t, "boards")
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_ENDPOINT_URL_S3"} {
		p.env[name] = bucket.Environment(name)
	}
	p.run("archive", "--to", "s3://boards/years")
	require.Len(t, bucket.Names(), 15)

	p.env["DATABASE_URL"] = archivetest.Database(t)
	redis, err := upstash.New(upstash.Config{URL: p.env["UPSTASH_REDIS_REST_URL"], Token: p.env["UPSTASH_REDIS_REST_TOKEN"]})
	require.NoError(t, err)
	_, err = redis.Do(t.Context(), upstash.Cmd("FLUSHALL"))
	require.NoError(t, err)
	require.Contains(t, p.run("restore", "--from", "s3://boards/years"), `"days": 9`)
	p.run("restore")
	p.run("close", "week", "2026-10-28")
	p.run("close", "month", "2026-10-28")
	require.Equal(t, current, p.inRedis())
	p.run("verify")

	name := "years/mode=golf/period=day/key=2026-10-29/board.parquet"
	bucket.Change(name, bucket.Bytes(name)[:100])
	p.env["DATABASE_URL"] = archivetest.Database(t)
	status, out := p.try("restore", "--from", "s3://boards/years")
	require.Equal(t, statusFaults, status)
	require.Contains(t, out.stdout.String(), "the file is damaged")
	require.Contains(t, out.stdout.String(), `"days": 8`)
}

func TestFlagsOfFilesThatDoNotFit(t *testing.T) {
	p := &filesProduct{T: t, env: map[string]string{"DATABASE_URL": "postgres://127.0.0.1:1/none"}}
	for args, says := range map[string]string{
		"archive --to x 2026-10-28": "--to takes no dates", "archive --first 2026-10-28": "require --to", "archive --replace": "require --to",
		"archive --to s3://": "use s3://bucket/prefix", "archive --to s3://boards": "set AWS_REGION", "archive --to x --modes nothing": "no mode",
		"archive --to x --last 2026-13-01": "2026-13-01", "archive --to x --first 2026-11-02 --last 2026-11-01": "--first 2026-11-02 is after --last 2026-11-01", "restore --first 2026-10-28": "require --from", "restore --from x --force": "do not apply to --from",
	} {
		status, out := p.try(strings.Fields(args)...)
		require.Equal(t, statusFailed, status, args)
		require.Contains(t, out.stderr.String(), says, args)
	}
}
