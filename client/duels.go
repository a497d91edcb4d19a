package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// NewDuel is a duel of two players.
type NewDuel struct {
	// ID is the caller's own id: making the duel again with it returns the same duel. With ""
	// the product chooses one.
	ID             string    `json:"id,omitempty"`
	Players        [2]string `json:"players"`
	Mode           string    `json:"mode,omitempty"` // what they play; "" for nothing in particular
	IdempotencyKey string    `json:"-"`
}

// Duel is the state of a duel.
type Duel struct {
	ID        string    `json:"id"`
	Status    string    `json:"status"` // waiting, ready, decided, disputed or expired
	Players   []string  `json:"players"`
	Opponent  string    `json:"opponent"` // the challenged player, while waiting
	Mode      string    `json:"mode"`
	Invite    string    `json:"invite"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
	Reported  []string  `json:"reported"` // players who have sent their result
	Winner    *string   `json:"winner"`   // nil: a draw, or not decided
	Score     []int     `json:"score"`    // rounds won, in the order of Players
	// By player, once the duel is decided:
	Ratings   map[string]RatingChange `json:"ratings"`
	Points    map[string]int64        `json:"points"`
	XP        map[string]int64        `json:"xp"`
	DecidedBy string                  `json:"decided_by"` // server, players or timeout
	DecidedAt time.Time               `json:"decided_at"`
	// People are how players with a name are shown; only of a duel that was read.
	People []Person `json:"people"`
}

// Person is how a player is shown.
type Person struct {
	Player  string `json:"player"`
	Name    string `json:"name"`
	Picture string `json:"picture"` // an address
	Country string `json:"country"`
}

// RatingChange is how a duel changed a player's rating; unrounded.
type RatingChange struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Rank   int64   `json:"rank"`
}

// Outcome is a duel's result.
type Outcome struct {
	Winner string  // one of the two players; "" is a draw
	Rounds *[2]int // rounds won, in the order of the duel's players; nil: not reported
}

// MakeDuel makes a duel of two players that is ready at once.
func (c *Client) MakeDuel(ctx context.Context, d NewDuel) (Duel, error) {
	return c.postDuel(ctx, "/v1/duels", d.IdempotencyKey, d)
}

// Duel reads the state of a duel.
func (c *Client) Duel(ctx context.Context, id string) (Duel, error) {
	id, err := segment(id)
	if err != nil {
		return Duel{}, err
	}
	return ask[Duel](ctx, c, Request{Method: http.MethodGet, Path: "/v1/duels/" + id})
}

// DecideDuel sets a duel's result, once. Setting the same result again gives the same answer;
// another result is a [*Problem] with [CodeDuelDecided]. It needs no key.
func (c *Client) DecideDuel(ctx context.Context, id string, o Outcome) (Duel, error) {
	id, err := segment(id)
	if err != nil {
		return Duel{}, err
	}
	body := struct {
		Winner *string `json:"winner"`
		Score  *[2]int `json:"score,omitempty"`
	}{Score: o.Rounds}
	if o.Winner != "" {
		body.Winner = &o.Winner
	}
	return c.postDuel(ctx, "/v1/duels/"+id+"/result", NoKey, body)
}

func (c *Client) postDuel(ctx context.Context, path, key string, content any) (Duel, error) {
	header, err := keyed(key)
	if err != nil {
		return Duel{}, err
	}
	body, err := json.Marshal(content)
	if err != nil {
		return Duel{}, fmt.Errorf("the duel: %w", err)
	}
	return ask[Duel](ctx, c, Request{Method: http.MethodPost, Path: path, Header: header, Body: body})
}
