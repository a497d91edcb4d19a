package main

import (
	"context"
	"sync/atomic"
	"time"
)

// perRequest is how far a clock moves with each hostile request: as if they were
// 10,000 a second, however slow the machine is.
const perRequest = 100 * time.Microsecond

// calmTime is longer than a process remembers how busy it was.
const calmTime = 6 * time.Second

// clock goes by the requests that were sent.
type clock struct {
	began time.Time
	gone  atomic.Int64 // nanoseconds
}

func newClock() *clock { return &clock{began: time.Now()} }

func (s *product) now() time.Time {
	if s.clock == nil {
		return time.Now()
	}
	return s.clock.began.Add(time.Duration(s.clock.gone.Load()))
}

// tick tells of one more hostile request.
func (s *product) tick() {
	if s.clock != nil {
		s.clock.gone.Add(int64(perRequest))
	}
}

// calm lets a while pass without requests.
func (s *product) calm(ctx context.Context) {
	if s.clock != nil {
		s.clock.gone.Add(int64(calmTime))
		return
	}
	rest(ctx, calmTime)
}
