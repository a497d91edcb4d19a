package main

import (
	"context"
	"fmt"
)

// results creates duels, which is not measured, and returns the requests for their
// results.
func (w *world) results(n int) ([][]byte, error) {
	first := w.duels
	w.duels += n
	made, err := each(func(i int) ([]byte, error) {
		body := fmt.Appendf(nil, `{"id":"bench_%d","players":[%q,%q]}`, first+i, w.anyone(), newcomers.ID(w.random.IntN(1<<30)))
		return w.signed("/v1/duels", body), nil
	})(n)
	if err != nil {
		return nil, err
	}
	if _, err := load(context.Background(), w.from.parts["duel"].addr, 8, made); err != nil {
		return nil, fmt.Errorf("making duels: %w", err)
	}
	return each(func(i int) ([]byte, error) {
		path := fmt.Sprintf("/v1/duels/bench_%d/result", first+i)
		return w.signed(path, []byte(`{"winner":null,"score":[1,1]}`)), nil
	})(n)
}
