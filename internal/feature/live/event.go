package live

import (
	"strconv"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Kind is the kind of an [Event].
type Kind uint8

// The kinds of event.
const (
	Board  Kind = iota // the whole page, in Page
	Moved              // the changes since the event before: Changed, Gone, Total
	Stale              // Redis does not answer; viewers have the last known state
	Closed             // the period has ended, and Page is final; no event follows
)

// Event is one message to all viewers of a page. It never changes, so that all of them can
// share it.
type Event struct {
	Kind      Kind
	Epoch     string // the epoch of the versions; empty for Stale
	Version   int64
	Page      game.Page    // for Board and Closed
	Changed   []game.Entry // for Moved: the rows that changed or moved,
	Gone      []string     // the players who are no longer among the rows,
	Total     int64        // and how many players the board has
	UpdatedAt time.Time

	once sync.Once
	wire []byte
}

// Wire is the encoded event. The first call encodes it with write.
func (e *Event) Wire(write func(*Event) []byte) []byte {
	e.once.Do(func() { e.wire = write(e) })
	return e.wire
}

// ID is the id that a returning viewer sends.
func (e *Event) ID() string { return e.Epoch + "-" + strconv.FormatInt(e.Version, 10) }

// keptEvents is how many changes a page keeps for viewers who come back or are slow: those of
// half a minute on a board that changes all the time.
const keptEvents = 64

// history is the sequence of events of the first rows of one board.
type history struct {
	limit   int64
	epoch   string
	events  []*Event // the latest, without gaps
	whole   *Event   // the page now; nil: not read yet
	viewers int
	left    time.Time // when the last viewer left
}

// record adds a page that was read to the history. It reports whether there is an event for
// viewers. After a stale state there always is, even if nothing has changed.
func (h *history) record(page game.Page, wasStale bool) bool {
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

// close makes the current page the final one.
func (h *history) close() {
	last := h.whole.Page
	last.Closed = true
	h.whole = h.event(Closed, h.whole.Version+1, last)
}

// since are the events that bring a viewer from a version up to date; version 0 is a viewer
// who has received nothing.
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

// Timing has the intervals of package live. Zero fields take the defaults named here.
type Timing struct {
	Gap time.Duration // least time between two reads of a board: half a second
	// LargeGap replaces Gap for a board with more players than rows that are read. Count is
	// how often its players are counted. Together they are two commands a second.
	LargeGap, Count time.Duration // 0.6 s, 3 s
	Settle          time.Duration // from a change to the read: 0.1 s, in which a new player's name is written
	Poll            time.Duration // between two reads of a board while changes are not notified: 0.8 s
	Sure            time.Duration // between two reads of a board without changes: a minute
	Linger          time.Duration // how long a board without viewers is remembered: a minute
	Pulse           time.Duration // how often the end of a period is checked: a second
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
