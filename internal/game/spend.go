package game

import "time"

// Spend is something that a player has spent on.
type Spend struct {
	ID       string    `json:"id"`
	Player   string    `json:"-"`
	Currency string    `json:"currency"`
	Amount   int64     `json:"amount"`
	Item     string    `json:"item"` // what for, as the application calls it; empty: it does not say
	At       time.Time `json:"at"`   // to the millisecond
}
