package apitest

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/host"
)

// Restless is a board on which every row changes with every look, all the time.
type Restless struct {
	looks atomic.Int64
	Still atomic.Bool
	Spend func(context.Context) // what each look costs; nil: nothing
}

func (b *Restless) Top(ctx context.Context, of game.Board, limit, _ int64, _ bool) (game.Page, error) {
	if !b.Still.Load() {
		b.looks.Add(1)
	}
	if b.Spend != nil {
		b.Spend(ctx)
	}
	score := b.looks.Load()
	page := game.Page{Board: of, Total: limit}
	for n := range limit {
		page.Entries = append(page.Entries, game.Entry{Player: fmt.Sprintf("user_%d_%s", n, strings.Repeat("x", 40)), Rank: n + 1, Score: game.Score(score)})
	}
	return page, nil
}

func (*Restless) Count(context.Context, game.Board) (int64, error) { return 0, nil }

func (*Restless) Every(game.Board) time.Duration { return 0 }

func (b *Restless) Listen(ctx context.Context, heard func(string), hears func(bool)) {
	hears(true)
	for ctx.Err() == nil {
		if !b.Still.Load() {
			heard("")
		}
		time.Sleep(time.Millisecond)
	}
}

// Narrow keeps the system from holding much of what a viewer does not read.
type Narrow struct{ net.Listener }

func (l Narrow) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		err = conn.(*net.TCPConn).SetWriteBuffer(4 << 10)
	}
	return conn, err
}

// Open serves the product on an address of this machine, with so many seats in all and
// for each address.
func (s *Stack) Open(b *Restless, most, each int, patient time.Duration) (address string) {
	s.Helper()
	s.Hops = 1
	s.Game = strings.Replace(TestGame, "boards: {player: off}, commands: {player: off}", "boards: {player: off, ip: off}, commands: {"+cmp.Or(s.Costs, "player: off")+"}", 1)
	s.streams = func(g *game.Game) *live.Live {
		log := slog.New(slog.DiscardHandler)
		hub := live.NewHub(live.Options{
			Game: g, Now: s.Clock.Now, Reader: b, News: b, Log: log,
			Timing: live.Timing{Gap: time.Millisecond, Settle: time.Millisecond},
		})
		s.Cleanup(hub.Close)
		records := live.NewRecords(live.RecordOptions{Now: s.Clock.Now, News: Emptiness{}, Log: log})
		s.Cleanup(records.Close)
		return &live.Live{Hub: hub, Records: records, Seats: live.NewSeats(most, each), Times: live.Times{Patient: patient, Own: time.Millisecond}}
	}
	handler := s.Process()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(s, err)
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- host.Serve(ctx, Narrow{listener}, handler, time.Minute, io.Discard) }()
	s.Cleanup(func() { stop(); require.NoError(s, <-served) })
	return listener.Addr().String()
}

// live streams boards; nil on Lambda, whose answer names the service that streams.
func (s *Stack) live(g *game.Game) *live.Live {
	switch {
	case s.Lambda:
		return nil
	case s.streams != nil:
		return s.streams(g)
	}
	hub := live.NewHub(live.Options{Game: g, Now: s.Clock.Now, Reader: Emptiness{}, News: Emptiness{}, Log: slog.New(slog.DiscardHandler)})
	s.Cleanup(hub.Close)
	records := live.NewRecords(live.RecordOptions{Now: s.Clock.Now, News: Emptiness{}, Log: slog.New(slog.DiscardHandler)})
	s.Cleanup(records.Close)
	return &live.Live{Hub: hub, Records: records, Seats: live.NewSeats(0, 0), Times: live.Times{Least: time.Millisecond, Most: 2 * time.Millisecond}}
}

type Emptiness struct{}

func (Emptiness) Top(_ context.Context, b game.Board, _, _ int64, _ bool) (game.Page, error) {
	return game.Page{Board: b}, nil
}

func (Emptiness) Count(context.Context, game.Board) (int64, error) { return 0, nil }

func (Emptiness) Every(game.Board) time.Duration { return 0 }

func (Emptiness) Listen(ctx context.Context, _ func(string), _ func(bool)) { <-ctx.Done() }
