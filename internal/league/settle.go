package league

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
)

// ErrOpen is returned if the archive does not have all days of a week that is over.
var ErrOpen = errors.New("the archive does not have all days of the week")

// Books are what settling needs of the archive.
type Books interface {
	// Due lists the weeks that are not settled, up to the one that begins on last, oldest
	// first. If there are no weeks at all, leagues begin with this week.
	Due(ctx context.Context, last, today game.Date) ([]game.Date, error)
	// Whole reports whether the archive has all results of a mode's days in a week: of the
	// days in known, and of all others that it has begun.
	Whole(ctx context.Context, mode *game.Mode, week game.Period, known []game.Date) (bool, error)
	// Settle settles a week by what its days have given each player who is not banned; did is
	// false if the week was already settled. Errors: game.ErrLeagueUnsettled.
	Settle(ctx context.Context, week game.Date, at time.Time) (players int, did bool, err error)
}

// Settler settles weeks that are over.
type Settler struct {
	DB       *rdb.DB
	Calendar *rollup.Calendar
	Books    Books
	// Closed says that the archive was just seen to have all closed days, so that Redis need
	// not be asked which days there are.
	Closed bool
}

// Settled is a week that a run has settled.
type Settled struct {
	Week    string `json:"week"`
	Players int    `json:"players"`
}

// mostWeeks is how many weeks one run settles.
const mostWeeks = 20

// Run settles every week that is over and not settled, oldest first, each by its own days. It
// may run at any time, late, twice and twice at once. If less than reserve is left before the
// context's deadline, it leaves further weeks to the next run.
//
// Cost: nothing if no week is due; else for each week 1 billed command for each mode that
// gives XP, but nothing if s.Closed.
//
// Errors: ErrOpen.
func (s *Settler) Run(ctx context.Context, reserve time.Duration) ([]Settled, error) {
	now := s.DB.Now()
	last := game.Week.Of(game.DateOf(now))
	for !s.DB.Game.Closed(last, now) {
		last, _ = last.Previous()
	}
	due, err := s.Books.Due(ctx, last.First(), game.DateOf(now))
	if err != nil {
		return nil, err
	}
	var all []Settled
	for _, monday := range due[:min(len(due), mostWeeks)] {
		if end, ok := ctx.Deadline(); ok && time.Until(end) < reserve && len(all) > 0 {
			break
		}
		did, err := s.week(ctx, game.Week.Of(monday))
		if err != nil {
			return all, fmt.Errorf("settle the leagues of %s: %w", game.Week.Of(monday).Key(), err)
		}
		all = append(all, did...)
	}
	return all, nil
}

func (s *Settler) week(ctx context.Context, week game.Period) ([]Settled, error) {
	for _, m := range s.DB.Game.Modes {
		if !m.GivesXP() {
			continue
		}
		var known []game.Date
		if !s.Closed {
			var err error
			if known, err = s.Calendar.Days(ctx, game.BoardOf(m, week, game.Scope{})); err != nil {
				return nil, err
			}
		}
		whole, err := s.Books.Whole(ctx, m, week, known)
		switch {
		case err != nil:
			return nil, err
		case !whole:
			return nil, fmt.Errorf("%s: %w", m.Called(), ErrOpen)
		}
	}
	players, did, err := s.Books.Settle(ctx, week.First(), s.DB.Now())
	if err != nil || !did {
		return nil, err
	}
	return []Settled{{week.Key(), players}}, nil
}
