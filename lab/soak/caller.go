package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/auth/devissuer"
	"github.com/framedle/leaderboards/internal/local"
)

// caller sends requests to the product, as anybody.
type caller struct {
	product *local.Product
	http    *http.Client
	tokens  map[string]string // by player
}

func newCaller(p *local.Product, connections int) *caller {
	return &caller{p, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}, map[string]string{}}
}

// as is who sends a request.
type as struct {
	token  string // of a player, or the operator's
	signed bool
}

var nobody as

func (c *caller) server() as    { return as{signed: true} }
func (c *caller) operator() as  { return as{token: c.product.Secrets.OpsToken} }
func (c *caller) importing() as { return as{c.product.Secrets.OpsToken, true} }

// player issues the token that a player keeps for the whole run. Not safe for
// concurrent use.
func (c *caller) player(claims devissuer.Claims) (as, error) {
	key := fmt.Sprint(claims)
	if c.tokens[key] == "" {
		token, err := c.product.Token(claims)
		if err != nil {
			return as{}, err
		}
		c.tokens[key] = token
	}
	return as{token: c.tokens[key]}, nil
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a answer) String() string { return fmt.Sprintf("%d %.300s", a.status, bytes.TrimSpace(a.body)) }

func (c *caller) call(ctx context.Context, who as, method, path string, body []byte, more ...string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.product.URL+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	if who.token != "" {
		request.Header.Set("Authorization", "Bearer "+who.token)
	}
	if who.signed {
		request.Header.Set("Framedle-Signature", auth.SignRequest(c.product.Secrets.SigningKey, time.Now(), auth.Request{Method: method, Path: request.URL.Path, Body: body}))
	}
	for i := 0; i+1 < len(more); i += 2 {
		request.Header.Set(more[i], more[i+1])
	}
	response, err := c.http.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }() // what matters has been read
	a := answer{status: response.StatusCode, header: response.Header}
	a.body, err = io.ReadAll(response.Body)
	return a, err
}

// get reads a JSON answer; it reports false for a 404.
func (c *caller) get(ctx context.Context, who as, path string, into any) (found bool, err error) {
	a, err := c.call(ctx, who, http.MethodGet, path, nil)
	switch {
	case err != nil:
		return false, err
	case a.status == http.StatusNotFound:
		return false, nil
	case a.status != http.StatusOK:
		return false, fmt.Errorf("GET %s: %s", path, a)
	}
	if err := json.Unmarshal(a.body, into); err != nil {
		return false, fmt.Errorf("GET %s: %w", path, err)
	}
	return true, nil
}
