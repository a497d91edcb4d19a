// Package leaguestore keeps in Postgres who is in which cohort and how weeks ended. It knows SQL, and
// nothing of Redis or HTTP.
package leaguestore

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/game"
)

// Table has players' cohorts, and how their weeks ended.
type Table struct{ db *archive.DB }

// In is the table of an archive.
func In(a *archive.Archive) Table { return Table{a.DB()} }

// leagueStart is how many days before the week that first asks for them a game's leagues may
// begin, if the game was played then.
const leagueStart = 28

// LeagueRoom is what the seats of a week follow from.
type LeagueRoom struct {
	// Last is the last earlier week that each player has played, for those who have played
	// one.
	Last map[string]league.Result
	// Newest are the newest cohorts of each tier and pace, each with its number of players.
	Newest []league.CohortSize
}

// Join gives the players seats in cohorts of a week, for good, and returns the seats of all of
// them: the seats they already had, and those that seat gives to the others. from is when the
// players were read: a player erased since then gets no seat, nor does one who is banned.
// Concurrent calls, and erasures, wait for one another.
// 7 round trips.
// Errors: game.ErrLeagueUnsettled, game.ErrLeagueOver.
func (a Table) Join(ctx context.Context, week game.Date, players []string, from time.Time,
	seat func(players []string, room LeagueRoom) []league.Seat) (seats []league.Seat, err error) {
	err = a.db.Long().Do(ctx, "join a league", func(ctx context.Context, c *pgx.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			w := leagueWeek{tx, week}
			settled, err := w.lock(ctx)
			switch {
			case err != nil:
				return err
			case settled:
				return league.ErrOver
			}
			if err := w.join(ctx, players, from, seat); err != nil {
				return err
			}
			seats, err = w.seats(ctx, players)
			return err
		})
	})
	return seats, err
}

// Settle settles a week by what its days have given each player in modes that give XP, except
// players who are banned. Players with XP and without a seat get one, and settle computes how
// the week ended for all of them. Players without XP lose their seats. A week that is already
// settled does not change, and did is false.
// 11 round trips; 12 where endpoints hear of it.
// Errors: game.ErrLeagueUnsettled.
func (a Table) Settle(ctx context.Context, week game.Date, modes []*game.Mode, at time.Time,
	seat func(players []string, room LeagueRoom) []league.Seat,
	settle func([]league.Seat, map[string]int64) []league.Standing) (ended []league.Standing, did bool, err error) {
	err = a.db.Long().Do(ctx, "settle a week of leagues", func(ctx context.Context, c *pgx.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			did = false
			w := leagueWeek{tx, week}
			settled, err := w.lock(ctx)
			if err != nil || settled {
				return err
			}
			ended, err = w.settle(ctx, modes, at, seat, settle)
			did = err == nil
			if err != nil {
				return err
			}
			return w.announce(ctx, a.db.Listeners(game.LeagueRolled), len(ended), at)
		})
	})
	return ended, did, err
}

// Adopt begins leagues with a week and the seats that players have in it, read from a moment
// on: players erased since get none. Where leagues have begun, it does
// nothing.
// 4 round trips.
func (a Table) Adopt(ctx context.Context, week game.Date, seats []league.Seat, from time.Time) error {
	return a.db.Long().Do(ctx, "adopt a week of leagues", func(ctx context.Context, c *pgx.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			var b pgx.Batch
			var began int64
			b.Queue(lockLeagues)
			b.Queue(`INSERT INTO league_weeks (week) SELECT $1 WHERE NOT EXISTS (SELECT FROM league_weeks)`, week.Midnight()).
				Exec(func(done pgconn.CommandTag) error { began = done.RowsAffected(); return nil })
			if err := tx.SendBatch(ctx, &b).Close(); err != nil || began == 0 {
				return err
			}
			return leagueWeek{tx, week}.put(ctx, seats, from)
		})
	})
}

// errDryRun ends a transaction whose changes are not to stay.
var errDryRun = errors.New("a dry run changes nothing")

