package soak

import "errors"

// Shrink looks for a smaller run that fails like the given one did: it ends
// with the day of the failure, and has half as many players as long as that
// still fails. The runs are made by try, each against a product of its own; its
// other errors end the search.
func Shrink(o Options, f *Failure, try func(Options) error) (Options, *Failure, error) {
	o.Days = min(o.Days, max(1, f.Day))
	for o.Players > 1 {
		smaller := o
		smaller.Players = (o.Players + 1) / 2
		err := try(smaller)
		var same *Failure
		if !errors.As(err, &same) {
			return o, f, err
		}
		o, f = smaller, same
		o.Days = min(o.Days, max(1, f.Day))
	}
	return o, f, nil
}
