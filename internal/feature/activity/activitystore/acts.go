// Package activitystore keeps in Postgres what players did on days that are not sealed. It knows SQL,
// and nothing of Redis or HTTP.
package activitystore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// ErrFewerActs is returned when the archive keeps more acts of a day than the caller gives:
// acts have left Redis that nobody asked to remove.
var ErrFewerActs = errors.New("more acts of this day are archived than Redis has; lbctl restore restores them")

// partLines is the largest number of lines in a part: some 250 KB, of which a third is left
// once Postgres has compressed them.
const partLines = 5000

// Table has what players did on days that are not sealed; see package activity.
type Table struct{ db *archive.DB }

// In is the table of an archive.
func In(a *archive.Archive) Table { return Table{a.DB()} }

// Begin adds days that the archive does not have, each with its source, and returns what the
// archive keeps of each of them. Call Begin before reading a day's acts from Redis: Put then
// refuses if a player is erased in between, so that no erased act comes back.
// 1 round trip.
func (a Table) Begin(ctx context.Context, days []game.KeptDay) (kept []game.KeptDay, err error) {
	groups, dates, sources := make([]string, len(days)), make([]string, len(days)), make([]string, len(days))
	for i, d := range days {
		groups[i], dates[i], sources[i] = d.Group, d.Date.String(), d.Source
	}
	err = a.db.Together(ctx, "begin to keep acts", func(b *pgx.Batch) {
		b.Queue(`
INSERT INTO act_days (group_name, date, source) SELECT * FROM unnest($1::text[], $2::date[], $3::text[]) ON CONFLICT DO NOTHING`, groups, dates, sources)
		b.Queue(actDays+`WHERE (group_name, date) IN (SELECT * FROM unnest($1::text[], $2::date[]))`, groups, dates).
			Query(func(rows pgx.Rows) (err error) {
				kept, err = pgx.CollectRows(rows, pgx.RowToStructByName[game.KeptDay])
				return err
			})
	})
	return kept, err
}

// Days lists the days whose acts are kept, ascending.
// 1 round trip.
func (a Table) Days(ctx context.Context) ([]game.KeptDay, error) {
	return archive.Collect(ctx, a.db, "list the days whose acts are kept", actDays+`ORDER BY date, group_name`, nil, pgx.RowToStructByName[game.KeptDay])
}

const actDays = `SELECT group_name AS "group", date, source, version FROM act_days `

// actPart is a part of a day's lines.
type actPart struct {
	kind   string
	n      int
	lines  []string
	digest []byte
}

const (
	actsKind    = "acts"
	streaksKind = "streaks"
)

// partsOf cuts a day into parts. Acts are ordered by time, so a new act changes only the last
// parts.
func partsOf(lines game.DayLines) (parts []actPart) {
	for _, of := range []struct {
		kind  string
		lines []string
	}{{actsKind, lines.Acts}, {streaksKind, lines.Streaks}} {
		n := 0
		for some := range slices.Chunk(of.lines, partLines) {
			sum := sha256.Sum256([]byte(strings.Join(some, "\n")))
			parts = append(parts, actPart{of.kind, n, some, sum[:16]})
			n++
		}
	}
	return parts
}

// players returns the digests of all players whom a part names.
func (p actPart) players() []int32 {
	from := 1
	if p.kind == actsKind {
		from = 3
	}
	var all []int32
	for _, line := range p.lines {
		for _, word := range strings.Split(line, " ")[from:] {
			all = append(all, actPlayer(word))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// actPlayer is a short digest of a player. Several players may share one.
func actPlayer(player string) int32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(player)) // it never fails
	return int32(h.Sum32())
}

// Put replaces what is kept of a day. It writes only the parts that have changed.
// 3 round trips, 5 where something has changed.
// Errors: ErrSuperseded if the day was written, or a player was erased, since Begin;
// ErrFewerActs.
func (a Table) Put(ctx context.Context, day game.KeptDay, lines game.DayLines) error {
	return a.db.Do(ctx, "keep the acts of "+day.Group+" on "+day.Date.String(), func(ctx context.Context, c *pgx.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error { return actPut{tx, day, lines}.run(ctx) })
	})
}

// actPut writes a day, in a transaction.
type actPut struct {
	tx    pgx.Tx
	day   game.KeptDay
	lines game.DayLines
}

func (w actPut) run(ctx context.Context) error {
	kept, err := w.lock(ctx)
	if err != nil {
		return err
	}
	var b pgx.Batch
	for _, p := range partsOf(w.lines) {
		id := fmt.Sprint(p.kind, p.n)
		if !bytes.Equal(kept[id], p.digest) {
			b.Queue(`
INSERT INTO act_parts (group_name, date, kind, part, digest, players, lines) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (date, group_name, kind, part) DO UPDATE SET digest = excluded.digest, players = excluded.players, lines = excluded.lines`,
				w.day.Group, w.day.Date.Midnight(), p.kind, p.n, p.digest, p.players(), strings.Join(p.lines, "\n"))
		}
		delete(kept, id)
	}
	for id := range kept {
		b.Queue(`DELETE FROM act_parts WHERE group_name = $1 AND date = $2 AND kind || part = $3`, w.day.Group, w.day.Date.Midnight(), id)
	}
	if b.Len() == 0 {
		return nil
	}
	b.Queue(`UPDATE act_days SET version = version + 1, acts = $3 WHERE group_name = $1 AND date = $2`,
		w.day.Group, w.day.Date.Midnight(), len(w.lines.Acts))
	return w.tx.SendBatch(ctx, &b).Close()
}

