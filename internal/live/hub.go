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

// ErrFull is returned if the process watches as many boards as it may.
var ErrFull = errors.New("as many boards are watched here as there may be")

// mostBoards is how many boards a process watches at once. With two reads a second for each,
// it bounds what viewers can make the process spend.
const mostBoards = 256

// Reader reads the current state of boards.
type Reader interface {
	// Top reads the first rows from Redis, never from memory. Last is the total that was read
	// before, 0 for none. For a board with more rows than limit, Top puts last into the page,
	// unless count asks for a new total.
	Top(ctx context.Context, b game.Board, limit, last int64, count bool) (game.Page, error)
	// Count is how many players a board has.
	Count(ctx context.Context, b game.Board) (int64, error)
	// Every is the least time between two refreshes of a derived board; 0 for a board that
	// submissions write.
	Every(b game.Board) time.Duration
}

// News notifies of boards that have changed.
type News interface {
	// Listen notifies until ctx ends. It calls heard with the key of each changed board, and
	// with "" if any board may have changed. It calls hears to say whether changes are
	// notified from now on, or boards have to be read by the clock.
	Listen(ctx context.Context, heard func(key string), hears func(bool))
}

// Options are what NewHub makes a Hub of.
type Options struct {
	Game   *game.Game
	Now    func() time.Time // the product's clock
	Reader Reader
	News   News
	Log    *slog.Logger
	Timing Timing
	// Updates publishes to subscribers which modes have changed; nil: nothing is published.
	// With Updates the hub listens even if nobody watches.
	Updates *Updates
	// Within is the context of all work for viewers; nil: context.Background.
	Within context.Context
}

// Hub has the boards that are watched. It is safe for concurrent use.
type Hub struct {
	Options

	mu        sync.Mutex
	boards    map[string]*watched
	listening context.CancelFunc // nil: the hub does not listen
	updating  context.CancelFunc // nil: there are no Updates
	hearing   bool
	running   sync.WaitGroup
	closed    bool
}

// NewHub makes a Hub. Without Updates, it does nothing until somebody watches a board.
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

// Close ends every stream, and returns when no goroutine of the hub runs any more.
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

// Watch streams the first rows of a board. From is the id of the last event that the viewer
// received, maybe from another process; a forged id has no effect but a whole page. Watch
// calls wake whenever there may be events to take; wake must not block. Errors: ErrFull.
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

// begin starts to watch a board. The caller holds h.mu.
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

// listen starts to listen for changes. The caller holds h.mu.
func (h *Hub) listen() {
	ctx, cancel := context.WithCancel(h.Within)
	h.listening = cancel
	h.running.Go(func() { h.News.Listen(ctx, h.heard, func(hearing bool) { h.hears(ctx, hearing) }) })
}

// forgetIdle makes room by forgetting a board without viewers. The caller holds h.mu.
func (h *Hub) forgetIdle() bool {
	for _, w := range h.boards {
		if w.idle() {
			h.forget(w)
			return true
		}
	}
	return false
}

// forget stops watching a board. The caller holds h.mu.
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

// leave forgets a board if it still has no viewers.
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

// hears notes whether changes are notified. Ctx is that of the Listen call that says so.
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

// heard passes the news of a board on to that board, and to the boards derived from it.
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

// epochLength is how many letters identify the versions of one page in one process.
const epochLength = 12

func newEpoch() string { return strings.ToLower(rand.Text()[:epochLength]) }

// parseID is the inverse of [Event.ID]; 0 for an id of another epoch.
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
