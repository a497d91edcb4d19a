package live

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// ErrFull is returned if the process watches as many boards as it may.
var ErrFull = errors.New("the limit of watched boards is reached")

// How many boards a process watches at once. With two reads a second for each, mostBoards
// bounds what viewers can make the process spend.
const (
	mostBoards = 256
	// mostParts is how many of them may rank a part of the players, such as a group or a country:
	// anybody can name any number of these. The rest is kept for boards of everybody.
	mostParts = 192
	// mostOfAddress is how many of them one address watches. A page shows one to three.
	mostOfAddress = 16
)

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

// Viewer is who watches a board.
type Viewer struct {
	Address netip.Prefix // zero: this machine, which may watch any number of boards
	// From is the id of the last event that the viewer received, maybe from another process; a
	// forged id has no effect but a whole page.
	From string
	Wake func() // called whenever there may be events to take; it must not block
	Pay  Pay    // nil: reads for this viewer cost nothing
}

// Pay charges the viewer for one read of a board, before it. The read is made with the context
// paid, and settle is called after it. If the viewer may spend no more now, later says for how
// long, and the rest is nil.
type Pay func(ctx context.Context) (paid context.Context, settle func(), later time.Duration)

// Watch streams the first rows of a board to a viewer. Errors: ErrFull.
//
// Cost: nothing by itself, see package live. Each read of the board is paid by one of its
// viewers.
func (h *Hub) Watch(b game.Board, limit int64, v Viewer) (*Stream, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || v.Address.IsValid() && h.watchedBeside(b, v.Address) >= mostOfAddress {
		return nil, ErrFull
	}
	w := h.boards[b.Key]
	if w == nil {
		if !h.makeRoom(b) {
			return nil, ErrFull
		}
		w = h.begin(b)
	}
	return w.join(limit, v), nil
}

// watchedBeside is how many boards an address watches, apart from one. The caller holds h.mu.
func (h *Hub) watchedBeside(b game.Board, from netip.Prefix) (n int) {
	for _, w := range h.boards {
		if w.board.Key != b.Key && w.audience(from).from {
			n++
		}
	}
	return n
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
		hub: h, board: b, stop: stop, wake: make(chan struct{}, 1), streams: map[*Stream]struct{}{}, payers: map[netip.Prefix]*payer{},
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

// makeRoom reports whether there is room for another board. If need be, it makes room by
// forgetting a board without viewers or, if each has some, the board of a group or another part
// of the players on which nobody is. The caller holds h.mu.
func (h *Hub) makeRoom(b game.Board) bool {
	parts := 0
	for _, w := range h.boards {
		if isOfPart(w.board) {
			parts++
		}
	}
	partsFull := isOfPart(b) && parts >= mostParts
	if len(h.boards) < mostBoards && !partsFull {
		return true
	}
	var empty *watched
	for _, w := range h.boards {
		if partsFull && !isOfPart(w.board) {
			continue
		}
		has := w.audience(netip.Prefix{})
		if has.idle {
			h.forget(w)
			return true
		}
		if isOfPart(w.board) && has.empty {
			empty = w
		}
	}
	if empty == nil {
		return false
	}
	empty.sendAway() // its viewers come back if there is room for them
	h.forget(empty)
	return true
}

// isOfPart reports whether a board ranks only a part of the players. There is any number of
// such boards, while the game file says how many others there are.
func isOfPart(b game.Board) bool {
	switch b.Scope.Kind() {
	case game.Global, game.Teams, game.Worldwide:
		return false
	}
	return true
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
	if !w.audience(netip.Prefix{}).idle {
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
