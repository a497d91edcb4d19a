package archive_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"path"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/feature/friend/friendstore"
	"github.com/framedle/leaderboards/internal/feature/league/leaguestore"
	"github.com/framedle/leaderboards/internal/game"
)

func TestAServerThatGoesAwayAndComesBack(t *testing.T) {
	server := archivetest.Server(t)
	a, n := openAt(t, server.URL(), 2)
	all := results(3000, func(i int) float64 { return float64(i) + 0.25 })
	w, err := a.Days.Begin(ctx, "daily", today, "")
	require.NoError(t, err)
	require.NoError(t, w.Put(ctx, all[:1000]))

	server.Stop()
	err = w.Put(ctx, all[1000:2000])
	require.ErrorIs(t, err, archive.ErrUnavailable, "and the call may be made again")
	require.ErrorIs(t, a.Ping(ctx), archive.ErrUnavailable)

	server.Start()
	require.NoError(t, w.Put(ctx, all[1000:2000]), "the same run goes on")

	server.Kill()
	server.Start()
	before := n.dialled
	require.NoError(t, w.Put(ctx, all[2000:]), "a broken connection is replaced without the caller's knowing")
	require.Equal(t, before+1, n.dialled)

	server.Stop()
	server.Start()
	report, err := w.Finish(ctx, noon)
	require.NoError(t, err)
	require.Equal(t, archive.DayReport{Players: 3000, Written: 3000, Complete: true}, report)
	require.Equal(t, all, day(t, a, "daily", today))
}

func TestAConnectionThatBreaksWhileRowsAreTaken(t *testing.T) {
	server := archivetest.Server(t)
	a, _ := openAt(t, server.URL(), 1)
	// More than sockets and buffers hold.
	all := results(20_000, func(i int) float64 { return float64(i) + 0.25 })
	for i := range all {
		all[i].Details = json.RawMessage(`"` + strings.Repeat("x", 1000) + `"`)
	}
	w, err := a.Days.Begin(ctx, "daily", today, "")
	require.NoError(t, err)
	for first := 0; first < len(all); first += archive.MostRows {
		require.NoError(t, w.Put(ctx, all[first:first+archive.MostRows]))
	}
	seen := map[string]int{}
	err = a.Results.OfDay(ctx, "daily", today, func(some []game.Result) error {
		server.Kill()
		for _, r := range some {
			seen[r.Player]++
		}
		return nil
	})
	require.ErrorIs(t, err, archive.ErrUnavailable)
	require.Less(t, len(seen), len(all))
	for player, times := range seen {
		require.Equal(t, 1, times, "%s is not given again", player)
	}
	server.Start()
	require.Len(t, day(t, a, "daily", today), len(all))
}

// The effect is there and the answer lost: the call is made again and changes
// nothing more.
func TestAnAnswerThatIsLost(t *testing.T) {
	url := archivetest.Database(t)
	var cut bool
	a, err := archive.OpenOver(archive.Options{URL: url}, func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return &deafConn{c, &cut}, err
	})
	require.NoError(t, err)
	defer a.Close(ctx)
	all := results(50, func(i int) float64 { return float64(i) + 0.25 })
	put(t, a, "daily", today, all...)

	for name, c := range map[string]func() error{
		"put": func() error {
			w, err := a.Days.Begin(ctx, "daily", today, "")
			require.NoError(t, err)
			cut = true
			return w.Put(ctx, all)
		},
		"finish": func() error {
			w, err := a.Days.Begin(ctx, "daily", today, "")
			require.NoError(t, err)
			require.NoError(t, w.Put(ctx, all))
			cut = true
			_, err = w.Finish(ctx, noon)
			return err
		},
		"ban": func() error { cut = true; return a.Bans.Put(ctx, "p", "why", act("ban")) },
		"submissions": func() error {
			cut = true
			_, err := a.Submissions.Put(ctx, []game.Posted{{StreamID: "1-0", Mode: "daily", Date: today, Player: "p", At: noon}}, "")
			return err
		},
		"erase": func() error { cut = true; _, err := a.ErasePlayer(ctx, "nobody", act("erase")); return err },
	} {
		require.NoError(t, c(), name)
		require.False(t, cut, "%s lost an answer", name)
	}
	require.Equal(t, all, day(t, a, "daily", today))
	require.Equal(t, []string{"ban", "erase"}, query(t, url, `SELECT id FROM audit ORDER BY id`))
	require.Equal(t, []string{"1-0"}, query(t, url, `SELECT stream_id FROM submissions`))
}

// deafConn breaks when an answer is there to be read, once cut is set.
type deafConn struct {
	net.Conn
	cut *bool
}

func (c *deafConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if *c.cut && err == nil {
		*c.cut = false
		_ = c.Conn.Close()
		return 0, errors.New("connection reset")
	}
	return n, err
}

