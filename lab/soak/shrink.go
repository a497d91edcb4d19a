package soak

import "errors"

// Shrink looks for a smaller run that fails as the given one did. It ends the run on the
// day of the failure, and halves the number of players as long as the run still fails.
// try runs the options against a new product each time. A run without a failure, or any
// other error of try, ends the search.
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
