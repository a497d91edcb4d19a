// Package auditstore has the record of what submissions did: its table in Postgres, and what
// happens to it as the outbox is archived, days close and players are erased.
package auditstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/audit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// Store records what submissions of a game did.
type Store struct {
	Game *game.Game
	Kept Table
}

// Record records submissions as they come from the outbox, in the order in which Redis took them,
// and returns the number of new ones. It may be called again with the same ones.
func (s Store) Record(ctx context.Context, sent []game.Posted) (added int64, err error) {
	if !audit.RulesOf(s.Game).Enabled() {
		return 0, nil
	}
	return s.Kept.Record(ctx, sent, recording{s.Game, sent}.judge)
}

// Maintain creates the record's tables of coming months, and drops those older than the game
// says. If the game no longer has an audit, its record stays for as long as a game that names
// no duration keeps one.
func (s Store) Maintain(ctx context.Context, today, ahead game.Date) error {
	months := audit.UsualMonths
	if rules := audit.RulesOf(s.Game); rules.Enabled() {
		months = rules.Months
	}
	return s.Kept.Tend(ctx, today, ahead, months)
}

// Tables are the record's, for an erasure: a digest takes the player's place.
func Tables() archive.Tables {
	return archive.Tables{Name: "score audit", Erase: func(b *pgx.Batch, player string) {
		b.Queue(lock) // a recording run has committed by now, or will see the erasure
		b.Queue(`UPDATE score_audit SET player = player_digest(player), once = NULL WHERE player = `+archive.WithDevices, player)
	}}
}

// Export is what a player's submissions did.
func Export(g *game.Game, kept *archive.Archive) playerdata.Source {
	read := func(ctx context.Context, player string, after audit.Mark, limit int) ([]audit.Entry, error) {
		place, err := after.Place()
		if err != nil {
			return nil, err
		}
		all := audit.Query{Player: player, From: game.NewDate(1, time.January, 1), To: game.NewDate(9998, time.December, 31)}
		return In(kept).Before(ctx, all, place, limit)
	}
	return playerdata.Source{Lists: []playerdata.List{{Name: "score_audit", Optional: true, Log: true, Read: playerdata.Rows(read, func(one audit.Entry) playerdata.Row {
		row := audit.NewRow(g, one)
		row.Player = "" // the document's
		return playerdata.Row{Value: row, Place: audit.MarkOf(one.Place())}
	})}}}
}

// recording works out what submissions did, in the order in which Redis took them.
type recording struct {
	game *game.Game
	sent []game.Posted
}

// standing is the state of a player's day according to the record.
type standing struct {
	known  bool
	stored *float64 // nil: the player has no score
	since  time.Time
}

// judge works out what those submissions did that are not recorded yet.
func (r recording) judge(past History) ([]audit.Entry, error) {
	stand := make(map[PlayerDay]standing, len(past.Trails))
	var all []audit.Entry
	for i, s := range r.sent {
		m, ok := r.game.Mode(s.Mode)
		if !ok || past.Has[i] {
			continue
		}
		row := audit.Entry{Posted: s, Outcome: audit.NotKnown}
		var err error
		if row.Taken, row.N, err = s.TakenAt(); err != nil {
			return nil, err
		}
		if m.Policy != game.Sum {
			row.Once = ""
		}
		of := PlayerDay{Mode: s.Mode, Date: s.Date, Player: s.Player}
		trail := past.Trails[of]
		before, begun := stand[of]
		if !begun {
			before = r.begin(s.Date, trail)
		}
		now := before.until(row.Taken, trail)
		if now.known {
			row.Before = now.stored
			row.After, row.Outcome = audit.Judge(m, s, now.stored, counted(row, past.Counted[row.Once]))
			now.stored = row.After
		}
		if row.Once != "" && row.Outcome != game.Replayed && row.Outcome != audit.Refused {
			past.Counted[row.Once] = append(past.Counted[row.Once], row.Taken)
		}
		now.since = row.Taken
		stand[of] = now
		all = append(all, row)
	}
	return all, nil
}

// begin returns the state of a day before any of the submissions.
func (r recording) begin(d game.Date, trail Trail) standing {
	if trail.Last == nil {
		return standing{known: !d.Before(audit.RulesOf(r.game).Since)}
	}
	return standing{trail.Last.Outcome != audit.NotKnown, trail.Last.After, trail.Last.Taken}
}

// until returns the state at a moment, after the removals and claims up to it. What a claim
// has left is not known here.
func (s standing) until(at time.Time, trail Trail) standing {
	within := func(moments []time.Time) (last time.Time) {
		for _, moment := range moments {
			if !moment.Before(s.since) && moment.Before(at) && moment.After(last) {
				last = moment
			}
		}
		return last
	}
	removed, claimed := within(trail.Removed), within(trail.Claimed)
	switch {
	case claimed.After(removed):
		return standing{}
	case !removed.IsZero():
		return standing{known: true}
	}
	return s
}

// counted reports whether Redis knew, when it took a submission, that one with the same key
// had counted.
func counted(row audit.Entry, before []time.Time) bool {
	for _, at := range before {
		if row.Queued || row.Taken.Sub(at) < leaderboard.RecordLife {
			return true
		}
	}
	return false
}
