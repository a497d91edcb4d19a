package walletstore

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// Table has the currencies that players have earned and spent.
type Table struct{ db *archive.DB }

// In is the table of an archive.
func In(a *archive.Archive) Table { return Table{a.DB()} }

// PutEarned replaces the amounts that a day gives of a currency. from is when they were read:
// players erased since then are left out.
// 1 round trip.
func (a Table) PutEarned(ctx context.Context, d game.Date, currency string, amounts map[string]int64, from time.Time) error {
	players, all := amountsOf(amounts)
	return a.db.Together(ctx, "put what a day has earned", func(b *pgx.Batch) {
		b.Queue(`DELETE FROM earned WHERE day = $1 AND currency = $2 AND player <> ALL ($3::text[])`, d.Midnight(), currency, players)
		b.Queue(`
INSERT INTO earned AS old (day, currency, player, amount)
SELECT $1, $2, player, amount FROM unnest($3::text[], $4::bigint[]) AS rows (player, amount)
WHERE amount > 0 AND NOT erased_since(player, $5) ORDER BY player
ON CONFLICT (day, currency, player) DO UPDATE SET amount = excluded.amount WHERE old.amount <> excluded.amount`,
			d.Midnight(), currency, players, all, from)
	})
}

// PutPlays keeps the plays of a day that were accepted so far, in the form of game.PlayOf,
// each once, and returns the number of new ones. Players erased since from are left out.
// 1 round trip.
func (a Table) PutPlays(ctx context.Context, d game.Date, mode string, accepted []string, from time.Time) (added int64, err error) {
	if len(accepted) == 0 {
		return 0, nil
	}
	players, plays := make([]string, len(accepted)), make([]string, len(accepted))
	for i, one := range accepted {
		players[i], plays[i], _ = strings.Cut(one, " ")
	}
	err = a.db.Change(ctx, "put which plays there were", `
WITH added AS (
    INSERT INTO plays (day, mode, player, play)
    SELECT $1, $2, player, play FROM unnest($3::text[], $4::text[]) AS rows (player, play)
    WHERE NOT erased_since(player, $5) ON CONFLICT DO NOTHING RETURNING 1
)
SELECT count(*) FROM added`, []any{d.Midnight(), mode, players, plays, from}, &added)
	return added, err
}

// KeepPlays deletes the plays of a player's day that are not accepted any more. accepted is in
// the form of game.PlayOf.
// 1 round trip.
func (a Table) KeepPlays(ctx context.Context, d game.Date, mode, player string, accepted []string) error {
	plays := make([]string, len(accepted))
	for i, one := range accepted {
		_, plays[i], _ = strings.Cut(one, " ")
	}
	return a.db.Run(ctx, "keep which plays there were", `
DELETE FROM plays WHERE day = $1 AND mode = $2 AND player = $3 AND play <> ALL ($4::text[])`, d.Midnight(), mode, player, plays)
}

// PutSpends keeps spends, each once. Players who were erased after a spend are left out.
// 1 round trip.
func (a Table) PutSpends(ctx context.Context, spends []game.Spend) error {
	if len(spends) == 0 {
		return nil
	}
	n := len(spends)
	ids, players, currencies, items := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	amounts, times := make([]int64, n), make([]time.Time, n)
	for i, s := range spends {
		ids[i], players[i], currencies[i], items[i], amounts[i], times[i] = s.ID, s.Player, s.Currency, s.Item, s.Amount, s.At
	}
	return a.db.Run(ctx, "put what was spent", `
INSERT INTO spends (id, player, currency, amount, item, at)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::timestamptz[]) AS rows (id, player, currency, amount, item, at)
WHERE NOT erased_since(player, at) ON CONFLICT (id) DO NOTHING`, ids, players, currencies, amounts, items, times)
}

func amountsOf(of map[string]int64) (players []string, amounts []int64) {
	players, amounts = make([]string, 0, len(of)), make([]int64, 0, len(of))
	for player, amount := range of {
		players, amounts = append(players, player), append(amounts, amount)
	}
	return players, amounts
}

// EarnedAmount is an amount of a currency that a player has: of one day, or of several.
type EarnedAmount struct {
	Day      game.Date // zero: of several
	Currency string
	Player   string
	Amount   int64
}

// EarnedBefore adds up what all days before a date have given. It calls each as
// [archive.Results.OfDay] does.
// 1 round trip.
func (a Table) EarnedBefore(ctx context.Context, d game.Date, each func([]EarnedAmount) error) error {
	return archive.Stream(ctx, a.db, "add up what was earned", `
SELECT currency, player, sum(amount)::bigint AS amount FROM earned WHERE day < $1 GROUP BY currency, player`,
		[]any{d.Midnight()}, pgx.RowToStructByNameLax[EarnedAmount], each)
}

// EarnedSince reads what each day from a date on has given. It calls each as [archive.Results.OfDay]
// does.
// 1 round trip.
func (a Table) EarnedSince(ctx context.Context, d game.Date, each func([]EarnedAmount) error) error {
	return archive.Stream(ctx, a.db, "read what was earned", `
SELECT day, currency, player, amount FROM earned WHERE day >= $1`, []any{d.Midnight()}, pgx.RowToStructByName[EarnedAmount], each)
}

