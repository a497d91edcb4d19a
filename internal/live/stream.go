package live

import "time"

// Stream is one viewer's. It is for one goroutine at a time.
type Stream struct {
	board   *watched
	view    *history
	wake    func()
	version int64 // that the viewer was told
	stale   bool  // and that this is all there is
}

// Take are the events that the viewer has not been told. Over reports that nothing
// follows them: the last is the final page, or there is none and the viewer is to come
// back.
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
	s.view.viewers--
	w.left, s.view.left = time.Now(), time.Now()
}