// SettleAgain is Settle for a week that may be settled already, and was read from other
// results then: those who have no XP any more lose their result. Seats of later weeks, and how
// those ended, stay. Endpoints hear of it only if the week was not settled. In a dry run
// nothing changes. before are the results that the week had.
// 14 round trips.
// Errors: game.ErrLeagueUnsettled, game.ErrLeagueUnbegun.
func (a Table) SettleAgain(ctx context.Context, week game.Date, modes []*game.Mode, at time.Time, dryRun bool,
	seat func(players []string, room LeagueRoom) []league.Seat,
	settle func([]league.Seat, map[string]int64) []league.Standing) (before, ended []league.Standing, err error) {
	err = a.db.Long().Do(ctx, "settle a week of leagues again", func(ctx context.Context, c *pgx.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			w := leagueWeek{tx, week}
			var begun bool
			if err := tx.QueryRow(ctx, `SELECT coalesce(min(week) <= $1, false) FROM league_weeks`, week.Midnight()).Scan(&begun); err != nil {
				return err
			}
			if !begun {
				return league.ErrUnbegun
			}
			settled, err := w.lock(ctx)
			if err != nil {
				return err
			}
			if before, err = w.reopen(ctx); err != nil {
				return err
			}
			if ended, err = w.settle(ctx, modes, at, seat, settle); err != nil {
				return err
			}
			if !settled {
				if err := w.announce(ctx, a.db.Listeners(game.LeagueRolled), len(ended), at); err != nil {
					return err
				}
			}
			if dryRun {
				return errDryRun
			}
			return nil
		})
	})
	if errors.Is(err, errDryRun) {
		err = nil
	}
	return before, ended, err
}

// leagueWeek is a week in a transaction.
type leagueWeek struct {
	tx   pgx.Tx
	week game.Date
}

// beginLeagues inserts the first week if there is none: the week $1, or the week of the first
// result in the $2 days before it.
const beginLeagues = `
INSERT INTO league_weeks (week)
SELECT least($1::date, date_trunc('week', min(date)::timestamp)::date) FROM results
WHERE date BETWEEN $1::date - $2::int AND $1::date
HAVING NOT EXISTS (SELECT FROM league_weeks)
ON CONFLICT DO NOTHING`

// unsettledBefore counts the weeks before $1 that are not settled.
const unsettledBefore = `
($1::date - (SELECT min(week) FROM league_weeks)) / 7 - (SELECT count(*) FROM league_weeks WHERE week < $1 AND settled_at IS NOT NULL)`

// lockLeagues makes a transaction that gives seats or erases a player wait until the previous
// one has committed: so an erasure finds every seat that was given without knowing of it.
const lockLeagues = `SELECT pg_advisory_xact_lock(hashtext('leagues'))`

// lock locks the leagues until the transaction ends, and reports whether the week is settled.
func (w leagueWeek) lock(ctx context.Context) (settled bool, err error) {
	monday := w.week.Midnight()
	var open int64
	var b pgx.Batch
	b.Queue(lockLeagues)
	b.Queue(beginLeagues, monday, leagueStart)
	b.Queue(`INSERT INTO league_weeks (week) VALUES ($1) ON CONFLICT DO NOTHING`, monday)
	b.Queue(`SELECT settled_at IS NOT NULL, `+unsettledBefore+` FROM league_weeks WHERE week = $1 FOR UPDATE`, monday).
		QueryRow(func(row pgx.Row) error { return row.Scan(&settled, &open) })
	if err := w.tx.SendBatch(ctx, &b).Close(); err != nil {
		return false, err
	}
	if open > 0 {
		return false, league.ErrUnsettled
	}
	return settled, nil
}

// xp reads the players with XP of the week who are not banned, and the XP of each.
func (w leagueWeek) xp(ctx context.Context, modes []*game.Mode) (players []string, xp map[string]int64, err error) {
	args := append([]any{w.week.Midnight(), game.Week.Of(w.week).Last().Midnight()}, archive.XPArguments(modes)...)
	rows, err := w.tx.Query(ctx, archive.XPRows+` HAVING `+archive.NotBanned("results.player"), args...)
	if err != nil {
		return nil, nil, err
	}
	xp = map[string]int64{}
	var player string
	var sum float64
	_, err = pgx.ForEachRow(rows, []any{&player, &sum}, func() error {
		if sum > 0 {
			players, xp[player] = append(players, player), int64(sum)
		}
		return nil
	})
	return players, xp, err
}

// settle keeps how the week ended.
func (w leagueWeek) settle(ctx context.Context, modes []*game.Mode, at time.Time, seat func([]string, LeagueRoom) []league.Seat,
	settle func([]league.Seat, map[string]int64) []league.Standing) ([]league.Standing, error) {
	players, xp, err := w.xp(ctx, modes)
	if err != nil {
		return nil, err
	}
	if err := w.join(ctx, players, at, seat); err != nil {
		return nil, err
	}
	seats, err := w.seats(ctx, players)
	if err != nil {
		return nil, err
	}
	ended := settle(seats, xp)
	return ended, w.end(ctx, ended, at)
}

