package upstashtest

import (
	"context"
	"errors"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// maxShared bounds the commands of a request that goes over the shared
// connection, in bytes: larger ones would keep the others waiting.
const maxShared = 16 << 10

// work is what one request does at a connection: it appends its commands and
// later reads exactly their answers.
type work interface {
	write(dst []byte) []byte
	read(c *conn) error
}

// ticket is a work's place in the order of the shared connection.
type ticket struct {
	work work
	err  error
	done chan struct{} // holds an item once the answers are read, or err is set
}

// shared carries the commands of many requests over one connection, in the
// order in which they came, with one write for all that came together: most of
// what a small command costs is its system calls. Safe for concurrent use.
type shared struct {
	dial func(context.Context) (*conn, error)

	mu      sync.Mutex
	link    *link // nil before the first command and after an error
	closed  bool
	dialing sync.Mutex
}

// link is one connection with those who wait on it.
type link struct {
	conn *conn

	mu      sync.Mutex
	pending []byte    // to be written
	spare   []byte    // the buffer before it, for the next
	writing bool      // somebody is at it
	waiting []*ticket // in the order of their commands
	err     error     // why the link is over

	// Of the reading goroutine alone:
	served   int       // answers read
	marked   time.Time // when the deadline was set
	mark     int       // served then
	hadWaits bool      // somebody waited then
}

// do runs w and waits for it. Error: the connection failed; whether the
// commands had an effect is then open.
func (s *shared) do(ctx context.Context, w work, t *ticket) error {
	l, err := s.current(ctx)
	if err != nil {
		return err
	}
	t.work, t.err = w, nil
	if err := l.enqueue(t); err != nil {
		return err
	}
	<-t.done
	t.work = nil
	return t.err
}

func (s *shared) current(ctx context.Context) (*link, error) {
	s.mu.Lock()
	l := s.link
	s.mu.Unlock()
	if l != nil && l.alive() {
		return l, nil
	}
	s.dialing.Lock()
	defer s.dialing.Unlock()
	s.mu.Lock()
	l, closed := s.link, s.closed
	s.mu.Unlock()
	if closed {
		return nil, errClosed
	}
	if l != nil && l.alive() {
		return l, nil
	}
	c, err := s.dial(ctx)
	if err != nil {
		return nil, err
	}
	l = &link{conn: c}
	go l.readAll()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		l.end(errClosed)
		return nil, errClosed
	}
	s.link = l
	return l, nil
}

func (s *shared) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.link != nil {
		s.link.end(errClosed)
	}
}

func (l *link) alive() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err == nil
}

// enqueue takes the ticket's place and sees to it that its commands are
// written, by this goroutine or by the one that is writing already.
func (l *link) enqueue(t *ticket) error {
	l.mu.Lock()
	if l.err != nil {
		l.mu.Unlock()
		return l.err
	}
	l.pending = t.work.write(l.pending)
	l.waiting = append(l.waiting, t)
	first := !l.writing
	l.writing = true
	l.mu.Unlock()
	if first {
		// Whoever is ready to run gets to add a command before the write.
		runtime.Gosched()
		if more := l.writeBatch(); more {
			// Not here: the answer to t may have come long before an end.
			go func() {
				for l.writeBatch() {
				}
			}()
		}
	}
	return nil
}

// writeBatch writes what is pending. more says that something came meanwhile,
// and that the caller is still the one to write it.
func (l *link) writeBatch() (more bool) {
	l.mu.Lock()
	batch := l.pending
	l.pending = l.spare[:0]
	l.mu.Unlock()
	_, err := l.conn.Write(batch)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.spare = batch; cap(batch) > keptBytes {
		l.spare = nil
	}
	if err != nil {
		l.endLocked(err)
	}
	l.writing = len(l.pending) > 0 && l.err == nil
	return l.writing
}

// readAll reads answers for whoever is next, until the link is over.
func (l *link) readAll() {
	if err := l.conn.SetDeadline(time.Time{}); err != nil {
		l.end(err)
	}
	for {
		if now := time.Now(); now.Sub(l.marked) > engineTimeout/4 {
			l.setDeadline(now)
		}
		t, err := l.next()
		if err != nil {
			l.end(err)
			return
		}
		err = t.work.read(l.conn)
		l.served++
		if err != nil {
			l.end(err)
		}
		t.err = err
		t.done <- struct{}{}
	}
}

// next is who waits for the answer that begins to arrive. An engine that
// closes an idle connection is noticed here.
func (l *link) next() (*ticket, error) {
	for {
		_, err := l.conn.Next()
		if err == nil {
			break
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) || l.overdue() {
			return nil, resp.Unexpected(err)
		}
		l.setDeadline(time.Now())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.err != nil:
		return nil, l.err
	case len(l.waiting) == 0:
		return nil, resp.ErrProtocol
	}
	t := l.waiting[0]
	l.waiting = l.waiting[1:]
	return t, nil
}

// setDeadline gives whoever waits another engineTimeout, of which a part may
// have passed before an answer begins to arrive.
func (l *link) setDeadline(now time.Time) {
	l.marked, l.mark, l.hadWaits = now, l.served, l.waits()
	_ = l.conn.SetReadDeadline(now.Add(engineTimeout))
}

// overdue: nothing came since the deadline was set, and somebody waited then.
func (l *link) overdue() bool { return l.hadWaits && l.served == l.mark }

func (l *link) waits() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting) > 0
}

func (l *link) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.endLocked(err)
}

func (l *link) endLocked(err error) {
	if l.err != nil {
		return
	}
	l.err = err
	_ = l.conn.Close()
	for _, t := range l.waiting {
		t.err = err
		t.done <- struct{}{}
	}
	l.waiting = nil
}
