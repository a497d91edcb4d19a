package rollup

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Prior is what a week had of a player just before a play, which is added to it. Who
// shows the week with the play need not work out from its days what it must have now.
type Prior struct{ at rdb.Place }

// PriorOf queues, in front of the command that writes a play of a day, what its week has
// of the player; nil: that would not tell what the week must have, or nobody would need it.
//
// It does where the board is known to have all other days whole: they take no more scores,
// and did not when it was last made.
//
// Cost: 1 billed command, or nothing on the first day of a week.
func PriorOf(ctx context.Context, ru *Rollup, p *rdb.Pipeline, m *game.Mode, day game.Date, player string) *Prior {
	week := game.BoardOf(m, game.Week.Of(day), game.Scope{})
	if m.Aggregate != game.Sum || m.Policy != game.First || ru.Frozen(week) {
		return nil
	}
	if united, err := UnitedOf(ctx, ru, week); united != nil || err != nil {
		return nil // its days tell
	}
	known, _ := ru.derived.Get(week.Key)
	interval := ru.Every(week)
	o := &Own{ru: ru, board: week, known: known}
	until, sure := o.until()
	switch open := ru.db.Game.OpenDates(ru.db.Now()); {
	case !known.fresh(ru.db.Now().UnixNano()/int64(interval), ru.db.Elapsed(), interval), (ofDays{ru}).remakes(week, known):
		return nil // it is made for who looks at it next
	case len(open) != 1 || open[0] != day:
		return nil
	case week.Period.First() == day:
		return &Prior{}
	case !sure || until.Before(ru.db.Game.Ends(game.Day.Of(day.AddDays(-1))).Add(ru.db.Game.Grace)):
		return nil
	}
	prior := &Prior{}
	p.Add(upstash.Cmd("ZSCORE", week.Key, player), rdb.ScoreInto(&prior.at))
	return prior
}

// With is what the week must have of the player, now that the play stands; not found
// where that is not known.
func (of *Prior) With(play rdb.Place) rdb.Place {
	if of == nil {
		return rdb.Place{}
	}
	return taken(game.Sum, of.at, play)
}

// OwnKnown is [Rollup.Own] for an entry that must be as given: it is put in where the board
// is not sure to have it, and nothing is worked out. Not found: nothing is known.
func OwnKnown(ctx context.Context, ru *Rollup, b game.Board, player string, must rdb.Place) (*Own, error) {
	o, err := ru.Own(ctx, b, player)
	if err == nil && must.Found && !o.settled {
		o.asked = true
		o.put(must, "")
	}
	return o, err
}
