package archive

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/friends"
)

// PutLists takes lists of friends and blocks, as Redis had them at a moment, into
// what is missing, and tells how many pairs have come. What was changed here
// since the lists were copied is known better here.
// 1 round trip.
func (a Friends) PutLists(ctx context.Context, lists []friends.Lists, at time.Time) (pairs int, err error) {
	if len(lists) == 0 {
		return 0, nil
	}
	err = a.db.together(ctx, "bring back lists of friends", func(b *pgx.Batch) {
		pairs = 0
		for _, l := range lists {
			b.Queue(`SELECT friend_refill($1, $2, $3, $4, $5)`, l.Player, l.Version, orNone(l.Friends), orNone(l.Blocked), at).
				QueryRow(func(row pgx.Row) error {
					var come int
					err := row.Scan(&come)
					pairs += come
					return err
				})
		}
	})
	return pairs, away(err)
}

func orNone(ids []string) []string {
	if ids == nil {
		return []string{}
	}
	return ids
}

// RenewLists has the lists copied once more of players who have changed them while
// not all friends were known here.
// 1 round trip.
func (a Friends) RenewLists(ctx context.Context, kind string) error {
	return away(a.db.run(ctx, "have lists of friends copied", `
UPDATE friend_players SET version = friend_version(version)
WHERE version >= (SELECT extract(epoch FROM begun_at) * 1000 FROM refills WHERE kind = $1)`, kind))
}
