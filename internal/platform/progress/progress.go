// Package progress shows people how far a long command has come: as a bar on a terminal,
// as a plain line now and then in a log. It knows text and time; it must not know what is
// being counted.
package progress

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// How often a line is written.
const (
	terminalEvery = 200 * time.Millisecond
	logEvery      = 5 * time.Second
)

// ClearLine clears the current line of a terminal.
const ClearLine = "\r\x1b[K"

const barWidth = 24 // characters

// State is how far the work has come.
type State struct {
	Share float64 // of the whole, 0 to 1
	Count int64   // units done in this run
	Unit  string  // "lines"
	Note  string  // further text; may be empty
}

// IsTerminal reports whether a person is likely to be watching.
func IsTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Options say where and how to show the state.
type Options struct {
	Out      io.Writer
	Terminal bool // redraw a bar instead of writing lines
}

// Show shows the state until stop is called. stop shows the last state and returns when
// nothing more will be written.
func Show(o Options, state func() State) (stop func()) {
	began, first := time.Now(), state().Share
	every := logEvery
	if o.Terminal {
		every = terminalEvery
	}
	line := func() string { return Line(state(), first, time.Since(began)) }
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if o.Terminal {
					_, _ = fmt.Fprint(o.Out, ClearLine, Bar(state().Share), " ", line())
				} else {
					_, _ = fmt.Fprintln(o.Out, line())
				}
			}
		}
	})
	return sync.OnceFunc(func() {
		close(done)
		wait.Wait()
		if o.Terminal {
			_, _ = fmt.Fprint(o.Out, ClearLine)
		}
	})
}

// Bar draws a share of the whole.
func Bar(share float64) string {
	full := int(min(max(share, 0), 1) * barWidth)
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", barWidth-full) + "]"
}

// Line is the state in words. first is the share at which this run began; the time left
// is estimated from the progress since then.
func Line(s State, first float64, elapsed time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%5.1f%%  %s %s", 100*s.Share, Count(s.Count), s.Unit)
	if seconds := elapsed.Seconds(); seconds > 0 {
		fmt.Fprintf(&b, ", %s/s", Count(int64(float64(s.Count)/seconds)))
	}
	if s.Note != "" {
		b.WriteString(", " + s.Note)
	}
	if done := s.Share - first; done > 0 && s.Share < 1 {
		left := time.Duration(float64(elapsed) * (1 - s.Share) / done)
		fmt.Fprintf(&b, ", %s left", left.Round(time.Second))
	}
	return b.String()
}

// Count is a number with commas: 361,908.
func Count(n int64) string {
	text := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, text = "-", text[1:]
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return sign + text
}
