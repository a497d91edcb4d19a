package upstashtest

import (
	"bytes"
	"context"
	"sync"
	"time"
)

// maxQueued bounds the writes that a replica may be behind; the oldest are
// then applied early.
const maxQueued = 10_000

// replica answers reads from a second embedded engine that gets the writes of
// the first a while later. What it has not been sent it does not show, unless
// the request carries the sync token of the answer to that write.
//
// Writes are repeated, not copied: what is random, or counted from the moment
// it runs (SPOP, EXPIRE), may differ by that.
type replica struct {
	engine *Engine
	lag    time.Duration

	mu      sync.Mutex
	queue   []write
	applied uint64
	written uint64
}

// write is a request that may have changed something.
type write struct {
	sequence uint64
	due      time.Time
	shape    shape
	commands []command
}

// read runs x on the replica as it stands now, or once it has what token
// stands for. It returns the token of what it showed.
func (r *replica) read(ctx context.Context, token uint64, x *exchange) (shown uint64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	for len(r.queue) > 0 && (r.queue[0].sequence <= token || !now.Before(r.queue[0].due)) {
		if err := r.apply(ctx); err != nil {
			return 0, err
		}
	}
	return r.applied, x.runOn(ctx, r.engine)
}

// write runs x on primary and keeps its commands for the replica. It returns
// their token.
func (r *replica) write(ctx context.Context, primary *Engine, x *exchange) (token uint64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.written++
	r.queue = append(r.queue, write{sequence: r.written, due: time.Now().Add(r.lag), shape: x.shape, commands: clone(x.commands)})
	err = x.runOn(ctx, primary)
	if len(r.queue) > maxQueued && err == nil {
		err = r.apply(ctx)
	}
	return r.written, err
}

func (r *replica) apply(ctx context.Context) error {
	next := r.queue[0]
	r.queue = r.queue[1:]
	r.applied = next.sequence
	return r.engine.run(ctx, &job{shape: next.shape, commands: next.commands}, nil)
}

// clone copies commands out of the memory of their request.
func clone(commands []command) []command {
	copies := make([]command, len(commands))
	for i, c := range commands {
		copies[i] = c
		copies[i].args = make([][]byte, len(c.args))
		for j, arg := range c.args {
			copies[i].args[j] = bytes.Clone(arg)
		}
	}
	return copies
}

func readsOnly(commands []command) bool {
	for _, c := range commands {
		if !c.kind.read && !c.kind.free {
			return false
		}
	}
	return true
}