// reopen forgets how the week ended, and returns it.
func (w leagueWeek) reopen(ctx context.Context) ([]league.Standing, error) {
	rows, err := w.tx.Query(ctx, `
SELECT player, tier, pace, cohort, xp, place, players AS of, zone, tier_after AS after, reward
FROM league_seats WHERE week = $1 AND place IS NOT NULL`, w.week.Midnight())
	if err != nil {
		return nil, err
	}
	before, err := pgx.CollectRows(rows, pgx.RowToStructByName[league.Standing])
	if err != nil {
		return nil, err
	}
	_, err = w.tx.Exec(ctx, `
UPDATE league_seats SET xp = NULL, place = NULL, players = NULL, zone = NULL, tier_after = NULL, reward = NULL WHERE week = $1`, w.week.Midnight())
	return before, err
}

// join gives seats to those players who have none.
func (w leagueWeek) join(ctx context.Context, players []string, from time.Time, seat func([]string, LeagueRoom) []league.Seat) error {
	rows, err := w.tx.Query(ctx, `
SELECT player, last.week, last.tier_after, last.xp
FROM unnest($2::text[]) AS given (player) LEFT JOIN LATERAL (
    SELECT week, tier_after, xp FROM league_seats WHERE player = given.player AND week < $1 AND place IS NOT NULL
    ORDER BY week DESC LIMIT 1
) AS last ON true
WHERE NOT EXISTS (SELECT FROM league_seats WHERE player = given.player AND week = $1) AND NOT erased_since(player, $3) AND `+archive.NotBanned("given.player"),
		w.week.Midnight(), players, from)
	if err != nil {
		return err
	}
	room := LeagueRoom{Last: map[string]league.Result{}}
	var new []string
	var player string
	var played game.Date
	var after, xp *int64
	_, err = pgx.ForEachRow(rows, []any{&player, &played, &after, &xp}, func() error {
		new = append(new, player)
		if played != (game.Date{}) {
			room.Last[player] = league.Result{Week: played, Standing: league.Standing{After: int(*after), XP: *xp}}
		}
		return nil
	})
	if err != nil || len(new) == 0 {
		return err
	}
	if rows, err = w.tx.Query(ctx, `
SELECT DISTINCT ON (tier, pace) tier, pace, cohort, count(*) AS players FROM league_seats
WHERE week = $1 GROUP BY tier, pace, cohort ORDER BY tier, pace, cohort DESC`, w.week.Midnight()); err != nil {
		return err
	}
	if room.Newest, err = pgx.CollectRows(rows, pgx.RowToStructByName[league.CohortSize]); err != nil {
		return err
	}
	seats := seat(new, room)
	return w.put(ctx, seats, from)
}

// put keeps new seats, without those of players erased since from.
func (w leagueWeek) put(ctx context.Context, seats []league.Seat, from time.Time) error {
	names, tiers, paces, cohorts := make([]string, len(seats)), make([]int64, len(seats)), make([]int64, len(seats)), make([]int64, len(seats))
	for i, s := range seats {
		names[i], tiers[i], paces[i], cohorts[i] = s.Player, int64(s.Tier), int64(s.Pace), int64(s.Cohort)
	}
	_, err := w.tx.Exec(ctx, `
INSERT INTO league_seats (week, player, tier, pace, cohort)
SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) AS given (player) WHERE NOT erased_since(player, $6)`,
		w.week.Midnight(), names, tiers, paces, cohorts, from)
	return err
}

// seats reads the seats of players.
func (w leagueWeek) seats(ctx context.Context, players []string) ([]league.Seat, error) {
	rows, err := w.tx.Query(ctx, `
SELECT player, tier, pace, cohort FROM league_seats WHERE week = $1 AND player = ANY ($2)`, w.week.Midnight(), players)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[league.Seat])
}

