package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// PlayRequest asks for a play.
type PlayRequest struct {
	Mode   string `json:"mode"`
	Player string `json:"player,omitempty"` // the player for whom a game server takes it
	Date   string `json:"date,omitempty"`   // YYYY-MM-DD; "" for the current one
}

// Play is a player's leave to send one score.
type Play struct {
	Play      string     `json:"play"` // the token that goes with the score
	Mode      string     `json:"mode"`
	Player    string     `json:"player"`
	Date      string     `json:"date"`
	Challenge *Challenge `json:"challenge"` // nil: no particular task
	ExpiresAt time.Time  `json:"expires_at"`
}

// Challenge is the task of a play.
type Challenge struct {
	Text    string `json:"text"`
	Seed    string `json:"seed"`    // 16 hexadecimal digits
	Seconds int    `json:"seconds"` // how long it takes; 0: as long as the player likes
}

// StartPlay takes a play. Its time runs from then on. It costs no Redis command.
func (c *Client) StartPlay(ctx context.Context, of PlayRequest) (Play, error) {
	body, err := json.Marshal(of)
	if err != nil {
		return Play{}, fmt.Errorf("the play of %s: %w", of.Player, err)
	}
	return ask[Play](ctx, c, Request{Method: http.MethodPost, Path: "/v1/plays", Body: body})
}

// HeldScore is a score that waits until an operator lets it pass.
type HeldScore struct {
	ID              string    `json:"id"`
	Mode            string    `json:"mode"`
	Date            string    `json:"date"`
	Player          string    `json:"player"`
	Name            string    `json:"name"`
	Submitted       float64   `json:"submitted"`
	SubmittedValues Values    `json:"submitted_values"`
	At              time.Time `json:"at"`
	Why             string    `json:"why"`
	Open            bool      `json:"open"` // an operator can still let it pass
}

// HeldScores is a page of held scores.
type HeldScores struct {
	Held []HeldScore `json:"held"`
	Next string      `json:"next"` // "" on the last page
}

// Held reads the held scores, oldest first.
func (o Ops) Held(ctx context.Context, rows Rows) (HeldScores, error) {
	return askOps[HeldScores](ctx, o, http.MethodGet, "/v1/ops/held", rows.query(), nil)
}

// PassHeld puts a held score on the boards of its day, with the time at which it was played.
func (o Ops) PassHeld(ctx context.Context, id string) (Result, error) {
	return askOps[Result](ctx, o, http.MethodPut, "/v1/ops/held/"+url.PathEscape(id), nil, nil)
}

// DropHeld deletes a held score.
func (o Ops) DropHeld(ctx context.Context, id string) error {
	r := Request{Method: http.MethodDelete, Path: "/v1/ops/held/" + url.PathEscape(id)}
	return o.c.sendUntil(ctx, r, func(Answer) (*Problem, error) { return nil, nil })
}
