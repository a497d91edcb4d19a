package rollup

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Prior is what a week's board had of a player just before a play that adds to it. An answer
// that shows the week with the play need not work the new entry out from the week's days.
type Prior struct{ at rdb.Place }

// PriorOf queues, in front of the command that writes a play of a day, the reading of what the
// week has of the player. Nil: that would not show what the week must have, or nobody needs
// it.
//
// It does so if the board surely has all other days complete: these take no more scores, and
// took none when the board was last made.
//
// Cost: 1 billed command, or nothing on the first day of a week.
func PriorOf(ctx context.Context, ru *Rollup, p *rdb.Pipeline, m *game.Mode, day game.Date, player string) *Prior {
	week := game.BoardOf(m, game.Week.Of(day), game.Scope{})
	if m.Aggregate != game.Sum || m.Policy != game.First || ru.Frozen(week) {
		return nil
	}
	if united, err := UnitedOf(ctx, ru, week); united != nil || err != nil {
		return nil // it is read from its days
	}
	known, _ := ru.derived.Get(week.Key)
	u := newRefreshRun(ru, week, ru.Every(week))
	o := &Own{ru: ru, board: week, known: known}
	until, sure := o.until()
	switch open := ru.db.Game.OpenDates(ru.db.Now()); {
	case !u.isDone(known), u.remakes(known):
		return nil // the next look makes it
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

// With is the entry that the week must have of the player, now that the play is on the day's
// board; not found if that is not known.
func (of *Prior) With(play rdb.Place) rdb.Place {
	if of == nil {
		return rdb.Place{}
	}
	return taken(game.Sum, of.at, play)
}

// OwnKnown is [Rollup.Own] for a caller who knows the entry that the board must have: it puts
// that one in if the board may lack it, and works nothing out. Must is not found if the caller
// does not know it.
func OwnKnown(ctx context.Context, ru *Rollup, b game.Board, player string, must rdb.Place) (*Own, error) {
	o, err := ru.Own(ctx, b, player)
	if err == nil && must.Found && !o.settled {
		o.asked = true
		o.put(must, "")
	}
	return o, err
}
