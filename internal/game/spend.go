package game

import "time"

// Spend is something that a player has spent a currency on.
type Spend struct {
	ID       string    `json:"id"`
	Player   string    `json:"-"`
	Currency string    `json:"currency"`
	Amount   int64     `json:"amount"`
	Item     string    `json:"item"` // what it was for, as the application calls it; empty: unknown
	At       time.Time `json:"at"`   // to the millisecond
}
