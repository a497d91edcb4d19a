package live

import (
	"strconv"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Kind is what an [Event] tells.
type Kind uint8

// The kinds of event.
const (
	Board  Kind = iota // the whole page, as Page has it
	Moved              // what has changed since the event before: Changed, Gone, Total
	Stale              // Redis does not answer; what was told last is as good as it gets
	Closed             // the period has ended, and Page is final; nothing follows
)

// Event is one thing that all viewers of a page are told. It is not changed once it
// is made, and so shared by all of them.
type Event struct {
	Kind      Kind
	Epoch     string // of the versions; Stale has none
	Version   int64
	Page      game.Page    // of Board and Closed
	Changed   []game.Entry // of Moved: the rows that changed or moved,
	Gone      []string     // who is no longer among them,
	Total     int64        // and players on the board
	UpdatedAt time.Time

	once sync.Once
	wire []byte
}

// Wire is the event as it is sent, which write makes of it the first time.
func (e *Event) Wire(write func(*Event) []byte) []byte {
	e.once.Do(func() { e.wire = write(e) })
	return e.wire
}

// ID is what a viewer is to come back with.
func (e *Event) ID() string { return e.Epoch + "-" + strconv.FormatInt(e.Version, 10) }

// keptEvents is how many changes a page remembers for those who come back or are
// slow: half a minute of a board that changes all the time.
const keptEvents = 64

// history is what has been told of the first rows of one board.
type history struct {
	limit   int64
	epoch   string
	events  []*Event // the last of them, without gaps
	whole   *Event   // the page as it is now; nil: it has not been read yet
	viewers int
	left    time.Time // when the last viewer left
}

// tell notes a page that was read. It reports whether viewers are told anything.
// After a stale one they are told even where nothing changed.
func (h *history) tell(page game.Page, wasStale bool) bool {
	if int64(len(page.Entries)) > h.limit {
		page.Entries, page.More = page.Entries[:h.limit:h.limit], true
	}
	if h.whole == nil {
		h.whole = h.event(Board, 1, page)
		return true
	}
	before := h.whole
	changed, gone := between(before.Page.Entries, page.Entries)
	if len(changed)+len(gone) == 0 && page.Total == before.Page.Total && !wasStale {
		return false
	}
	version := before.Version + 1
	h.whole = h.event(Board, version, page)
	moved := h.event(Moved, version, game.Page{})
	moved.Changed, moved.Gone, moved.Total, moved.UpdatedAt = changed, gone, page.Total, page.UpdatedAt
	h.events = append(h.events, moved)
	if extra := len(h.events) - keptEvents; extra > 0 {
		h.events = append([]*Event(nil), h.events[extra:]...)
	}
	return true
}

func (h *history) event(kind Kind, version int64, page game.Page) *Event {
	return &Event{Kind: kind, Epoch: h.epoch, Version: version, Page: page}
}

// close makes the page as it is now the last one.
func (h *history) close() {
	last := h.whole.Page
	last.Closed = true
	h.whole = h.event(Closed, h.whole.Version+1, last)
}

// since are the events that bring a viewer up to date who was told the version, 0
// for none.
func (h *history) since(version int64) []*Event {
	if h.whole == nil || version == h.whole.Version {
		return nil
	}
	missing := h.whole.Version - version
	if version <= 0 || missing < 0 || missing > int64(len(h.events)) {
		return []*Event{h.whole}
	}
	return h.events[int64(len(h.events))-missing:]
}

// Timing is how often things are done. Zero fields are the product's own.
type Timing struct {
	Gap time.Duration // between two reads of a board, at least: half a second
	// LargeGap is Gap for a board of more players than are read, and Count how often they
	// are counted: together they are two commands a second.
	LargeGap, Count time.Duration // 0.6 s, 3 s
	Settle          time.Duration // from a change to the read: 0.1 s, in which its player gets a name
	Poll            time.Duration // between two reads of a board while nobody tells of changes: 0.8 s
	Sure            time.Duration // between two reads of a board that nothing is told of: a minute
	Linger          time.Duration // how long a board that nobody watches is remembered: a minute
	Pulse           time.Duration // how often a period's end is looked for: a second
}

func (t Timing) filled() Timing {
	set := func(d *time.Duration, own time.Duration) {
		if *d == 0 {
			*d = own
		}
	}
	set(&t.Gap, 500*time.Millisecond)
	set(&t.LargeGap, 600*time.Millisecond)
	set(&t.Count, 3*time.Second)
	set(&t.Settle, 100*time.Millisecond)
	set(&t.Poll, 800*time.Millisecond)
	set(&t.Sure, time.Minute)
	set(&t.Linger, time.Minute)
	set(&t.Pulse, time.Second)
	return t
}
