package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/upstash"
)

// A viewer who watches a board while Redis is lost is told so, and then gets the board again
// as it was, with what was played since. Redis is once emptied and once ended and begun again
// empty. The viewer does nothing for it.
func TestViewersHaveTheirBoardBackAfterARestore(t *testing.T) {
	tool, place := buildLbctl(t), newPlace(t)
	g, err := app.LoadGame("")
	require.NoError(t, err)
	noon := time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)
	database := archivetest.Database(t)
	var products []*local.Product
	for range 2 { // one is played through, the other one watched
		product, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: place.url(), DatabaseURL: database, Game: g, Log: io.Discard})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, product.Close()) })
		product.Clock.Set(noon)
		products = append(products, product)
	}
	played, secrets := products[0], products[0].Secrets
	server, err := client.New(client.Config{URL: played.URL, SigningKey: secrets.SigningKey})
	require.NoError(t, err)
	play := func(player string, score int) {
		_, err := server.Submit(t.Context(), client.Submission{Mode: "daily_frame", Player: player, Score: float64(score)})
		require.NoError(t, err)
	}
	save := func() {
		a, err := server.Do(t.Context(), client.Request{Method: http.MethodPost, Path: "/_local/schedules/cron-save"})
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	}
	lbctl := func(args ...string) string {
		command := exec.CommandContext(t.Context(), tool, append(args, "--now="+noon.Format(time.RFC3339))...)
		command.Env = []string{
			"UPSTASH_REDIS_REST_URL=" + secrets.RedisRESTURL, "UPSTASH_REDIS_REST_TOKEN=" + secrets.RedisRESTToken, "DATABASE_URL=" + database,
		}
		out, err := command.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}

	for i, player := range []string{"ana", "ben", "cid"} {
		play(player, 100*(i+1))
	}
	save()
	day := watch(t, products[1].URL+"/v1/live/daily_frame?limit=10")
	week := watch(t, products[1].URL+"/v1/live/daily_frame?limit=10&period=week")
	for _, v := range []*viewer{day, week} {
		v.until("cid 300", "ben 200", "ana 100")
	}

	redis, err := upstash.New(upstash.Config{URL: secrets.RedisRESTURL, Token: secrets.RedisRESTToken})
	require.NoError(t, err)
	_, err = redis.Do(t.Context(), upstash.Cmd("FLUSHALL"))
	require.NoError(t, err)
	play("dan", 250)
	day.until("dan 250")
	lbctl("restore")
	for _, v := range []*viewer{day, week} {
		v.until("cid 300", "dan 250", "ben 200", "ana 100")
	}
	save()
	require.Contains(t, lbctl("verify"), "0 differences")

	place.end()
	day.until("stale")
	place.begin()
	day.until() // the emptied board
	lbctl("restore")
	for _, v := range []*viewer{day, week} {
		v.until("cid 300", "dan 250", "ben 200", "ana 100")
	}
	require.Contains(t, lbctl("verify"), "0 differences")
	page, err := server.Page(t.Context(), client.Board{Mode: "daily_frame"}, client.From{})
	require.NoError(t, err)
	require.Len(t, page.Entries, 4)
}

// place is an address behind which a Redis ends, and another one begins with nothing.
type place struct {
	t      *testing.T
	listen net.Listener

	mu     sync.Mutex
	server *redisd.Server // nil: none
	open   []net.Conn
}

func newPlace(t *testing.T) *place {
	listen, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &place{t: t, listen: listen}
	p.begin()
	t.Cleanup(func() { _ = listen.Close(); p.end() })
	go func() {
		for {
			conn, err := listen.Accept()
			if err != nil {
				return
			}
			go p.pass(conn)
		}
	}()
	return p
}

func (p *place) url() string { return "redis://" + p.listen.Addr().String() }

func (p *place) begin() {
	server, err := redisd.Start(context.Background(), redisd.Options{})
	require.NoError(p.t, err)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.server = server
}

func (p *place) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server != nil {
		require.NoError(p.t, p.server.Stop())
	}
	for _, conn := range p.open {
		_ = conn.Close()
	}
	p.server, p.open = nil, nil
}

func (p *place) pass(conn net.Conn) {
	p.mu.Lock()
	var redis net.Conn
	err := net.ErrClosed
	if p.server != nil {
		redis, err = net.Dial("tcp", p.server.Addr())
	}
	if err != nil {
		p.mu.Unlock()
		_ = conn.Close()
		return
	}
	p.open = append(p.open, conn, redis)
	p.mu.Unlock()
	go func() {
		_, _ = io.Copy(redis, conn)
		_ = redis.Close()
	}()
	_, _ = io.Copy(conn, redis)
	_ = conn.Close()
}

// viewer is who watches a board, and what it has come to.
type viewer struct {
	t     *testing.T
	lines *bufio.Scanner
	rows  []row
	stale bool
}

type row struct {
	Rank   int    `json:"rank"`
	Player string `json:"player"`
	Score  int    `json:"score"`
}

func watch(t *testing.T, url string) *viewer {
	ctx, leave := context.WithTimeout(t.Context(), 3*time.Minute)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	t.Cleanup(func() { leave(); _ = answer.Body.Close() })
	require.Equal(t, http.StatusOK, answer.StatusCode)
	return &viewer{t: t, lines: bufio.NewScanner(answer.Body)}
}

// until takes in what is told until the board has these rows, or is stale where that is
// what is waited for.
func (v *viewer) until(want ...string) {
	v.t.Helper()
	event := ""
	for v.lines.Scan() {
		field, value, _ := strings.Cut(v.lines.Text(), ": ")
		switch field {
		case "event":
			event = value
		case "data":
			v.take(event, value)
			if v.shows(want) {
				return
			}
		}
	}
	require.Fail(v.t, "the stream has ended", "want %v, have %v: %v", want, v.rows, v.lines.Err())
}

func (v *viewer) take(event, data string) {
	var answer struct {
		Entries []row    `json:"entries"`
		Gone    []string `json:"gone"`
	}
	require.NoError(v.t, json.Unmarshal([]byte(data), &answer))
	switch event {
	case "stale":
		v.stale = true
	case "board":
		v.rows = answer.Entries
	case "change":
		v.rows = slices.DeleteFunc(v.rows, func(old row) bool {
			return slices.Contains(answer.Gone, old.Player) || slices.ContainsFunc(answer.Entries, func(r row) bool { return r.Player == old.Player })
		})
		v.rows = append(v.rows, answer.Entries...)
		slices.SortStableFunc(v.rows, func(a, b row) int { return a.Rank - b.Rank })
	}
}

func (v *viewer) shows(want []string) bool {
	if slices.Equal(want, []string{"stale"}) {
		return v.stale
	}
	var have []string
	for _, r := range v.rows {
		have = append(have, fmt.Sprintf("%s %d", r.Player, r.Score))
	}
	return slices.Equal(have, want)
}
