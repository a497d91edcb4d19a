// Package friendstore keeps the graph of friends in Postgres. It knows SQL, and nothing of Redis or
// HTTP.
package friendstore

import (
	"context"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/friend"
)

// listColumns reads the lists of the players p in one statement, so that the lists and their
// version are of one moment.
const listColumns = `
SELECT p.player, p.version,
       ARRAY(SELECT CASE WHEN low = p.player THEN high ELSE low END AS other FROM friend_pairs
             WHERE (low = p.player OR high = p.player) AND friends ORDER BY other) AS friends,
       ARRAY(SELECT CASE WHEN low = p.player THEN high ELSE low END AS other FROM friend_pairs
             WHERE (low = p.player AND low_blocks) OR (high = p.player AND high_blocks) ORDER BY other) AS blocked
FROM friend_players AS p `

// takeLists reads one answer to listColumns in a batch.
func takeLists(into *[]friend.Lists) func(pgx.Rows) error {
	return func(rows pgx.Rows) (err error) {
		*into, err = pgx.CollectRows(rows, pgx.RowToStructByName[friend.Lists])
		return err
	}
}

// Table has the friendships, blocks and invites of players: the graph that package friend
// asks.
type Table struct{ db *archive.DB }

// In is the table of an archive.
func In(a *archive.Archive) Table { return Table{a.DB()} }

var _ friend.Graph = Table{}

// Change applies an action of one player on another and reads the lists of both after it.
// 1 round trip.
func (a Table) Change(ctx context.Context, action friend.Action, player, other string, at time.Time) (outcome friend.Outcome, lists []friend.Lists, err error) {
	err = a.db.Together(ctx, "change a friendship", func(b *pgx.Batch) {
		b.Queue(`SELECT friend_change($1, $2, $3, $4)`, string(action), player, other, at).
			QueryRow(func(row pgx.Row) error { return row.Scan(&outcome) })
		b.Queue(listColumns+`WHERE p.player IN ($1, $2)`, player, other).Query(takeLists(&lists))
	})
	return outcome, lists, err
}

// Inviter reads who made an invite, under the conditions of Redeem; "" if they do not hold.
// 1 round trip.
func (a Table) Inviter(ctx context.Context, digest [sha256.Size]byte, player string, at time.Time) (string, error) {
	found, err := archive.Collect(ctx, a.db, "read an invite", `
SELECT i.player FROM friend_invites AS i LEFT JOIN friend_pairs AS p
ON low = least($2 COLLATE "C", i.player COLLATE "C") AND high = greatest($2 COLLATE "C", i.player COLLATE "C")
WHERE digest = $1 AND expires_at > $3 AND i.player <> $2 AND (uses_left > 0 OR p.friends)
  AND NOT coalesce(low_blocks OR high_blocks, false)`, []any{digest[:], player, at}, pgx.RowTo[string])
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0], nil
}

// Redeem makes a player friends with the player who made an invite.
// 1 round trip.
func (a Table) Redeem(ctx context.Context, digest [sha256.Size]byte, player string, at time.Time) (outcome friend.Outcome, other string, lists []friend.Lists, err error) {
	err = a.db.Together(ctx, "redeem an invite", func(b *pgx.Batch) {
		b.Queue(`SELECT outcome, coalesce(other, '') FROM friend_redeem($1, $2, $3)`, digest[:], player, at).
			QueryRow(func(row pgx.Row) error { return row.Scan(&outcome, &other) })
		b.Queue(listColumns+`WHERE p.player = $2 OR p.player = (SELECT player FROM friend_invites WHERE digest = $1)`,
			digest[:], player).Query(takeLists(&lists))
	})
	return outcome, other, lists, err
}

// KeepInvite keeps an invite. If the player already has the most invites allowed, it replaces
// the oldest.
// 1 round trip.
func (a Table) KeepInvite(ctx context.Context, i friend.Invite) error {
	return a.db.Run(ctx, "keep an invite", `SELECT friend_invite($1, $2, $3, $4, $5)`,
		i.Digest[:], i.Player, i.Uses, i.At, i.Expires)
}

// relation is a row of friend_pairs as one of its two players sees it.
type relation struct {
	Other                string
	Since                time.Time
	Friends, Asks, Asked bool // they are friends; the player has asked; the other has asked
	Blocks, Stale        bool
}

// mostRelations is more than the sum of all bounded kinds.
const mostRelations = friend.MostFriends + friend.MostAsked + friend.MostBlocked + friend.MostReceived

// Relations reads everything between a player and others that the player may see.
// 1 round trip.
func (a Table) Relations(ctx context.Context, player string) (friend.Relations, error) {
	rows, err := archive.Collect(ctx, a.db, "read a player's friends", `
WITH mine AS (
    SELECT CASE WHEN low = $1 THEN high ELSE low END AS other, since, friends,
           CASE WHEN low = $1 THEN low_asks ELSE high_asks END AS asks,
           CASE WHEN low = $1 THEN high_asks ELSE low_asks END AS asked,
           CASE WHEN low = $1 THEN low_blocks ELSE high_blocks END AS blocks
    FROM friend_pairs WHERE low = $1 OR high = $1
)
SELECT other, since, friends, asks, asked AND NOT blocks AS asked, blocks,
       (SELECT copied < version FROM friend_players WHERE player = $1) AS stale
FROM mine WHERE friends OR asks OR asked OR blocks
ORDER BY (friends OR asks OR blocks) DESC, since DESC, other LIMIT $2`, []any{player, mostRelations}, pgx.RowToStructByName[relation])
	return relationsOf(rows), err
}

