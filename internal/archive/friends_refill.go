package archive

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/friends"
)

// PutLists adds the friends and blocks of lists that Redis had at a moment, where they are
// missing here, and returns the number of pairs that were added. Where the graph changed after
// the lists were copied, the graph counts. Players erased since then are left out, of the lists
// of others too.
// 1 round trip.
func (a Friends) PutLists(ctx context.Context, lists []friends.Lists, at time.Time) (pairs int, err error) {
	if len(lists) == 0 {
		return 0, nil
	}
	err = a.db.together(ctx, "bring back lists of friends", func(b *pgx.Batch) {
		pairs = 0
		for _, l := range lists {
			b.Queue(`SELECT friend_refill($1, $2, `+notErased("$3")+`, `+notErased("$4")+`, $5)`, l.Player, l.Version, orNone(l.Friends), orNone(l.Blocked), at).
				QueryRow(func(row pgx.Row) error {
					var come int
					err := row.Scan(&come)
					pairs += come
					return err
				})
		}
	})
	return pairs, err
}

// notErased leaves out of a list the players who were erased since the moment $5.
func notErased(ids string) string {
	return `ARRAY(SELECT id FROM unnest(` + ids + `::text[]) AS id WHERE NOT erased_since(id, $5))`
}

func orNone(ids []string) []string {
	if ids == nil {
		return []string{}
	}
	return ids
}

// RenewLists marks lists for copying again: those that players changed while the graph did not
// yet have all friends.
// 1 round trip.
func (a Friends) RenewLists(ctx context.Context, kind string) error {
	return a.db.run(ctx, "have lists of friends copied", `
UPDATE friend_players SET version = friend_version(version)
WHERE version >= (SELECT extract(epoch FROM begun_at) * 1000 FROM refills WHERE kind = $1)`, kind)
}
