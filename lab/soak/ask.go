package soak

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/model"
)

// finding is what is wrong with a board; empty where nothing is.
type finding struct {
	text  string
	total bool // nothing but the number of players, which is too low
}

// read is one look at one board.
type read func(context.Context) (finding, error)

func (r *run) finding(b model.Board, format string, args ...any) (finding, error) {
	return finding{text: r.name(b) + ": " + fmt.Sprintf(format, args...)}, nil
}

// totalsAge is how old the number of players in an answer may be.
const totalsAge = 10 * time.Second

// ask makes all reads. Where only totals are wrong, they are asked for again
// once they cannot be old any more.
func (r *run) ask(ctx context.Context, reads []read) error {
	again, err := r.askOnce(ctx, reads, false)
	if err != nil || len(again) == 0 {
		return err
	}
	if err := caller.Pause(ctx, totalsAge+time.Second); err != nil {
		return err
	}
	_, err = r.askOnce(ctx, again, true)
	return err
}

func (r *run) askOnce(ctx context.Context, reads []read, last bool) (again []read, err error) {
	var mu sync.Mutex
	tasks := make([]func(context.Context) error, len(reads))
	for i, look := range reads {
		tasks[i] = func(ctx context.Context) error {
			found, err := look(ctx)
			switch {
			case err != nil:
				return err
			case found.text == "":
			case found.total && !last:
				mu.Lock()
				defer mu.Unlock()
				again = append(again, look)
			default:
				r.wrong("%s", found.text)
			}
			return nil
		}
	}
	err = caller.Together(ctx, r.Workers, tasks)
	return again, err
}
