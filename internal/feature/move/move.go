package move

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Options say what is moved where.
type Options struct {
	From, To *upstash.Client
	Source   string // identifies From in the mark; the same in every run
	// Live copies while writes go on. The target keeps its mark, for a later run without Live
	// that finishes the move while nothing writes.
	Live bool
	// Quiet returns an error if something may still write to the source. Run asks it before it
	// reads anything and again after the comparison, unless the move is live.
	Quiet func(context.Context) error
	// Seen is called with the progress of the move. It may be nil.
	Seen func(Progress)
}

// Progress is how far a move has come.
type Progress struct {
	Keys, Total int64 // of the present pass; Total was counted at the beginning
	Comparing   bool  // the second pass
}

// Report is what a run has done.
type Report struct {
	Keys     int64    // compared
	Entries  int64    // strings, fields and members written
	Repaired []string // keys that differed in the comparison and were copied again
	Deleted  int64    // keys of the target that the source no longer had
}

type run struct {
	Options
	mark   mark
	total  int64
	report Report
	// noFieldEnds: the source does not support fields that expire by themselves.
	noFieldEnds bool
}

// Run moves everything, or continues a move that was cut off. Errors: ErrNotEmpty,
// *UnknownTypeError, and Quiet's.
func Run(ctx context.Context, o Options) (Report, error) {
	r := run{Options: o}
	if err := r.quiet(ctx); err != nil {
		return r.report, err
	}
	reply, err := o.From.Do(ctx, upstash.Cmd("DBSIZE"))
	if err == nil {
		r.total, err = reply.Int64()
	}
	if err != nil {
		return r.report, fmt.Errorf("look at the source: %w", err)
	}
	if r.mark, err = o.begin(ctx); err != nil {
		return r.report, err
	}
	if err := r.copyAll(ctx); err != nil {
		return r.report, err
	}
	if err := r.compareAll(ctx); err != nil {
		return r.report, err
	}
	if o.Live {
		return r.report, nil
	}
	if err := r.quiet(ctx); err != nil {
		return r.report, err
	}
	_, err = o.To.Do(ctx, upstash.Cmd("DEL", game.MoveKey).Idempotent())
	return r.report, err
}

func (r *run) quiet(ctx context.Context) error {
	if r.Live || r.Quiet == nil {
		return nil
	}
	return r.Quiet(ctx)
}

func (r *run) reportProgress(p Progress) {
	if r.Seen != nil {
		r.Seen(p)
	}
}