// A database that was dropped, or that refuses the credentials, is away until somebody has
// looked after it: a second try at once does not help.
func TestWhatCannotPassIsNotTriedAgain(t *testing.T) {
	for says, url := range map[string]func(string) string{
		"does not exist": func(url string) string { return strings.Replace(url, "/test_", "/missing_", 1) },
		`user "nobody"`: func(url string) string {
			_, rest, _ := strings.Cut(url, "@")
			return "postgres://nobody:wrong@" + rest
		},
	} {
		a, n := openAt(t, url(archivetest.Database(t)), 1)
		err := a.Ping(ctx)
		require.ErrorContains(t, err, says)
		require.ErrorIs(t, err, archive.ErrUnavailable)
		require.Equal(t, 1, n.dialled)
	}
}

func lastErr[T any](_ T, err error) error { return err }

func databaseOf(url string) string {
	name, _, _ := strings.Cut(path.Base(url), "?")
	return name
}

func TestADatabaseThatIsDroppedInUseIsAway(t *testing.T) {
	server := archivetest.Server(t)
	a, _ := openAt(t, server.URL(), 1)
	require.NoError(t, a.Ping(ctx))
	name := databaseOf(server.URL())
	_ = query(t, strings.Replace(server.URL(), "/"+name, "/postgres", 1), `DROP DATABASE `+name+` WITH (FORCE)`)
	for range 2 {
		require.ErrorIs(t, lastErr(friendstore.In(a).Relations(ctx, "p")), archive.ErrUnavailable)
		_, err := a.Boards.Page(ctx, game.BoardOf(mode(t, "daily", fields{}), game.Day.Of(today), game.Scope{}), 1, 0, nil)
		require.ErrorIs(t, err, archive.ErrUnavailable)
	}
}

// Only a database that takes no writes is away for who writes.
func TestADatabaseThatTakesNoWritesIsAwayForWrites(t *testing.T) {
	url := archivetest.Database(t)
	a, _ := openAt(t, url, 1)
	_ = query(t, url, `ALTER DATABASE `+databaseOf(url)+` SET default_transaction_read_only = on`)
	require.NoError(t, a.Ping(ctx))
	require.ErrorIs(t, a.Bans.Put(ctx, "p", "why", act("ban")), archive.ErrUnavailable)
}

// A server that hangs is away as soon as the caller's time is over. Who answers requests does
// not wait until then.
func TestAServerThatHangsIsAway(t *testing.T) {
	server := archivetest.Server(t)
	var hangs atomic.Bool
	end := make(chan struct{})
	defer close(end)
	a, err := archive.OpenOver(archive.Options{URL: server.URL(), Patience: 100 * time.Millisecond}, func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return &hangingConn{c, &hangs, end}, err
	})
	require.NoError(t, err)
	require.NoError(t, a.Ping(ctx))
	hangs.Store(true)
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, a.Ping(short), archive.ErrUnavailable)
	all := a.ForRequests()
	for name, ask := range map[string]func() error{
		"ping":    func() error { return all.Ping(ctx) },
		"leagues": func() error { _, err := leaguestore.In(all).Next(ctx); return err },
		"join":    func() error { _, err := leaguestore.In(all).Join(ctx, today, []string{"p"}, noon, nil); return err },
		"friends": func() error { _, err := friendstore.In(all).Relations(ctx, "p"); return err },
		"erase":   func() error { _, err := all.ErasePlayer(ctx, "p", act("erase")); return err },
		"board": func() error {
			_, err := all.Boards.Page(ctx, game.BoardOf(mode(t, "daily", fields{}), game.Day.Of(today), game.Scope{}), 1, 0, nil)
			return err
		},
	} {
		require.ErrorIs(t, ask(), archive.ErrUnavailable, name)
	}
	given, cancel := context.WithCancel(ctx)
	cancel()
	require.NotErrorIs(t, all.Ping(given), archive.ErrUnavailable, "the caller gave up, not Postgres")
}

// hangingConn gives nothing to read once hangs is set, until its deadline or the end.
type hangingConn struct {
	net.Conn
	hangs *atomic.Bool
	end   chan struct{}
}

func (c *hangingConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.hangs.Load() && err == nil {
		var rest [1]byte
		for {
			select {
			case <-c.end:
				return 0, io.EOF
			default:
			}
			if _, err := c.Conn.Read(rest[:]); err != nil {
				return 0, err
			}
		}
	}
	return n, err
}

func TestWhoGivesUpIsTold(t *testing.T) {
	a, _ := openAt(t, archivetest.Database(t), 1)
	put(t, a, "daily", today, results(10, func(int) float64 { return 1 })...)
	given, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, a.Ping(given), context.Canceled)

	// A caller waits for the only connection no longer than it wants to.
	entered, leave := make(chan struct{}), make(chan struct{})
	done := make(chan error)
	go func() {
		done <- a.Results.OfDay(ctx, "daily", today, func([]game.Result) error {
			close(entered)
			<-leave
			return nil
		})
	}()
	<-entered
	waiting, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, a.Ping(waiting), context.DeadlineExceeded)
	close(leave)
	require.NoError(t, <-done)
	require.NoError(t, a.Ping(ctx))
}
