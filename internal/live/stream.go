package live

import "time"

// Stream is one viewer's. It is for one goroutine.
type Stream struct {
	board   *watched
	view    *history
	version int64 // that the viewer was told
	stale   bool  // and that this is all there is
	left    bool
}

// Take are the events that the viewer has not been told, and what says that there are
// more. Over reports that nothing follows them.
func (s *Stream) Take() (events []*Event, more <-chan struct{}, over bool) {
	w := s.board
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		if last := s.view.whole; last != nil && last.Kind == Closed {
			events = []*Event{last}
		}
		return events, nil, true
	}
	events = s.view.since(s.version)
	if len(events) > 0 {
		s.version, s.stale = events[len(events)-1].Version, false
	}
	if w.failures > 0 && !s.stale {
		s.stale = true
		events = append(events[:len(events):len(events)], &Event{Kind: Stale})
	}
	return events, w.changed, false
}

// Done is closed when the hub closes: then the stream is to end.
func (s *Stream) Done() <-chan struct{} { return s.board.hub.closed }

// Close ends the stream. It may be called twice.
func (s *Stream) Close() {
	w := s.board
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.left {
		return
	}
	s.left = true
	w.viewers--
	s.view.viewers--
	w.left, s.view.left = time.Now(), time.Now()
}
