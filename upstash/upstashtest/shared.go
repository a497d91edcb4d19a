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

// maxShared bounds a request on the shared connection, in bytes of its commands: larger
// ones would keep the others waiting.
const maxShared = 16 << 10

// work is one request's use of a connection: it appends its commands, and later reads
// exactly the answers to them.
type work interface {
	write(dst []byte) []byte
	read(c *conn) error
}

// ticket is the place of a work in the order of the shared connection.
type ticket struct {
	work work
	err  error
	done chan struct{} // holds an item once the answers are read or err is set
}

// shared carries the commands of many requests over one connection, in order of arrival.
// It sends commands that arrive together with one write, since system calls are most of
// what a small command costs. Safe for concurrent use.
type shared struct {
	dial func(context.Context) (*conn, error)

	mu      sync.Mutex
	link    *link // nil before the first command and after an error
	closed  bool
	dialing sync.Mutex
}

// link is one connection and the tickets that wait for its answers.
type link struct {
	conn *conn

	mu      sync.Mutex
	pending []byte    // to be written
	spare   []byte    // the buffer written last, to be used again
	writing bool      // a goroutine is writing
	waiting []*ticket // in the order of their commands
	err     error     // why the link is over

	// Only the reading goroutine uses these:
	served   int       // answers read
	marked   time.Time // when the deadline was set
	mark     int       // served at that moment
	hadWaits bool      // a ticket waited at that moment
}

// do runs w and waits for its answers. Error: the connection failed; the commands may or
// may not have had an effect.
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

// enqueue puts the ticket at the end of the order. Its commands are written by this
// goroutine, or by another one that is writing already.
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
		// Other goroutines that are ready to run get to add their commands before the
		// write.
		runtime.Gosched()
		if more := l.writeBatch(); more {
			// The rest is written in a goroutine of its own: the answer to t may come
			// long before nothing is left to write.
			go func() {
				for l.writeBatch() {
				}
			}()
		}
	}
	return nil
}

// writeBatch writes what is pending. more reports that commands came meanwhile, and that
// the caller still has to write them.
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

// readAll reads the answers for one ticket after the other, until the link is over.
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

// next waits until an answer begins to arrive and returns the ticket that it belongs to.
// It also notices an engine that closes an idle connection.
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

// setDeadline gives the waiting tickets another engineTimeout. Part of it may have passed
// when a new ticket comes.
func (l *link) setDeadline(now time.Time) {
	l.marked, l.mark, l.hadWaits = now, l.served, l.waits()
	_ = l.conn.SetReadDeadline(now.Add(engineTimeout))
}

// overdue reports that a ticket waited when the deadline was set, and that no answer has
// come since.
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
