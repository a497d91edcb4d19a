package bands

import (
	"context"
	"errors"
	"sync"

	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// wave collects commands to be sent together: one request to each database concerned, all at
// the same time. Commands to one database run in their order.
type wave struct {
	dbs    *Databases
	atomic bool // the commands to each database are one transaction
	names  []string
	asked  map[string]*rdb.Pipeline
}

func (s *views) wave() *wave { return &wave{dbs: s.dbs, asked: map[string]*rdb.Pipeline{}} }

func (w *wave) add(database string, c upstash.Command, take func(upstash.Reply) error) {
	p := w.asked[database]
	if p == nil {
		p = &rdb.Pipeline{Atomic: w.atomic}
		w.asked[database] = p
		w.names = append(w.names, database)
	}
	p.Add(c, take)
}

// run sends everything and waits for all of it, even if some fails. It reports whether a
// request was sent more than once.
func (w *wave) run(ctx context.Context) (again bool, err error) {
	attempts, errs := make([]int, len(w.names)), make([]error, len(w.names))
	one := func(i int) {
		redis, err := w.dbs.named(w.names[i])
		if err == nil {
			attempts[i], err = w.asked[w.names[i]].Run(ctx, redis)
		}
		errs[i] = err
	}
	var others sync.WaitGroup
	for i := 1; i < len(w.names); i++ {
		others.Go(func() { one(i) })
	}
	if len(w.names) > 0 {
		one(0)
	}
	others.Wait()
	for _, n := range attempts {
		again = again || n > 1
	}
	return again, errors.Join(errs...)
}
