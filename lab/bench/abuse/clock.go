package main

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/platform/wait"
	"github.com/framedle/leaderboards/lab/stage"
)

// perRequest is how far a clock moves with each hostile request: as at 10,000 requests a
// second, however slow the machine is.
const perRequest = 100 * time.Microsecond

// calmTime is longer than a process remembers how busy it has been.
const calmTime = 6 * time.Second

// newClock makes a clock that moves with the requests that are sent.
func newClock() *stage.Clock {
	c := &stage.Clock{}
	c.Forward(time.Now())
	return c
}

func (s *product) now() time.Time {
	if s.clock == nil {
		return time.Now()
	}
	return s.clock.Now()
}

// tick moves the clock by one hostile request.
func (s *product) tick() {
	if s.clock != nil {
		s.clock.Pass(perRequest)
	}
}

// calm moves the clock so that the processes see a while without requests.
func (s *product) calm(ctx context.Context) {
	if s.clock != nil {
		s.clock.Pass(calmTime)
		return
	}
	_ = wait.Sleep(ctx, calmTime)
}
