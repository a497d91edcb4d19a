package soak

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/platform/wait"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/model"
)

// finding is what is wrong with a board; its text is empty if nothing is.
type finding struct {
	text  string
	total bool // only the number of players is wrong: it is too low
}

// read reads one board, or one card, and checks it.
type read func(context.Context) (finding, error)

func (r *run) finding(b model.Board, format string, args ...any) (finding, error) {
	return finding{text: r.name(b) + ": " + fmt.Sprintf(format, args...)}, nil
}

// totalsAge is the largest age of the number of players in an answer.
const totalsAge = 10 * time.Second

// ask runs all reads. If only a total is too low, it repeats the read once an old
// total can no longer be the reason.
func (r *run) ask(ctx context.Context, reads []read) error {
	again, err := r.askOnce(ctx, reads, false)
	if err != nil || len(again) == 0 {
		return err
	}
	if err := wait.Sleep(ctx, totalsAge+time.Second); err != nil {
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
