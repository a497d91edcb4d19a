package apiclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// LocalSecrets are the credentials that a local product hands out.
type LocalSecrets struct {
	SigningKey  string `json:"signing_key"`
	OpsToken    string `json:"ops_token"`
	RedisURL    string `json:"redis_rest_url"`
	RedisToken  string `json:"redis_rest_token"`
	DatabaseURL string `json:"database_url"` // "" where it keeps no history
}

// LocalUsage is what a local product's functions have spent.
type LocalUsage struct {
	Commands   int64                 `json:"commands"` // billed
	RoundTrips int64                 `json:"round_trips"`
	ByFunction map[string]LocalSpent `json:"by_function"`
}

// LocalSpent is one function's part.
type LocalSpent struct {
	Commands   int64 `json:"commands"`
	RoundTrips int64 `json:"round_trips"`
}

// LocalSecrets asks a local product for its credentials.
func (c *Client) LocalSecrets(ctx context.Context) (LocalSecrets, error) {
	var s LocalSecrets
	err := c.local(ctx, http.MethodGet, "/_local/secrets", nil, &s)
	if err == nil && (s.SigningKey == "" || s.OpsToken == "") {
		err = fmt.Errorf("GET /_local/secrets of %s gives no signing_key or no ops_token", c.base.String())
	}
	return s, err
}

// LocalUsage asks a local product what it has spent since its start.
func (c *Client) LocalUsage(ctx context.Context) (LocalUsage, error) {
	var u LocalUsage
	return u, c.local(ctx, http.MethodGet, "/_local/usage", nil, &u)
}

// SetLocalClock moves a local product's clock; the zero time gives it back to
// the machine.
func (c *Client) SetLocalClock(ctx context.Context, now time.Time) error {
	text := "null"
	if !now.IsZero() {
		text = `"` + now.UTC().Format(time.RFC3339Nano) + `"`
	}
	return c.local(ctx, http.MethodPut, "/_local/clock", []byte(`{"now":`+text+`}`), nil)
}

func (c *Client) local(ctx context.Context, method, path string, body []byte, into any) error {
	answer, err := c.call(ctx, method, path, "", http.Header{"Content-Type": {"application/json"}}, body)
	switch {
	case err != nil:
		return err
	case answer.Status == http.StatusNotFound:
		return fmt.Errorf("%s has no %s: only a product started by cmd/local does", c.base.String(), path)
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
