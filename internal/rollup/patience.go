package rollup

import (
	"context"
	"errors"
	"time"
)

// A large board is made while somebody waits for it, in a function that runs for 10 s and
// is ended by Lambda with all that it remembers when they are over. So what is made for a
// request ends before that, and the request is answered by what stands. Who waits for a
// part of an answer alone has less time than a large board takes: it is made to its end all
// the same, since the next one would begin it anew.

const (
	// answering is what is left of a request's time to answer it.
	answering = 2 * time.Second
	// partly is more than a part of an answer is waited for.
	partly = 4 * time.Second
	// largeTime bounds what is made to its end though nobody waits for it any more.
	largeTime = 8 * time.Second
)

// ErrUnfinished is returned for a board that is not there yet and could not be made in the
// time that there was.
var ErrUnfinished = errors.New("the board takes longer to be made than a request may take")

// bounded marks the context of a making that ends in time for its request.
type bounded struct{}

// making is the context of making a board for a request, which has to be answered then.
func making(ctx context.Context) (context.Context, context.CancelFunc) {
	if end, ok := ctx.Deadline(); ok && time.Until(end) > partly {
		return context.WithDeadline(context.WithValue(ctx, bounded{}, true), end.Add(-answering))
	}
	return context.WithCancel(ctx)
}

// unfinished is ErrUnfinished where the time of a making is over and its request's is not,
// or else what went wrong.
func unfinished(ctx, making context.Context, err error) error {
	if err != nil && ctx.Err() == nil && making.Err() != nil {
		return ErrUnfinished
	}
	return err
}

// finishing is the context of making a large board to its end, for who waits for a part of
// an answer.
func finishing(ctx context.Context) (context.Context, context.CancelFunc) {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= partly && ctx.Value(bounded{}) == nil {
		return context.WithTimeout(context.WithoutCancel(ctx), largeTime)
	}
	return context.WithCancel(ctx)
}
