package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Purchase is something that a player is to spend on.
type Purchase struct {
	Player string `json:"player"`
	Amount int64  `json:"amount"`         // 1 to 1,000,000,000
	Item   string `json:"item,omitempty"` // what for, in the application's own words
	// IdempotencyKey names the purchase: it happens once for each. "" is a new one;
	// [NoKey] is refused.
	IdempotencyKey string `json:"-"`
}

// Spent is a purchase that has happened.
type Spent struct {
	ID       string    `json:"id"`
	Player   string    `json:"player"`
	Currency string    `json:"currency"`
	Amount   int64     `json:"amount"`
	Balance  int64     `json:"balance"` // what was left after it
	Item     string    `json:"item"`
	At       time.Time `json:"at"`
}

// Spend has a player spend of a currency, once for each key, or not at all: who has
// too little is a [*Problem] with [CodeTooLittle], and its Balance is what there is.
func (c *Client) Spend(ctx context.Context, currency string, p Purchase) (Spent, error) {
	currency, err := segment(currency)
	if err != nil {
		return Spent{}, err
	}
	header, err := keyed(p.IdempotencyKey)
	if err != nil {
		return Spent{}, err
	}
	body, err := json.Marshal(p)
	if err != nil {
		return Spent{}, fmt.Errorf("the purchase: %w", err)
	}
	return ask[Spent](ctx, c, Request{Method: http.MethodPost, Path: "/v1/me/wallets/" + currency + "/spend", Header: header, Body: body})
}

// Presence is how many players are there.
type Presence struct {
	Players int64     `json:"players"`
	Window  int64     `json:"window_s"` // who has asked within so many seconds
	AsOf    time.Time `json:"as_of"`
}

// Presence reads how many players are there, as of half a minute ago at most. A game
// that counts nobody is a [*Problem] with [CodeNotFound].
func (c *Client) Presence(ctx context.Context) (Presence, error) {
	return ask[Presence](ctx, c, Request{Method: http.MethodGet, Path: "/v1/presence"})
}
