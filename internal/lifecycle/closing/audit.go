package closing

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
)

// tendAudit creates the record's tables of coming months, and drops those older than the game
// says. If the game no longer has an audit, its record stays for as long as a game that names
// no duration keeps one.
func (c *Closing) tendAudit(ctx context.Context, today game.Date) error {
	months := game.UsualAuditMonths
	if c.Game.Audit.On() {
		months = c.Game.Audit.Months
	}
	return c.Archive.ScoreAudit.Tend(ctx, today, today.AddDays(monthsAhead), months)
}

// auditing works out what submissions did, in the order in which Redis took them.
type auditing struct {
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
func (a auditing) judge(past archive.AuditPast) ([]game.Audited, error) {
	stand := make(map[archive.PlayerDay]standing, len(past.Trails))
	var all []game.Audited
	for i, s := range a.sent {
		m, ok := a.game.Mode(s.Mode)
		if !ok || past.Has[i] {
			continue
		}
		row := game.Audited{Posted: s, Outcome: game.NotKnown}
		var err error
		if row.Taken, row.N, err = s.TakenAt(); err != nil {
			return nil, err
		}
		if m.Policy != game.Sum {
			row.Once = ""
		}
		of := archive.PlayerDay{Mode: s.Mode, Date: s.Date, Player: s.Player}
		trail := past.Trails[of]
		before, begun := stand[of]
		if !begun {
			before = a.begin(s.Date, trail)
		}
		now := before.until(row.Taken, trail)
		if now.known {
			row.Stood = now.stored
			row.Stands, row.Outcome = game.Judge(m, s, now.stored, counted(row, past.Counted[row.Once]))
			now.stored = row.Stands
		}
		if row.Once != "" && row.Outcome != game.Replayed && row.Outcome != game.Refused {
			past.Counted[row.Once] = append(past.Counted[row.Once], row.Taken)
		}
		now.since = row.Taken
		stand[of] = now
		all = append(all, row)
	}
	return all, nil
}

// begin returns the state of a day before any of the submissions.
func (a auditing) begin(d game.Date, trail archive.Trail) standing {
	if trail.Last == nil {
		return standing{known: !d.Before(a.game.Audit.Since)}
	}
	return standing{trail.Last.Outcome != game.NotKnown, trail.Last.Stands, trail.Last.Taken}
}

// until returns the state at a moment, after the removals and claims up to it. What a claim
// has left is not known here.
func (s standing) until(at time.Time, trail archive.Trail) standing {
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
func counted(row game.Audited, before []time.Time) bool {
	for _, at := range before {
		if row.Queued || row.Taken.Sub(at) < leaderboard.RecordLife {
			return true
		}
	}
	return false
}
