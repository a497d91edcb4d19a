package live

import (
	"context"
	"log/slog"
	"time"
)

// Writers are the processes that write. While Redis tells nothing, they are asked to
// tell of it themselves, on [game.LiveToldChannel].
type Writers interface {
	// Ask is called again and again while it is wanted.
	Ask(ctx context.Context) error
	// NoLonger takes it back.
	NoLonger(ctx context.Context) error
}

// hushTime bounds how long it takes to take back what writers were asked.
const hushTime = 2 * time.Second

// ask has those who write tell of changes, or no longer.
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