// lock locks the day's row until the transaction ends, and reads the digests of its parts.
func (w actPut) lock(ctx context.Context) (map[string][]byte, error) {
	var version int64
	var acts int
	kept := map[string][]byte{}
	var b pgx.Batch
	b.Queue(`SELECT version, acts FROM act_days WHERE group_name = $1 AND date = $2 FOR UPDATE`, w.day.Group, w.day.Date.Midnight()).
		QueryRow(func(row pgx.Row) error {
			err := row.Scan(&version, &acts)
			if errors.Is(err, pgx.ErrNoRows) || err == nil && version != w.day.Version {
				return archive.ErrSuperseded
			}
			return err
		})
	b.Queue(`SELECT kind || part, digest FROM act_parts WHERE group_name = $1 AND date = $2`, w.day.Group, w.day.Date.Midnight()).
		Query(func(rows pgx.Rows) error {
			var id string
			var digest []byte
			_, err := pgx.ForEachRow(rows, []any{&id, &digest}, func() error {
				kept[id] = slices.Clone(digest)
				return nil
			})
			return err
		})
	err := w.tx.SendBatch(ctx, &b).Close()
	if err == nil && len(w.lines.Acts) < acts {
		err = ErrFewerActs
	}
	return kept, err
}

// Read reads what is kept of a day, and its version; there is false where nothing is kept.
// 1 round trip.
func (a Table) Read(ctx context.Context, day game.KeptDay) (kept game.KeptDay, lines game.DayLines, there bool, err error) {
	err = a.db.Together(ctx, "read the acts of "+day.Group+" on "+day.Date.String(), func(b *pgx.Batch) {
		lines = game.DayLines{}
		// The version comes first: a write between the two queries makes a later Adopt fail.
		b.Queue(actDays+`WHERE group_name = $1 AND date = $2`, day.Group, day.Date.Midnight()).
			Query(func(rows pgx.Rows) error {
				found, err := pgx.CollectRows(rows, pgx.RowToStructByName[game.KeptDay])
				if there = len(found) > 0; there {
					kept = found[0]
				}
				return err
			})
		b.Queue(`SELECT kind, lines FROM act_parts WHERE group_name = $1 AND date = $2 AND lines <> '' ORDER BY kind, part`, day.Group, day.Date.Midnight()).
			Query(func(rows pgx.Rows) error {
				var kind, text string
				_, err := pgx.ForEachRow(rows, []any{&kind, &text}, func() error {
					into := &lines.Acts
					if kind == streaksKind {
						into = &lines.Streaks
					}
					*into = append(*into, strings.Split(text, "\n")...)
					return nil
				})
				return err
			})
	})
	return kept, lines, there, err
}

// Adopt notes that the Redis named source has all that is kept of a day. It reports whether
// the day still had the version that was read; otherwise it changes nothing.
// 1 round trip.
func (a Table) Adopt(ctx context.Context, day game.KeptDay, source string) (as bool, err error) {
	err = a.db.Change(ctx, "adopt the acts of "+day.Group+" on "+day.Date.String(), `
WITH adopted AS (
    UPDATE act_days SET source = $4, version = version + 1 WHERE group_name = $1 AND date = $2 AND version = $3 RETURNING 1
)
SELECT EXISTS (SELECT FROM adopted)`, []any{day.Group, day.Date.Midnight(), day.Version, source}, &as)
	return as, err
}

// Prune deletes the days before a date.
// 1 round trip.
func (a Table) Prune(ctx context.Context, before game.Date) error {
	return a.db.Together(ctx, "forget acts", func(b *pgx.Batch) {
		b.Queue(`DELETE FROM act_parts WHERE date < $1`, before.Midnight())
		b.Queue(`DELETE FROM act_days WHERE date < $1`, before.Midnight())
	})
}

// ActCount is the number of a player's acts that are kept of a group's day.
type ActCount struct {
	Group string
	Date  game.Date
	Acts  int64
}

// Of counts the acts that name a player, by group and day.
// 1 round trip.
func (a Table) Of(ctx context.Context, player string) ([]ActCount, error) {
	return archive.Collect(ctx, a.db, "count the acts of a player", `
SELECT group_name AS "group", date, count(*) AS acts FROM act_parts, unnest(string_to_array(lines, E'\n')) AS line
WHERE kind = 'acts' AND $2::int = ANY (players) AND $1 = ANY ((string_to_array(line, ' '))[4:])
GROUP BY group_name, date ORDER BY date, group_name`, []any{player, actPlayer(player)}, pgx.RowToStructByName[ActCount])
}

// supersedeActs makes every Put fail whose Begin came before it.
const supersedeActs = `UPDATE act_days SET version = version + 1, acts = 0`

// eraseActs deletes all kept lines that name a player $1, whose digest is $2.
const eraseActs = `
UPDATE act_parts SET digest = '', players = array_remove(players, $2::int), lines = coalesce((
    SELECT string_agg(line, E'\n' ORDER BY n) FROM unnest(string_to_array(lines, E'\n')) WITH ORDINALITY AS kept (line, n)
    WHERE NOT $1 = ANY ((string_to_array(line, ' '))[CASE kind WHEN 'acts' THEN 4 ELSE 2 END:])
), '')
WHERE $2::int = ANY (players)`

// Tables are the tables of acts.
func Tables() archive.Tables {
	return archive.Tables{
		Name: "acts",
		Keeps: func(b *pgx.Batch, player string) *pgx.QueuedQuery {
			return b.Queue(`SELECT WHERE EXISTS (SELECT FROM act_parts WHERE $1::int = ANY (players))`, actPlayer(player))
		},
		Erase: func(b *pgx.Batch, player string) {
			b.Queue(supersedeActs)
			b.Queue(eraseActs, player, actPlayer(player))
		},
	}
}
