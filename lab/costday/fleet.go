package costday

import (
	"math/rand/v2"
	"slices"
	"time"
)

// fleet is the running environments of one function. A request goes to a random one of
// those that are free; no host can choose worse. If none is free, another one is
// started.
type fleet struct {
	start   func() (*environment, error)
	lots    *rand.Rand
	alive   []*environment
	started int
}

// take returns the environment that serves a request which arrives now.
func (f *fleet) take(now time.Time) (*environment, error) {
	var free []*environment
	for _, e := range f.alive {
		if !e.free.After(now) {
			free = append(free, e)
		}
	}
	var taken *environment
	if len(free) > 0 {
		taken = free[f.lots.IntN(len(free))]
	} else {
		var err error
		if taken, err = f.start(); err != nil {
			return nil, err
		}
		taken.began = now
		f.alive = append(f.alive, taken)
		f.started++
	}
	taken.free = now.Add(requestTakes)
	return taken, nil
}

// next is the environment that ends first; nil if none runs.
func (f *fleet) next() *environment {
	if len(f.alive) == 0 {
		return nil
	}
	return slices.MinFunc(f.alive, func(a, b *environment) int { return a.ends().Compare(b.ends()) })
}

func (f *fleet) drop(e *environment) {
	f.alive = slices.DeleteFunc(f.alive, func(other *environment) bool { return other == e })
}
