// Package caller sends requests to a product as any caller may: a player, a game server,
// the operator, a stranger. It returns answers whole, whatever their status, and never
// repeats a request.
package caller

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// idleConnections is how many connections are kept open between requests.
const idleConnections = 256

// Caller sends requests. It is safe for concurrent use.
type Caller struct {
	URL        string           // of the product, without /v1
	SigningKey string           // of its game servers
	Now        func() time.Time // the time for signatures
	HTTP       http.Client
}

// New makes a Caller over the given transport, or with connections of its own if that
// is nil.
func New(url, signingKey string, over http.RoundTripper) *Caller {
	if over == nil {
		over = &http.Transport{MaxIdleConnsPerHost: idleConnections}
	}
	return &Caller{url, signingKey, time.Now, http.Client{Transport: over}}
}

// Close closes idle connections.
func (c *Caller) Close() { c.HTTP.CloseIdleConnections() }

// As is the credential of a request.
type As struct {
	Token  string // of a player, a device or the operator; "" for none
	Signed bool   // signed as a game server
}

// Callers without a token.
var (
	Nobody As
	Server = As{Signed: true}
)

// Call sends a request. more are further headers, alternating names and values.
func (c *Caller) Call(ctx context.Context, who As, method, path string, body []byte, more ...string) (client.Answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.URL+path, bytes.NewReader(body))
	if err != nil {
		return client.Answer{}, err
	}
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	if who.Token != "" {
		request.Header.Set("Authorization", "Bearer "+who.Token)
	}
	if who.Signed {
		request.Header.Set("Framedle-Signature", auth.SignRequest(c.SigningKey, c.Now(), auth.Request{Method: method, Path: request.URL.Path, Body: body}))
	}
	for i := 0; i+1 < len(more); i += 2 {
		request.Header.Set(more[i], more[i+1])
	}
	response, err := c.HTTP.Do(request)
	if err != nil {
		return client.Answer{}, err
	}
	defer func() { _ = response.Body.Close() }() // the body has been read
	a := client.Answer{Status: response.StatusCode, Header: response.Header}
	a.Body, err = io.ReadAll(response.Body)
	return a, err
}

// ErrNotFound is the error for a 404.
var ErrNotFound = errors.New("not found")

// Get reads a JSON answer. Any status but 200 is an error.
func (c *Caller) Get(ctx context.Context, who As, path string, into any) error {
	a, err := c.Call(ctx, who, http.MethodGet, path, nil)
	switch {
	case err != nil:
	case a.Status == http.StatusNotFound:
		err = fmt.Errorf("%w: %s", ErrNotFound, a.Problem())
	case a.Status != http.StatusOK:
		err = errors.New(a.Problem().Error())
	default:
		err = json.Unmarshal(a.Body, into)
	}
	if err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	return nil
}