// end keeps how the week ended for every player who has played it.
func (w leagueWeek) end(ctx context.Context, ended []league.Standing, at time.Time) error {
	n := len(ended)
	players, zones, rewards := make([]string, n), make([]string, n), make([]string, n)
	xp, places, of, after := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	for i, s := range ended {
		players[i], zones[i], rewards[i] = s.Player, string(s.Zone), s.Reward
		xp[i], places[i], of[i], after[i] = s.XP, int64(s.Place), int64(s.Of), int64(s.After)
	}
	monday := w.week.Midnight()
	if _, err := w.tx.Exec(ctx, `
UPDATE league_seats AS seat SET xp = ended.xp, place = ended.place, players = ended.players, zone = ended.zone, tier_after = ended.after, reward = ended.reward
FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::bigint[], $8::text[]) AS ended (player, xp, place, players, zone, after, reward)
WHERE seat.week = $1 AND seat.player = ended.player`, monday, players, xp, places, of, zones, after, rewards); err != nil {
		return err
	}
	if _, err := w.tx.Exec(ctx, `DELETE FROM league_seats WHERE week = $1 AND place IS NULL`, monday); err != nil {
		return err
	}
	_, err := w.tx.Exec(ctx, `UPDATE league_weeks SET settled_at = $2 WHERE week = $1`, monday, at)
	return err
}

// announce notes for the endpoints that the week is settled.
func (w leagueWeek) announce(ctx context.Context, to []string, players int, at time.Time) error {
	if len(to) == 0 {
		return nil
	}
	week := game.Week.Of(w.week)
	_, err := w.tx.Exec(ctx, archive.InsertEvents(`SELECT $1::text AS identity, '' AS player, jsonb_build_object('week', $1::text, 'first', $2::text, 'last', $3::text, 'players', $4::bigint) AS data`,
		"$5", "$6", "$7"), week.Key(), week.First().String(), week.Last().String(), players, to, string(game.LeagueRolled), at)
	return err
}

// ListDue lists the weeks that are not settled, up to and including the week last, oldest first.
// If there are no weeks yet, leagues begin with the week of today.
// 2 round trips.
func (a Table) ListDue(ctx context.Context, last, today game.Date) ([]game.Date, error) {
	if err := a.db.Run(ctx, "begin leagues", beginLeagues, game.Week.Of(today).First().Midnight(), leagueStart); err != nil {
		return nil, err
	}
	return archive.Collect(ctx, a.db, "list weeks of leagues that are due", `
SELECT due.week::date FROM generate_series((SELECT min(week) FROM league_weeks)::timestamp, $1::timestamp, interval '7 days') AS due (week)
WHERE NOT EXISTS (SELECT FROM league_weeks WHERE week = due.week::date AND settled_at IS NOT NULL) ORDER BY 1`,
		[]any{last.Midnight()}, pgx.RowTo[game.Date])
}

// Next returns the week after the newest settled one, or the first week if none is settled:
// the tiers that players have in it are known. Zero if leagues have not begun.
// 1 round trip.
func (a Table) Next(ctx context.Context) (next game.Date, err error) {
	err = a.db.Change(ctx, "read which week of leagues is next", `
SELECT coalesce((SELECT max(week) + 7 FROM league_weeks WHERE settled_at IS NOT NULL), (SELECT min(week) FROM league_weeks))`, nil, &next)
	return next, err
}

// Of lists how a player's weeks before a date ended, newest first.
// 1 round trip.
func (a Table) Of(ctx context.Context, player string, before game.Date, limit int) ([]league.Result, error) {
	return a.results(ctx, `AND place IS NOT NULL`, player, before, limit)
}

// Results lists all that is kept of a player's weeks before a date, newest first. A week that is
// not settled has no place.
// 1 round trip.
func (a Table) Results(ctx context.Context, player string, before game.Date, limit int) ([]league.Result, error) {
	return a.results(ctx, ``, player, before, limit)
}

func (a Table) results(ctx context.Context, which, player string, before game.Date, limit int) ([]league.Result, error) {
	return archive.Collect(ctx, a.db, "read a player's leagues", `
SELECT week, player, tier, pace, cohort, coalesce(xp, 0) AS xp, coalesce(place, 0) AS place, coalesce(players, 0) AS of,
    coalesce(zone, '') AS zone, coalesce(tier_after, 0) AS after, coalesce(reward, '') AS reward
FROM league_seats WHERE player = $1 AND week < $2 `+which+` ORDER BY week DESC LIMIT $3`,
		[]any{player, before.Midnight(), limit}, pgx.RowToStructByName[league.Result])
}

// Tables are the tables of leagues.
func Tables() archive.Tables {
	return archive.Tables{
		Name:  "leagues",
		Keeps: archive.Keeping(`EXISTS (SELECT FROM league_seats WHERE player = $1)`),
		Erase: func(b *pgx.Batch, player string) {
			b.Queue(lockLeagues)
			b.Queue(`DELETE FROM league_seats WHERE player = $1`, player)
		},
	}
}