// relationsOf sorts rows by kind.
func relationsOf(rows []relation) (all friend.Relations) {
	for _, r := range rows {
		is := friend.Relation{Player: r.Other, Since: r.Since}
		all.Stale = all.Stale || r.Stale
		switch {
		case r.Friends:
			all.Friends = append(all.Friends, is)
		case r.Blocks:
			all.Blocked = append(all.Blocked, r.Other)
		case r.Asks:
			all.Sent = append(all.Sent, is)
		case len(all.Received) < friend.MostReceived:
			all.Received = append(all.Received, is)
		}
	}
	slices.Sort(all.Blocked)
	return all
}

// EraseFriends removes a player from everybody's lists, requests, blocks and
// invites.
// 1 round trip.
func (a Table) EraseFriends(ctx context.Context, player string) error {
	return a.db.Long().Run(ctx, "erase a player's friends", `SELECT friend_erase($1)`, player)
}

// Uncopied reads up to limit lists that have changed and are not noted as copied.
// 1 round trip.
func (a Table) Uncopied(ctx context.Context, limit int) ([]friend.Lists, error) {
	return archive.Collect(ctx, a.db, "read changed lists of friends",
		listColumns+`WHERE p.copied < p.version ORDER BY p.player LIMIT $1`, []any{limit}, pgx.RowToStructByName[friend.Lists])
}

// Copied notes that lists were copied, each in its version. It returns the lists of players
// whom the graph no longer has.
// 1 round trip.
func (a Table) Copied(ctx context.Context, lists []friend.Lists) (gone []friend.Lists, err error) {
	players, versions := make([]string, len(lists)), make([]int64, len(lists))
	for i, l := range lists {
		players[i], versions[i] = l.Player, l.Version
	}
	return archive.Collect(ctx, a.db, "note copied lists of friends", `
WITH locked AS (
    SELECT player FROM friend_players WHERE player = ANY ($1) ORDER BY player FOR UPDATE
), noted AS (
    UPDATE friend_players AS p SET copied = c.version
    FROM unnest($1::text[], $2::bigint[]) AS c (player, version) JOIN locked USING (player)
    WHERE p.player = c.player AND p.copied < c.version
)
SELECT player, version FROM unnest($1::text[], $2::bigint[]) AS c (player, version)
WHERE player NOT IN (SELECT player FROM locked)`, []any{players, versions}, pgx.RowToStructByNameLax[friend.Lists])
}

// AllLists reads the lists of all players who have friends or block somebody. It calls each as
// [archive.Results.OfDay] does.
// 1 round trip.
func (a Table) AllLists(ctx context.Context, each func([]friend.Lists) error) error {
	return archive.Stream(ctx, a.db, "read all lists of friends", listColumns+`WHERE p.friends > 0 OR p.blocked > 0`, nil, pgx.RowToStructByName[friend.Lists], each)
}

// InvitesOf lists a player's invites, newest first: a bounded number.
// 1 round trip.
func (a Table) InvitesOf(ctx context.Context, player string) ([]friend.OpenInvite, error) {
	return archive.Collect(ctx, a.db, "list a player's invites", `
SELECT made_at, expires_at, uses_left FROM friend_invites WHERE player = $1 ORDER BY made_at DESC, digest`, []any{player}, pgx.RowToStructByName[friend.OpenInvite])
}

// PutLists adds the friends and blocks of lists that Redis had at a moment, where they are
// missing here, and returns the number of pairs that were added. Where the graph changed after
// the lists were copied, the graph counts. Players erased since then are left out, of the lists
// of others too.
// 1 round trip.
func (a Table) PutLists(ctx context.Context, lists []friend.Lists, at time.Time) (pairs int, err error) {
	if len(lists) == 0 {
		return 0, nil
	}
	err = a.db.Together(ctx, "bring back lists of friends", func(b *pgx.Batch) {
		pairs = 0
		for _, l := range lists {
			b.Queue(`SELECT friend_refill($1, $2, `+notErased("$3")+`, `+notErased("$4")+`, $5)`, l.Player, l.Version, archive.OrNone(l.Friends), archive.OrNone(l.Blocked), at).
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

// RenewLists marks lists for copying again: those that players changed while the graph did not
// yet have all friends.
// 1 round trip.
func (a Table) RenewLists(ctx context.Context, kind string) error {
	return a.db.Run(ctx, "have lists of friends copied", `
UPDATE friend_players SET version = friend_version(version)
WHERE version >= (SELECT extract(epoch FROM begun_at) * 1000 FROM refills WHERE kind = $1)`, kind)
}

// Tables are the tables of friends. The graph erases players itself, see [Table.EraseFriends].
func Tables() archive.Tables {
	return archive.Tables{Name: "friends", Keeps: archive.Keeping(`EXISTS (SELECT FROM friend_players WHERE player = $1)`)}
}
