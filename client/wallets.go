package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Purchase is what a player wants to spend, and on what.
type Purchase struct {
	Player string `json:"player"`
	Amount int64  `json:"amount"`         // 1 to 1,000,000,000
	Item   string `json:"item,omitempty"` // what it is for, in the application's words
	// IdempotencyKey identifies the purchase, which happens once. "" makes a new key; [NoKey]
	// is refused.
	IdempotencyKey string `json:"-"`
}

// Spent is a purchase that was made.
type Spent struct {
	ID       string    `json:"id"`
	Player   string    `json:"player"`
	Currency string    `json:"currency"`
	Amount   int64     `json:"amount"`
	Balance  int64     `json:"balance"` // what was left after it
	Item     string    `json:"item"`
	At       time.Time `json:"at"`
}

// Spend spends some of a player's currency, once for each key, or not at all: if the player
// has too little, the error is a [*Problem] with [CodeTooLittle] and the Balance.
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

// Presence is how many players are present.
type Presence struct {
	Players int64     `json:"players"`
	Window  int64     `json:"window_s"` // players count who have asked within so many seconds
	AsOf    time.Time `json:"as_of"`
}

// Presence reads how many players are present; the answer is at most half a minute old. If the
// game counts nobody, the error is a [*Problem] with [CodeNotFound].
func (c *Client) Presence(ctx context.Context) (Presence, error) {
	return ask[Presence](ctx, c, Request{Method: http.MethodGet, Path: "/v1/presence"})
}
