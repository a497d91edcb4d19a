package upstash

import (
	"context"
	"sync/atomic"
	"time"
)

// watch ends an attempt on a direct connection: with its context, with the call or, if the
// attempt may be repeated, after hearing nothing for too long. It uses one timer and no
// contexts: a context costs as much as reading a short answer.
type watch struct {
	line      *line
	over      time.Time     // end of the call
	quiet     time.Duration // how long the attempt may hear nothing
	impatient bool          // hearing nothing for that long ends the attempt
	late      bool          // something arrived after the time had run out: the connection is cut, or soon will be

	timer *time.Timer
	leave func() bool // stops waiting for the context
	ended atomic.Int32
}

// Why a watch has ended an attempt.
const (
	notEnded int32 = iota
	atEnd
	inQuiet
)

// begin begins to watch an attempt that began at began.
func (w *watch) begin(ctx context.Context, l *line, x *exchange, began time.Time) {
	w.line, w.over, w.quiet = l, x.end, x.quiet
	w.impatient = x.quiet > 0 && x.request.safe()
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

// cut ends every read and write that waits on the connection.
func (w *watch) cut() { _ = w.line.SetDeadline(longAgo) }

// hears notes that something has arrived.
func (w *watch) hears() {
	if !w.timer.Reset(min(w.quiet, time.Until(w.over))) {
		w.late = true
	}
}

// end ends the watch. It reports whether the connection is unharmed.
func (w *watch) end() (free bool) {
	left, stopped := w.leave(), w.timer.Stop()
	return left && stopped && !w.late
}

// why returns why the watch ended the attempt; nil: it did not, or the context did.
func (w *watch) why() error {
	switch w.ended.Load() {
	case inQuiet:
		return quietError(w.quiet)
	case atEnd:
		return context.DeadlineExceeded
	}
	return nil
}
