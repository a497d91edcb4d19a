package demo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/framedle/leaderboards/client"
)

// Options say what to play against. All but Played are required.
type Options struct {
	URL     string // of a local product with an empty game
	Seed    uint64
	Players int   // 2 at least
	Days    int   // days played before today; no more than a day's board lives
	Acts    []Act // what players do, in a game whose scores are computed from that
	// Now is the machine's clock.
	Now  func() time.Time
	Wait func(ctx context.Context, d time.Duration) error // sleeps; returns ctx's error when that ends first
	// Failed is called for a play that could not be sent while the demo continues.
	Failed func(error)
	// Played is called for each play that was answered.
	Played func(Play)
}

// Demo plays against a product.
type Demo struct {
	Options
	people []Person
	game   client.Game

	local    *Client
	server   *client.Client // the game's server
	importer *client.Client // may set the time of a play
	players  *client.Client // with the token of each request's player

	mu     sync.Mutex
	tokens map[string]string // by player
}

// New asks the product for its game. Close the Demo in the end.
func New(ctx context.Context, o Options) (*Demo, error) {
	if o.Players < 2 || o.Days < 0 {
		return nil, fmt.Errorf("%d players and %d days: use 2 and 0 at least", o.Players, o.Days)
	}
	d := &Demo{Options: o, people: crowd(o.Seed, o.Players), tokens: map[string]string{}}
	if d.Played == nil {
		d.Played = func(Play) {}
	}
	var err error
	if d.local, err = NewClient(o.URL); err != nil {
		return nil, err
	}
	secrets, err := d.local.Secrets(ctx)
	if err != nil {
		return nil, err
	}
	configs := map[**client.Client]client.Config{
		&d.server:   {URL: o.URL, SigningKey: secrets.SigningKey, Now: o.Now},
		&d.importer: {URL: o.URL, SigningKey: secrets.SigningKey, OpsToken: secrets.OpsToken, Timeout: time.Minute, Now: o.Now},
		&d.players:  {URL: o.URL},
	}
	for to, config := range configs {
		if *to, err = client.New(config); err != nil {
			return nil, err
		}
	}
	d.game, err = d.server.Game(ctx)
	return d, err
}

// String describes the demo, for people.
func (d *Demo) String() string {
	text := fmt.Sprintf("%d simulated players, %d days of history", d.Players, d.Days)
	if d.has("friends") {
		text += ", some are friends of user_ana"
	}
	return text + "; one score a second for two minutes, then one every 3 s"
}

// Close closes its connections.
func (d *Demo) Close() {
	d.local.Close()
	for _, c := range []*client.Client{d.server, d.importer, d.players} {
		c.Close()
	}
}

func (d *Demo) has(feature string) bool { return slices.Contains(d.game.Features, feature) }

// as sends a request as a player, with the player's own token.
func (d *Demo) as(ctx context.Context, who Person, method, path, body string) error {
	for fresh := false; ; fresh = true {
		token, err := d.token(ctx, who, fresh)
		if err != nil {
			return err
		}
		r := client.Request{Method: method, Path: path, Header: http.Header{"Authorization": {"Bearer " + token}}}
		if body != "" {
			r.Body = []byte(body)
		}
		a, err := d.players.Do(ctx, r)
		switch {
		case err != nil:
			return err
		case a.Status == http.StatusUnauthorized && !fresh:
			continue
		case a.Status >= http.StatusMultipleChoices:
			return fmt.Errorf("%s %s of %s: %w", method, path, who.ID, a.Problem())
		}
		return nil
	}
}

// token returns a player's token, which lives a day. fresh replaces one that was refused.
func (d *Demo) token(ctx context.Context, who Person, fresh bool) (string, error) {
	d.mu.Lock()
	token := d.tokens[who.ID]
	d.mu.Unlock()
	if token != "" && !fresh {
		return token, nil
	}
	token, err := d.local.Token(ctx, Player{ID: who.ID, Name: who.Name, Country: who.Country})
	if err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tokens[who.ID] = token
	return token, nil
}

// send sends one score as the game's server.
func (d *Demo) send(ctx context.Context, s client.Submission) error {
	if m := slices.IndexFunc(d.game.Modes, func(m client.Mode) bool { return m.Name == s.Mode }); d.game.Modes[m].Policy != "sum" {
		s.IdempotencyKey = client.NoKey
	}
	r, err := d.server.Submit(ctx, s)
	var closed *client.Problem
	if errors.As(err, &closed) && closed.Code == client.CodeDateClosed {
		return nil // the day ended in between
	}
	if err != nil {
		return err
	}
	d.Played(Play{r.Mode, r.Date, r.Player, s.Score, r.Status})
	return nil
}
