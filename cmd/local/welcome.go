package main

import (
	"fmt"
	"io"
	"time"

	"github.com/framedle/leaderboards/internal/dev/demo"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/feature/webhook"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
)

// welcome is the greeting that is printed once everything answers.
type welcome struct {
	product *local.Product
	game    *game.Game
	took    time.Duration
	players string // who has played; "" if that is not known
}

// print prints where everything is, the pages first, and three requests that work unchanged.
func (g welcome) print(out io.Writer) error {
	p := g.product
	guest := demo.Guest
	token, err := p.Token(devissuer.Claims{Player: guest.ID, Name: guest.Name, Country: guest.Country})
	if err != nil {
		return err
	}
	database := ""
	if p.Database != "" {
		database = "\n    export DATABASE_URL='" + p.Database + "'"
	}
	if len(webhook.EndpointsOf(g.game)) > 0 {
		database += "\n    export WEBHOOK_SECRETS=" + p.Secrets.Webhooks
	}
	players := ""
	if g.players != "" {
		players = "\n  Players      " + g.players
	}
	_, err = fmt.Fprintf(out, `Framedle Leaderboards, game %s, up in %d ms

  Page         %s/
  Operator     %s/ops/   token: %s%s

  API          %s/v1   (described at %s/openapi.yaml)
  Boards       %s
  Archive      %s

  For the documentation's examples and other tools:
    export API=%s LEADERBOARDS_URL=%s
    export UPSTASH_REDIS_REST_URL=%s
    export UPSTASH_REDIS_REST_TOKEN=%s
    export SIGNING_KEYS=%s
    export OPS_TOKEN=%s%s

  Session token for user_ana, valid 24 h (more: POST /_local/token):
    export TOKEN=%s

  Try:
%s
Press Ctrl-C to stop.
`, g.game.Name, g.took.Milliseconds(), p.URL, p.URL, p.Secrets.OpsToken, players, p.URL, p.URL, p.RedisKind, p.DatabaseKind,
		p.URL, p.URL, p.Secrets.RedisRESTURL, p.Secrets.RedisRESTToken, p.Secrets.SigningKey, p.Secrets.OpsToken, database, token, tries(p.URL, g.game))
	return err
}
