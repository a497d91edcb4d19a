package rollup

import (
	"context"
	"errors"
	"time"
)

// A large board may be made while a request waits for it, in a function that runs for 10 s.
// Then Lambda ends the function, with everything that it remembers. So making a board for a
// request ends before that, and the request is answered with the board as it was before. A
// request that needs a board only for a part of its answer waits for less time than a large
// board takes. That board is made to its end all the same, since the next request would begin
// anew.

const (
	// answering is what is left of a request's time to answer it in.
	answering = 2 * time.Second
	// partly is more than the longest time that a request waits for a part of its answer.
	partly = 4 * time.Second
	// largeTime bounds how long a board is made to its end that nobody waits for any more.
	largeTime = 8 * time.Second
)

// ErrUnfinished is returned for a board that does not exist yet and that could not be made in
// the time of the request.
var ErrUnfinished = errors.New("the board takes longer to be made than a request may take")

// bounded marks the context of a making that ends in time for its request.
type bounded struct{}

// making is the context for making a board for a request: it leaves time to answer.
func making(ctx context.Context) (context.Context, context.CancelFunc) {
	if end, ok := ctx.Deadline(); ok && time.Until(end) > partly {
		return context.WithDeadline(context.WithValue(ctx, bounded{}, true), end.Add(-answering))
	}
	return context.WithCancel(ctx)
}

// unfinished is ErrUnfinished if the time for making the board is over and the request's is
// not, else err.
func unfinished(ctx, making context.Context, err error) error {
	if err != nil && ctx.Err() == nil && making.Err() != nil {
		return ErrUnfinished
	}
	return err
}

// finishing is the context for making a large board to its end, if the request waits for it
// only for a part of its answer.
func finishing(ctx context.Context) (context.Context, context.CancelFunc) {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= partly && ctx.Value(bounded{}) == nil {
		return context.WithTimeout(context.WithoutCancel(ctx), largeTime)
	}
	return context.WithCancel(ctx)
}