// Played is an accepted play, in the form of game.PlayOf.
type Played struct {
	Day  game.Date
	Mode string
	Play string
}

// PlaysSince reads the plays of each day from a date on. It calls each as [archive.Results.OfDay]
// does.
// 1 round trip.
func (a Table) PlaysSince(ctx context.Context, d game.Date, each func([]Played) error) error {
	return archive.Stream(ctx, a.db, "read which plays there were", `
SELECT day, mode, player || ' ' || play AS play FROM plays WHERE day >= $1`, []any{d.Midnight()}, pgx.RowToStructByName[Played], each)
}

// EachSpending adds up what each player has spent. It calls each as [archive.Results.OfDay] does.
// 1 round trip.
func (a Table) EachSpending(ctx context.Context, each func([]EarnedAmount) error) error {
	return archive.Stream(ctx, a.db, "add up what was spent", `
SELECT currency, player, sum(amount)::bigint AS amount FROM spends GROUP BY currency, player`, nil, pgx.RowToStructByNameLax[EarnedAmount], each)
}

// SpendsOf reads a player's spends, newest first: those older than after, or from the newest
// on if after is the zero Spend.
// 1 round trip.
func (a Table) SpendsOf(ctx context.Context, player string, after game.Spend, limit int) ([]game.Spend, error) {
	return archive.Collect(ctx, a.db, "read what a player has spent", `
SELECT id, player, currency, amount, item, at FROM spends
WHERE player = $1 AND ($2::text = '' OR (at, id) < ($3, $2)) ORDER BY at DESC, id DESC LIMIT $4`,
		[]any{player, after.ID, after.At, limit}, pgx.RowToStructByName[game.Spend])
}

// GiveOlder gives the player who has claimed a device what the device has earned on days before
// a date: of each day the larger of both amounts is the player's. It returns what the player has
// from these days then, by currency. It may be repeated.
// 1 round trip.
func (a Table) GiveOlder(ctx context.Context, device, player string, before game.Date) (older map[string]int64, err error) {
	err = a.db.Together(ctx, "give what a device has earned on older days", func(b *pgx.Batch) {
		older = map[string]int64{}
		b.Queue(`
WITH given AS (DELETE FROM earned WHERE player = $1 AND day < $3 RETURNING day, currency, amount)
INSERT INTO earned AS old (day, currency, player, amount) SELECT day, currency, $2, amount FROM given
ON CONFLICT (day, currency, player) DO UPDATE SET amount = greatest(old.amount, excluded.amount)`, device, player, before.Midnight())
		b.Queue(`SELECT currency, sum(amount)::bigint FROM earned WHERE player = $1 AND day < $2 GROUP BY currency`, player, before.Midnight()).
			Query(func(rows pgx.Rows) error {
				var currency string
				var amount int64
				_, err := pgx.ForEachRow(rows, []any{&currency, &amount}, func() error { older[currency] = amount; return nil })
				return err
			})
	})
	return older, err
}

// Give gives the player who has claimed a device what the device has earned, after
// [Table.GiveOlder]. parts is what days have given the player by now: the archive may not know
// the entries of these days. It may be repeated; a run may have put plays of the device since.
// 1 round trip.
func (a Table) Give(ctx context.Context, device, player string, parts []EarnedAmount) error {
	days, currencies, amounts := make([]time.Time, len(parts)), make([]string, len(parts)), make([]int64, len(parts))
	for i, part := range parts {
		days[i], currencies[i], amounts[i] = part.Day.Midnight(), part.Currency, part.Amount
	}
	return a.db.Together(ctx, "give what a device has earned", func(b *pgx.Batch) {
		b.Queue(`
WITH given AS (DELETE FROM earned WHERE player = $1 RETURNING day, currency, amount)
INSERT INTO earned AS old (day, currency, player, amount)
SELECT day, currency, $2, greatest(given.amount, parts.amount)
FROM given LEFT JOIN unnest($3::date[], $4::text[], $5::bigint[]) AS parts (day, currency, amount) USING (day, currency)
ON CONFLICT (day, currency, player) DO UPDATE SET amount = greatest(old.amount, excluded.amount)`, device, player, days, currencies, amounts)
		b.Queue(`
WITH given AS (DELETE FROM plays WHERE player = $1 RETURNING day, mode, play)
INSERT INTO plays (day, mode, player, play) SELECT day, mode, $2, play FROM given ON CONFLICT DO NOTHING`, device, player)
	})
}

// Tables are the tables of wallets.
func Tables() archive.Tables {
	return archive.Tables{
		Name: "wallets",
		Keeps: archive.Keeping(`EXISTS (SELECT FROM plays WHERE player = $1)`,
			`EXISTS (SELECT FROM earned WHERE player = $1)`, `EXISTS (SELECT FROM spends WHERE player = $1)`),
		Erase: archive.Erasing(`DELETE FROM earned WHERE player = $1`, `DELETE FROM plays WHERE player = $1`, `DELETE FROM spends WHERE player = $1`),
		DeleteResult: func(b *pgx.Batch, mode string, d game.Date, player string) {
			b.Queue(`DELETE FROM plays WHERE mode = $1 AND day = $2 AND player = $3`, mode, d.Midnight(), player)
		},
	}
}
