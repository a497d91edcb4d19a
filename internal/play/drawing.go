package play

import "io"

// Drawing is the Dealer with another random source. Equal bytes give equal plays: that is how
// all players of a race get the same challenge, and each player the same play each time.
// Nobody may be able to guess the source.
func (d *Dealer) Drawing(random io.Reader) *Dealer {
	other := *d
	other.random = random
	return &other
}
