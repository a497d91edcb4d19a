package upstash

import (
	"context"
	"sync/atomic"
	"time"
)

// watch ends an attempt on a direct connection: with its context, with the call, or once
// it has heard nothing for too long where it may be repeated. It has one timer, and makes
// no contexts: each of these costs as much as it takes to read a short answer.
type watch struct {
	line      *line
	over      time.Time     // when the call is
	quiet     time.Duration // that the attempt may hear nothing,
	impatient bool          // where that ends it
	late      bool          // it was heard from when its time had run out: the connection is cut, or soon will be

	timer *time.Timer
	leave func() bool // the context
	ended atomic.Int32
}

// Why a watch has ended an attempt.
const (
	notEnded int32 = iota
	atEnd
	inQuiet
)

// begin watches over an attempt that began then.
func (w *watch) begin(ctx context.Context, l *line, x *exchange, began time.Time) {
	w.line, w.over, w.quiet = l, x.end, x.quiet
	w.impatient = x.quiet > 0 && allSafe(x.request.cmds)
	at := w.over
	if quiet := began.Add(w.quiet); w.impatient && quiet.Before(at) {
		at = quiet
	}
	w.leave = context.AfterFunc(ctx, w.cut)
	w.timer = time.AfterFunc(time.Until(at), w.timeIsOver)
}

func (w *watch) timeIsOver() {
	if w.impatient && time.Now().Before(w.over) {
		w.ended.Store(inQuiet)
	} else {
		w.ended.Store(atEnd)
	}
	w.cut()
}

// cut ends whatever waits for the connection.
func (w *watch) cut() { _ = w.line.SetDeadline(longAgo) }

// hears notes that the connection is alive.
func (w *watch) hears() {
	if !w.timer.Reset(min(w.quiet, time.Until(w.over))) {
		w.late = true
	}
}

// end ends the watch. It reports whether the connection is as it was before.
func (w *watch) end() (free bool) {
	left, stopped := w.leave(), w.timer.Stop()
	return left && stopped && !w.late
}

// why is why the attempt was ended; nil: it was not, or by its context.
func (w *watch) why() error {
	switch w.ended.Load() {
	case inQuiet:
		return quietError(w.quiet)
	case atEnd:
		return context.DeadlineExceeded
	}
	return nil
}
