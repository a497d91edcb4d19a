package upstashtest

import (
	"bytes"
	"context"
	"sync"
	"time"
)

// maxQueued bounds how many writes the replica may be behind; beyond that the oldest are
// applied early.
const maxQueued = 10_000

// replica answers reads from a second embedded engine, which gets the writes of the first
// one after a delay. A read does not show a write that the replica has not got yet,
// unless the request carries the sync token of that write's answer.
//
// The replica runs the writes again instead of copying their results: random results
// (SPOP) and times counted from the moment of running (EXPIRE) may differ.
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

// read runs x on the replica. Before that it applies the writes that are due, and those
// up to token. It returns the token of the state that x saw.
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
