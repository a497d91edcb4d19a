package importer

import (
	"context"
	"fmt"
	"time"
)

// maxWaiting is how many finished batches may wait for an unfinished earlier one: it bounds
// the rejected lines in memory.
const maxWaiting = 64

// recordsLive is how long the product remembers an idempotency key.
const recordsLive = 24 * time.Hour

// run is an import under way. The goroutine of all owns every field; only send runs in others.
type run struct {
	Options
	reader   *Reader
	report   *Report
	position position
	tally    Tally

	read     int                 // batches read
	flying   int                 // batches under way
	busy     map[string]struct{} // players with a line under way
	landed   map[int]landing     // finished while an earlier batch is not, by index
	settled  int                 // batches done, without a gap
	landings chan landing
}

type landing struct {
	*batch
	outcome
	err error
}

// all sends every batch. When ctx ends or a batch fails for good, it sends no
// more, lets those under way finish and returns why.
func (r *run) all(ctx context.Context) error {
	r.busy, r.landed = map[string]struct{}{}, map[int]landing{}
	r.landings = make(chan landing)
	var next *batch
	var stop error
	for {
		for stop == nil && r.flying < r.Workers && len(r.landed) < maxWaiting {
			if stop = ctx.Err(); stop != nil {
				break
			}
			if next == nil {
				next, stop = r.nextBatch()
			}
			if next == nil || r.collides(next) {
				break
			}
			r.launch(ctx, next)
			next = nil
		}
		if r.flying == 0 {
			return stop
		}
		if err := r.land(<-r.landings); stop == nil {
			stop = err
		}
	}
}

// nextBatch reads the next batch; nil at the end of the file.
func (r *run) nextBatch() (*batch, error) {
	b, err := readBatch(r.reader, r.read, r.position.Batch)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", r.File, err)
	}
	r.read++
	return b, nil
}

// collides reports whether a player of the batch has a line under way.
func (r *run) collides(b *batch) bool {
	for player := range b.players {
		if _, ok := r.busy[player]; ok {
			return true
		}
	}
	return false
}

func (r *run) launch(ctx context.Context, b *batch) {
	r.flying++
	for player := range b.players {
		r.busy[player] = struct{}{}
	}
	go func() {
		o, err := r.send(ctx, b)
		r.landings <- landing{b, o, err}
	}()
}

// land processes a finished batch, and those that waited for it.
func (r *run) land(l landing) error {
	r.flying--
	for player := range l.players {
		delete(r.busy, player)
	}
	if l.err != nil {
		return l.err
	}
	r.landed[l.index] = l
	for {
		l, ok := r.landed[r.settled]
		if !ok {
			return nil
		}
		delete(r.landed, r.settled)
		if err := r.settle(l); err != nil {
			return err
		}
		r.settled++
	}
}

// settle records a batch whose predecessors are all done.
func (r *run) settle(l landing) error {
	if err := r.report.Write(l.refusals); err != nil {
		return err
	}
	for _, refusal := range l.refusals {
		r.tally.Add(refusal)
	}
	r.position.Line, r.position.Bytes = l.last, l.end
	r.position.Counts.add(l.counts)
	r.tell()
	return r.save()
}

func (r *run) tell() {
	r.Progress(Progress{Bytes: r.position.Bytes, Size: r.position.Size, Counts: r.position.Counts})
}

func (r *run) save() error {
	if r.ProgressFile == "" {
		return nil
	}
	r.position.RefusedBytes = r.report.bytes
	r.position.SavedAt = r.Now().UTC()
	return r.position.save(r.ProgressFile)
}
