package clerk

import (
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Page reads the memberships of about count players from a cursor on, or of all players if
// they are few. The cursor "" is the beginning, and next "" the end.
//
// Cost: 1 billed command.
func (g *Groups) Page(ctx context.Context, cursor string, count int) (page []Membership, next string, err error) {
	pairs, next, err := upstash.Scan(ctx, g.redis, "HSCAN", game.GroupsKey, cursor, count)
	for i := 0; i+1 < len(pairs); i += 2 {
		for one := range strings.FieldsSeq(pairs[i+1]) {
			id, group, _ := strings.Cut(one, "=")
			page = append(page, Membership{ID: id, Player: pairs[i], Group: group})
		}
	}
	return page, next, err
}

// Restore adds memberships that Redis has lost. It leaves out memberships that ended in the
// last week, and those of deleted players.
//
// Cost: up to 4 billed commands for every 500.
func (g *Groups) Restore(ctx context.Context, all []Membership) error {
	for some := range slices.Chunk(all, MostAtOnce) {
		if _, err := join(ctx, g.redis, some); err != nil {
			return err
		}
	}
	return nil
}
