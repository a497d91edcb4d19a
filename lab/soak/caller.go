package soak

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
	"github.com/framedle/leaderboards/lab/caller"
)

// callers are the callers of the product.
type callers struct {
	*caller.Caller
	product *local.Product
	tokens  map[string]string // by player
}

func newCallers(p *local.Product) *callers {
	return &callers{caller.New(p.URL, p.Secrets.SigningKey, nil), p, map[string]string{}}
}

func (c *callers) operator() caller.As { return caller.As{Token: c.product.Secrets.OpsToken} }
func (c *callers) importing() caller.As {
	return caller.As{Token: c.product.Secrets.OpsToken, Signed: true}
}

// player returns the session token that a player keeps for the whole run. It is not safe
// for concurrent use.
func (c *callers) player(claims devissuer.Claims) (caller.As, error) {
	key := fmt.Sprint(claims)
	if c.tokens[key] == "" {
		token, err := c.product.Token(claims)
		if err != nil {
			return caller.Nobody, err
		}
		c.tokens[key] = token
	}
	return caller.As{Token: c.tokens[key]}, nil
}
