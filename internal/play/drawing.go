package play

import "io"

// Drawing is the Dealer with another random source. What is drawn from the same bytes
// is the same: so all players of a race are given one challenge, and each the same play
// whenever they ask. The source must be one that nobody can guess.
func (d *Dealer) Drawing(random io.Reader) *Dealer {
	other := *d
	other.random = random
	return &other
}
