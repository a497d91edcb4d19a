package engine

import (
	"encoding/json"

	graphql "github.com/graph-gophers/graphql-go"

	"github.com/framedle/leaderboards/internal/feature/graph"
)

// duel resolves a duel as the caller may see it.
type duel struct{ is graph.Duel }

func (d *duel) ID() graphql.ID     { return graphql.ID(d.is.ID) }
func (d *duel) Status() string     { return string(d.is.Status) }
func (d *duel) Mode() *string      { return shown(d.is.Mode) }
func (d *duel) CreatedAt() string  { return d.is.CreatedAt }
func (d *duel) ExpiresAt() *string { return shown(d.is.ExpiresAt) }
func (d *duel) DecidedAt() *string { return shown(d.is.DecidedAt) }

func (d *duel) Players() []graphql.ID {
	ids := make([]graphql.ID, len(d.is.Players))
	for i, id := range d.is.Players {
		ids[i] = graphql.ID(id)
	}
	return ids
}

func (d *duel) Opponent() *graphql.ID { return maybeID(d.is.Opponent) }

func (d *duel) Winner() *graphql.ID {
	var id string // null for a draw
	if json.Unmarshal(d.is.Winner, &id) != nil {
		return nil
	}
	return maybeID(id)
}

func (d *duel) Score() *[]raw {
	if d.is.Score == nil {
		return nil
	}
	scores := make([]raw, len(d.is.Score))
	for i, n := range d.is.Score {
		scores[i] = whole(n)
	}
	return &scores
}

func maybeID(text string) *graphql.ID {
	if text == "" {
		return nil
	}
	id := graphql.ID(text)
	return &id
}
