package game

import "time"

// HeldPlay is a play that an operator has to look at, as it is kept.
type HeldPlay struct {
	ID     string // its nonce
	Player string
	Mode   string
	Date   Date
	At     time.Time // when it was played
	Record string    // as the key "held" has it
}
