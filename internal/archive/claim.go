package archive

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Claims are the devices that players have claimed: a copy of what Redis has.
type Claims struct{ db *DB }

// Put keeps claims, and updates the days of those that it has already. A device keeps its
// first owner.
// 1 round trip.
func (a Claims) Put(ctx context.Context, claims []game.Claim) error {
	if len(claims) == 0 {
		return nil
	}
	return a.db.Together(ctx, "keep claims", func(b *pgx.Batch) {
		for _, c := range claims {
			days := c.Days
			if days == nil {
				days = map[string]string{}
			}
			b.Queue(`
INSERT INTO claims AS old (device, player, claimed_at, days) VALUES ($1, $2, $3, $4)
ON CONFLICT (device) DO UPDATE SET days = old.days || excluded.days
WHERE old.player = excluded.player AND NOT old.days @> excluded.days`, c.Device, c.Player, c.At, days)
		}
	})
}

// Name keeps which device the owner has claimed, unless either was erased since. The claim must
// be kept already.
// 1 round trip.
func (a Claims) Name(ctx context.Context, device, player string) error {
	return a.db.Run(ctx, "name a claimed device", `
UPDATE claims SET device_id = $1 WHERE device = ban_member($1) AND player = ban_member($2) AND device_id IS NULL
AND NOT erased_since($1, claimed_at) AND NOT erased_since($2, claimed_at)`, device, player)
}

const claimColumns = `SELECT device, player, claimed_at AS at, days, coalesce(device_id, '') AS device_id FROM claims `

// WithDevices are the player $1 and the devices that the player has claimed: what is kept under a
// device's id is its owner's.
const WithDevices = `ANY (ARRAY(SELECT $1 UNION ALL SELECT device_id FROM claims WHERE player = ban_member($1) AND device_id IS NOT NULL))`

// All reads every claim. It calls each as [Results.OfDay] does.
// 1 round trip.
func (a Claims) All(ctx context.Context, each func([]game.Claim) error) error {
	return Stream(ctx, a.db, "read all claims", claimColumns, nil, pgx.RowToStructByName[game.Claim], each)
}

// Devices lists the digests of up to limit devices in ascending order, beginning after one of
// them; "" is the beginning.
// 1 round trip.
func (a Claims) Devices(ctx context.Context, after string, limit int) ([]string, error) {
	return Collect(ctx, a.db, "list claimed devices", `SELECT device FROM claims WHERE device > $1 ORDER BY device LIMIT $2`,
		[]any{after, limit}, pgx.RowTo[string])
}

// Of lists the claims of a player, given by digest, newest first.
// 1 round trip.
func (a Claims) Of(ctx context.Context, player string) ([]game.Claim, error) {
	return Collect(ctx, a.db, "read a player's claims", claimColumns+`WHERE player = $1 ORDER BY claimed_at DESC, device`,
		[]any{player}, pgx.RowToStructByName[game.Claim])
}

// OfPlayers reads what some players have on a mode's day.
// 1 round trip.
func (a Results) OfPlayers(ctx context.Context, mode string, d game.Date, players []string) ([]game.Result, error) {
	return Collect(ctx, a.db, "read some players of "+mode+" "+d.String(), `
SELECT player, stored, scopes, scoped_stored, details FROM results WHERE mode = $1 AND date = $2 AND player = ANY ($3)`,
		[]any{mode, d.Midnight(), players}, ScanResult)
}

// GivenResult is what becomes of a claimed device's result of a day.
type GivenResult struct {
	Device game.Result
	Owner  *game.Result // nil: the owner has none
	Merged game.Result  // takes the place of both
	Source string       // the Redis that the device was claimed in
	Again  bool         // a complete day is to be closed once more
	Claim  bool         // the claim itself gives it: not while a run is writing the day
	From   time.Time    // when both were read, or before that
}

// Give gives a device's result of a day to its owner, and reports whether it did. It changes
// nothing if either has another result by now, if the day was written from another Redis, or if
// the owner is banned or was erased meanwhile.
// 1 round trip.
func (a Results) Give(ctx context.Context, mode string, d game.Date, g GivenResult) (given bool, err error) {
	var had *float64
	if g.Owner != nil {
		had = &g.Owner.Stored
	}
	row := columnsOf([]game.Result{g.Merged})
	err = a.db.Long().Together(ctx, "give a device's result to its owner", func(b *pgx.Batch) {
		// The lock makes other writers of the day wait; what they wrote before it is read below.
		b.Queue(`SELECT FROM archived_days WHERE mode = $1 AND date = $2 FOR UPDATE`, mode, d.Midnight())
		b.Queue(`
WITH gone AS (
    DELETE FROM results WHERE mode = $1 AND date = $2 AND player = $3 AND stored = $4
    AND (SELECT stored FROM results WHERE mode = $1 AND date = $2 AND player = $5) IS NOT DISTINCT FROM $6::double precision
    AND EXISTS (SELECT FROM archived_days WHERE mode = $1 AND date = $2 AND source IN ('', $7)
                AND NOT ($14 AND finished < begun AND (NOT complete OR closing = begun)))
    AND `+NotBanned("$5")+` AND NOT erased_since($5, $8) RETURNING 1
), put AS (
    INSERT INTO results (mode, date, player, stored, scopes, scoped_stored, details)
    SELECT $1, $2, $5, $9, string_to_array($10, ',') COLLATE "C", string_to_array($11, ',')::double precision[], $12::json FROM gone
    ON CONFLICT (player, date, mode) DO UPDATE
    SET stored = excluded.stored, scopes = excluded.scopes, scoped_stored = excluded.scoped_stored, details = excluded.details
), day AS (
    UPDATE archived_days SET begun = begun + (complete AND $13)::int, players = players - ($6 IS NOT NULL)::int
    FROM gone WHERE mode = $1 AND date = $2
)
SELECT EXISTS (SELECT FROM gone)`, mode, d.Midnight(), g.Device.Player, g.Device.Stored, g.Merged.Player, had, g.Source, g.From,
			row.stored[0], row.scopes[0], row.scoped[0], row.details[0], g.Again, g.Claim).
			QueryRow(func(row pgx.Row) error { return row.Scan(&given) })
	})
	return given, err
}
