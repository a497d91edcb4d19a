package live

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// ErrFull is returned when as many boards are watched as the process takes.
var ErrFull = errors.New("as many boards are watched here as there may be")

// mostBoards is how many boards a process watches at once: at two reads a second each
// they bound what viewers can make it spend, whatever they ask for.
const mostBoards = 256

// Reader reads boards as they stand.
type Reader interface {
	// Top reads the first rows past anything remembered. Last is the total that was
	// read before, 0 for none; of a board with more rows it is good enough for the page,
	// unless they are to be counted.
	Top(ctx context.Context, b game.Board, limit, last int64, count bool) (game.Page, error)
	// Count is how many players a board has.
	Count(ctx context.Context, b game.Board) (int64, error)
	// Every is the least time between two refreshes of a board that follows from
	// others; 0 for one that is written.
	Every(b game.Board) time.Duration
}

// News tells which boards have changed.
type News interface {
	// Listen tells until ctx ends. Heard is called with the key of a board that has
	// changed, and with "" where any may have; hears with whether changes are told
	// from now on, or have to be looked for.
	Listen(ctx context.Context, heard func(key string), hears func(bool))
}

// Options are what a Hub is made of.
type Options struct {
	Game   *game.Game
	Now    func() time.Time // the product's clock
	Reader Reader
	News   News
	Log    *slog.Logger
	Timing Timing
	// Updates tell others of changes; nil: nobody is told. With them the hub listens
	// though nobody watches.
	Updates *Updates
	// Within is what everything that is done for viewers is done in; nil: nothing.
	Within context.Context
}

// Hub has the boards that are watched. It is safe for concurrent use.
type Hub struct {
	Options

	mu        sync.Mutex
	boards    map[string]*watched
	listening context.CancelFunc // nil: nobody watches
	updating  context.CancelFunc // nil: nobody is told of updates
	hearing   bool
	running   sync.WaitGroup
	closed    bool
}

// NewHub makes a Hub. Unless it has others to tell, it does nothing until somebody
// watches.
func NewHub(o Options) *Hub {
	o.Timing = o.Timing.filled()
	if o.Within == nil {
		o.Within = context.Background()
	}
	h := &Hub{Options: o, boards: map[string]*watched{}}
	if o.Updates != nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.listen()
		ctx, cancel := context.WithCancel(o.Within)
		h.updating = cancel
		h.running.Go(func() { o.Updates.run(ctx) })
	}
	return h
}

// Close ends every stream, and returns when nothing of the hub runs any more.
func (h *Hub) Close() {
	h.mu.Lock()
	if !h.closed {
		h.closed = true
		for _, w := range h.boards {
			w.stop()
			w.sendAway()
		}
		for _, stop := range []context.CancelFunc{h.listening, h.updating} {
			if stop != nil {
				stop()
			}
		}
	}
	h.mu.Unlock()
	h.running.Wait()
}

// Watch has the first rows of a board told. From is the id of the last event that the
// viewer was told, by whichever process; a forged one is as good as none. Wake is
// called whenever there may be something to take, and must not wait. Errors: ErrFull.
//
// Cost: nothing by itself, see package live.
func (h *Hub) Watch(b game.Board, limit int64, from string, wake func()) (*Stream, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, ErrFull
	}
	w := h.boards[b.Key]
	if w == nil {
		if len(h.boards) >= mostBoards && !h.forgetIdle() {
			return nil, ErrFull
		}
		w = h.begin(b)
	}
	return w.join(limit, from, wake), nil
}

// Watches reports whether a board is watched, or was lately.
func (h *Hub) Watches(b game.Board) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.boards[b.Key] != nil
}

// begin has a board watched. The lock is held.
func (h *Hub) begin(b game.Board) *watched {
	ctx, stop := context.WithCancel(h.Within)
	w := &watched{
		hub: h, board: b, stop: stop, wake: make(chan struct{}, 1), streams: map[*Stream]struct{}{},
		dirty: true, views: map[int64]*history{}, polls: !h.hearing,
	}
	h.boards[b.Key] = w
	h.running.Go(func() { w.run(ctx) })
	if h.listening == nil {
		h.listen()
	}
	return w
}

// listen has changes told from now on. The lock is held.
func (h *Hub) listen() {
	ctx, cancel := context.WithCancel(h.Within)
	h.listening = cancel
	h.running.Go(func() { h.News.Listen(ctx, h.heard, func(hearing bool) { h.hears(ctx, hearing) }) })
}

// forgetIdle makes room by forgetting a board that nobody watches any more. The lock
// is held.
func (h *Hub) forgetIdle() bool {
	for _, w := range h.boards {
		if w.idle() {
			h.forget(w)
			return true
		}
	}
	return false
}

// forget stops watching a board. The lock is held.
func (h *Hub) forget(w *watched) {
	w.stop()
	if h.boards[w.board.Key] == w {
		delete(h.boards, w.board.Key)
	}
	if len(h.boards) == 0 && h.listening != nil && h.Updates == nil {
		h.listening()
		h.listening, h.hearing = nil, false
	}
}

// leave forgets a board if still nobody watches it.
func (h *Hub) leave(w *watched) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !w.idle() {
		return false
	}
	h.forget(w)
	return true
}

// end forgets a board whose period has ended.
func (h *Hub) end(w *watched) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.forget(w)
}

// hears notes whether changes are told. Ctx is that of the listening which says so.
func (h *Hub) hears(ctx context.Context, hearing bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ctx.Err() != nil || h.hearing == hearing {
		return
	}
	h.hearing = hearing
	for _, w := range h.boards {
		w.poll(!hearing)
	}
	h.Log.Info("live boards", slog.Bool("told_of_changes", hearing))
}

// heard passes the news of a board on to it, and to those that are made of it.
func (h *Hub) heard(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if key == "" {
		for _, w := range h.boards {
			w.doubt()
		}
		return
	}
	if w := h.boards[key]; w != nil {
		w.touch()
	}
	mode, period, _, err := game.ParseBoardKey(key)
	if err != nil || period.Kind() != game.Day {
		return
	}
	if m, ok := h.Game.Mode(mode); ok && h.Updates != nil {
		h.Updates.note(m.Called())
	}
	for _, w := range h.boards {
		if b := w.board; b.Key != key && b.Derived() && (b.Mode.Name == mode || b.Mode.Name == game.XPMode) && b.Period.Contains(period.First()) {
			w.touchSource()
		}
	}
}

// epochLength is how many letters name the versions of one page in one process.
const epochLength = 12

func newEpoch() string { return strings.ToLower(rand.Text()[:epochLength]) }

// parseID is the inverse of [Event.ID]; 0 for what is none of the epoch.
func parseID(epoch, id string) int64 {
	rest, ok := strings.CutPrefix(id, epoch+"-")
	if !ok {
		return 0
	}
	version, err := strconv.ParseInt(rest, 10, 64)
	if err != nil || version < 0 {
		return 0
	}
	return version
}
