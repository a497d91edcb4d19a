// Package localclient asks a product that cmd/local runs for what only such a one
// gives: its secrets, what it has spent, and another time.
//
// It knows the endpoints under /_local. It must not know the product's own.
package localclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/framedle/leaderboards/client"
)

// timeout is that of a request: a schedule that is fired may close a large day.
const timeout = 5 * time.Minute

// Client is safe for concurrent use.
type Client struct {
	url    string
	client *client.Client
}

// New makes a client of the product at an address.
func New(url string) (*Client, error) {
	c, err := client.New(client.Config{URL: url, Timeout: timeout})
	if err != nil {
		return nil, err
	}
	return &Client{url, c}, nil
}

// Close lets go of idle connections.
func (c *Client) Close() { c.client.Close() }

// OnThisMachine reports whether an address is of this machine, where alone a local
// product may be.
func OnThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// Secrets are the credentials that a local product hands out.
type Secrets struct {
	SigningKey  string `json:"signing_key"`
	OpsToken    string `json:"ops_token"`
	RedisURL    string `json:"redis_rest_url"`
	RedisToken  string `json:"redis_rest_token"`
	DatabaseURL string `json:"database_url"` // "" where it keeps no history
}

// Usage is what a local product's functions have spent.
type Usage struct {
	Commands   int64            `json:"commands"` // billed
	RoundTrips int64            `json:"round_trips"`
	ByFunction map[string]Spent `json:"by_function"`
}

// Spent is one function's part.
type Spent struct {
	Commands   int64 `json:"commands"`
	RoundTrips int64 `json:"round_trips"`
}

// Secrets asks for the product's credentials.
func (c *Client) Secrets(ctx context.Context) (Secrets, error) {
	var s Secrets
	err := c.ask(ctx, http.MethodGet, "/_local/secrets", nil, &s)
	if err == nil && (s.SigningKey == "" || s.OpsToken == "") {
		err = fmt.Errorf("GET /_local/secrets of %s gives no signing_key or no ops_token", c.url)
	}
	return s, err
}

// Usage asks what the product has spent since its start.
func (c *Client) Usage(ctx context.Context) (Usage, error) {
	var u Usage
	err := c.ask(ctx, http.MethodGet, "/_local/usage", nil, &u)
	return u, err
}

// SetClock moves the product's clock; the zero time gives it back to the machine.
func (c *Client) SetClock(ctx context.Context, now time.Time) error {
	text := "null"
	if !now.IsZero() {
		text = `"` + now.UTC().Format(time.RFC3339Nano) + `"`
	}
	return c.ask(ctx, http.MethodPut, "/_local/clock", []byte(`{"now":`+text+`}`), nil)
}

func (c *Client) ask(ctx context.Context, method, path string, body []byte, into any) error {
	answer, err := c.client.Do(ctx, client.Request{Method: method, Path: path, Body: body})
	switch {
	case err != nil:
		return err
	case answer.Status == http.StatusNotFound:
		return fmt.Errorf("%s has no %s: only a product started by cmd/local does", c.url, path)
	case answer.Status >= http.StatusMultipleChoices:
		return fmt.Errorf("%s %s: status %d, %.200s", method, path, answer.Status, bytes.TrimSpace(answer.Body))
	case into == nil:
		return nil
	}
	if err := json.Unmarshal(answer.Body, into); err != nil {
		return fmt.Errorf("%s %s: the answer is not what a local product gives: %w", method, path, err)
	}
	return nil
}

// Player is somebody for whom a local product issues a session token.
type Player struct {
	ID      string `json:"player"`
	Name    string `json:"name,omitempty"`
	Country string `json:"country,omitempty"`
}

// Token asks for a player's session token, good for a day.
func (c *Client) Token(ctx context.Context, p Player) (string, error) {
	body, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	var said struct{ Token string }
	err = c.ask(ctx, http.MethodPost, "/_local/token", body, &said)
	return said.Token, err
}

// Fire runs a scheduled function as if it were due at a time, and waits for its end.
func (c *Client) Fire(ctx context.Context, function string, at time.Time) error {
	return c.ask(ctx, http.MethodPost, "/_local/schedules/"+function, []byte(`{"time":"`+at.UTC().Format(time.RFC3339)+`"}`), nil)
}
