package archive_test

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
)

var (
	ctx   = context.Background()
	today = game.NewDate(2026, time.November, 21)
	noon  = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
)

// open gives an Archive over a database of its own.
func open(t testing.TB) *archive.Archive {
	a, _ := openAt(t, archivetest.Database(t), 4)
	return a
}

func openAt(t testing.TB, url string, connections int) (*archive.Archive, *trips) {
	t.Helper()
	n := &trips{}
	a, err := archive.OpenOver(archive.Options{URL: url, Connections: connections}, n.dial)
	require.NoError(t, err)
	t.Cleanup(func() { a.Close(ctx) })
	return a, n
}

// trips counts what a caller waits for: each time something is written after
// something was read.
type trips struct {
	mu      sync.Mutex
	n       int
	dialled int
}

func (n *trips) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	n.mu.Lock()
	n.dialled++
	n.mu.Unlock()
	return &countedConn{Conn: c, trips: n}, err
}

// during counts the round trips of f.
func (n *trips) during(f func()) int {
	n.mu.Lock()
	before := n.n
	n.mu.Unlock()
	f()
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.n - before
}

type countedConn struct {
	net.Conn
	trips *trips
	wrote bool
}

func (c *countedConn) Write(b []byte) (int, error) {
	c.trips.mu.Lock()
	if !c.wrote {
		c.trips.n++
	}
	c.wrote = true
	c.trips.mu.Unlock()
	return c.Conn.Write(b)
}

func (c *countedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.trips.mu.Lock()
	c.wrote = false
	c.trips.mu.Unlock()
	return n, err
}

// query asks the database itself; the answer is one text for each row.
func query(t testing.TB, url, sql string, args ...any) []string {
	t.Helper()
	c, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	defer c.Close(ctx)
	rows, err := c.Query(ctx, sql, args...)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return found
}

// fields are what tests compare of a mode's rules.
type fields struct {
	order     game.Order
	ties      game.TieStyle
	aggregate game.Aggregate
	decimals  int
	xp        game.XPRule
	values    []game.Value
}

// mode makes a mode as a game file would.
func mode(t require.TestingT, name string, f fields) *game.Mode {
	m := game.Mode{
		Name: name, Title: name, Policy: game.First, Order: game.Desc, Ties: game.Earliest, Max: 1000,
		Aggregate: game.Sum, Decimals: f.decimals, XP: f.xp, Values: f.values, Scopes: []game.ScopeKind{game.Country, game.Group},
	}
	if f.order != "" {
		m.Order = f.order
	}
	if f.ties != "" {
		m.Ties = f.ties
	}
	if f.aggregate != "" {
		m.Aggregate = f.aggregate
	}
	g, err := game.New(game.Game{
		Name: "framedle", Day: game.UTC, Grace: 15 * time.Minute, Refresh: 5 * time.Second, Cache: time.Minute,
		Lives: game.Lives{Day: 8 * 24 * time.Hour, Week: 30 * 24 * time.Hour, Month: 180 * 24 * time.Hour},
		Level: game.LevelCurve{Base: 50},
		Modes: []*game.Mode{&m},
	})
	require.NoError(t, err)
	return g.Modes[0]
}

func scope(t require.TestingT, text string) game.Scope {
	s, err := game.ParseScope(text)
	require.NoError(t, err)
	return s
}

// put writes a whole day in one run.
func put(t require.TestingT, a *archive.Archive, mode string, d game.Date, results ...game.Result) archive.DayReport {
	w, err := a.Days.Begin(ctx, mode, d, "")
	require.NoError(t, err)
	require.NoError(t, w.Put(ctx, results))
	report, err := w.Finish(ctx, noon)
	require.NoError(t, err)
	require.True(t, report.Complete)
	return report
}

// day reads a day's results, by player.
func day(t require.TestingT, a *archive.Archive, mode string, d game.Date) []game.Result {
	var all []game.Result
	require.NoError(t, a.Results.OfDay(ctx, mode, d, func(some []game.Result) error {
		all = append(all, some...)
		return nil
	}))
	slices.SortFunc(all, func(a, b game.Result) int { return strings.Compare(a.Player, b.Player) })
	return all
}

// results makes n results of players p000000 …
func results(n int, stored func(i int) float64) []game.Result {
	all := make([]game.Result, n)
	for i := range all {
		all[i] = game.Result{Player: fmt.Sprintf("p%06d", i), Stored: stored(i)}
	}
	return all
}

func act(id string) game.Act { return game.Act{ID: id, Actor: "operator", At: noon} }
