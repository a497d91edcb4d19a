package live

import (
	"context"
	"log/slog"
	"time"
)

// Writers are the processes that write boards. While Redis sends no notifications, they are
// asked to announce changes themselves, on [game.LiveChangesChannel].
type Writers interface {
	// Ask asks them. It is called repeatedly for as long as it is needed.
	Ask(ctx context.Context) error
	// NoLonger withdraws the request.
	NoLonger(ctx context.Context) error
}

// hushTime bounds how long NoLonger may take.
const hushTime = 2 * time.Second

// ask asks the writers to announce changes, or withdraws the request.
func (e *ear) ask(ctx context.Context, on bool) {
	if e.Writers == nil {
		return
	}
	err := error(nil)
	if on {
		err = e.Writers.Ask(ctx)
	} else {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hushTime)
		defer cancel()
		err = e.Writers.NoLonger(ctx)
	}
	if err != nil && ctx.Err() == nil {
		e.Log.Warn("live boards: those who write cannot be asked to tell", slog.Bool("on", on), slog.String("error", err.Error()))
	}
}
