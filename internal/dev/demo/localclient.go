// This file uses the controls of a product that cmd/local runs: its secrets,
// what it has spent, and its clock.
//
// It knows the endpoints under /_local. It must not know the product's own endpoints.

package demo

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

// timeout bounds a request. It is long, since a schedule may close a large day.
const timeout = 5 * time.Minute

// Client sends requests to a local product. It is safe for concurrent use.
type Client struct {
	url    string
	client *client.Client
}

// New makes a client of the product at a URL.
func NewClient(url string) (*Client, error) {
	c, err := client.New(client.Config{URL: url, Timeout: timeout})
	if err != nil {
		return nil, err
	}
	return &Client{url, c}, nil
}

// Close closes idle connections.
func (c *Client) Close() { c.client.Close() }

// OnThisMachine reports whether an address is on this machine; a local product is on no
// other.
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
	DatabaseURL string `json:"database_url"` // "" where it has no database
}

// Usage is what the functions of a local product have spent.
type Usage struct {
	Commands   int64            `json:"commands"` // billed
	RoundTrips int64            `json:"round_trips"`
	ByFunction map[string]Spent `json:"by_function"`
}

// Spent is what one function has spent.
type Spent struct {
	Commands   int64 `json:"commands"`
	RoundTrips int64 `json:"round_trips"`
}

// Secrets reads the product's credentials.
func (c *Client) Secrets(ctx context.Context) (Secrets, error) {
	var s Secrets
	err := c.ask(ctx, http.MethodGet, "/_local/secrets", nil, &s)
	if err == nil && (s.SigningKey == "" || s.OpsToken == "") {
		err = fmt.Errorf("GET /_local/secrets of %s gives no signing_key or no ops_token", c.url)
	}
	return s, err
}

// Usage reads what the product has spent since its start.
func (c *Client) Usage(ctx context.Context) (Usage, error) {
	var u Usage
	err := c.ask(ctx, http.MethodGet, "/_local/usage", nil, &u)
	return u, err
}

// SetClock sets the product's clock; with the zero time the clock is the machine's again.
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

// Player is a player for whom a local product issues a session token.
type Player struct {
	ID      string `json:"player"`
	Name    string `json:"name,omitempty"`
	Country string `json:"country,omitempty"`
}

// Token returns a player's session token, which is valid for a day.
func (c *Client) Token(ctx context.Context, p Player) (string, error) {
	body, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	var said struct{ Token string }
	err = c.ask(ctx, http.MethodPost, "/_local/token", body, &said)
	return said.Token, err
}

// Fire runs a scheduled function as if it were due at a time, and waits until it ends.
func (c *Client) Fire(ctx context.Context, function string, at time.Time) error {
	return c.ask(ctx, http.MethodPost, "/_local/schedules/"+function, []byte(`{"time":"`+at.UTC().Format(time.RFC3339)+`"}`), nil)
}
