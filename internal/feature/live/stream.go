package live

import (
	"net/netip"
	"time"
)

// Stream is the stream of one viewer. It is for one goroutine at a time.
type Stream struct {
	board   *watched
	view    *history
	address netip.Prefix
	wake    func()
	version int64 // the version that the viewer has received
	stale   bool  // the viewer knows that Redis does not answer
}

// Take returns the events that the viewer has not received. Over reports that no more follow:
// the last event is the final page or, without one, the viewer has to reconnect.
func (s *Stream) Take() (events []*Event, over bool) {
	w := s.board
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		if last := s.view.whole; last != nil && last.Kind == Closed {
			events = []*Event{last}
		}
		return events, true
	}
	events = s.view.since(s.version)
	if len(events) > 0 {
		s.version, s.stale = events[len(events)-1].Version, false
	}
	if w.failures > 0 && !s.stale {
		s.stale = true
		events = append(events[:len(events):len(events)], &Event{Kind: Stale})
	}
	return events, false
}

// Close ends the stream. It may be called twice.
func (s *Stream) Close() {
	w := s.board
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, watches := w.streams[s]; !watches {
		return
	}
	delete(w.streams, s)
	if p := w.payers[s.address]; p.streams > 1 {
		p.streams--
	} else {
		delete(w.payers, s.address)
	}
	s.view.viewers--
	w.left, s.view.left = time.Now(), time.Now()
}
