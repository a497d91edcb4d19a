// Package wait waits: for a time, or until a context ends, and longer after each failure.
// The packages client and upstash have copies of their own, since they are for other programs
// and need nothing of this one.
package wait

import (
	"context"
	"time"
)

// Sleep waits, or returns the cause of the context's end if that comes first.
func Sleep(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Backoff is first, doubled so many times, and longest at most.
func Backoff(doubled int, first, longest time.Duration) time.Duration {
	for ; doubled > 0 && first < longest; doubled-- {
		first *= 2
	}
	return min(first, longest)
}
