package league

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// ErrOpen is returned if days of a week that is over may still come to the archive.
var ErrOpen = errors.New("the archive does not have all days of the week")

// Books are what settling needs of the archive.
type Books interface {
	Adopter
	// ListDue lists the weeks that are not settled, up to the one that begins on last, oldest
	// first. If there are no weeks at all, leagues begin with this week.
	ListDue(ctx context.Context, last, today game.Date) ([]game.Date, error)
	// Lacking lists the days of a mode in a week that the archive does not have as they
	// closed: of the days in known, and of all others that it has begun.
	MissingDays(ctx context.Context, mode *game.Mode, week game.Period, known []game.Date) ([]MissingDay, error)
	// Settle settles a week by what its days have given each player who is not banned; did is
	// false if the week was already settled. Errors: game.ErrLeagueUnsettled.
	Settle(ctx context.Context, week game.Date, at time.Time) (players int, did bool, err error)
	// SettleAgain does so whether or not the week was settled, and counts the players whose
	// result is new, another or gone. In a dry run nothing changes. Errors:
	// game.ErrLeagueUnsettled, game.ErrLeagueUnbegun.
	SettleAgain(ctx context.Context, week game.Date, at time.Time, dryRun bool) (players, changed int, err error)
}

// MissingDay is a day that the archive does not have as it closed.
type MissingDay struct {
	Date     game.Date
	Players  int64 // whom the archive has
	Imported bool  // an import has begun the day and will go on
}

// Settler settles weeks that are over.
type Settler struct {
	DB       *redis.DB
	Calendar *derive.Calendar
	Books    Books
	// Closed says that the archive was just seen to have all closed days, so that Redis need
	// not be asked which days there are.
	Closed bool
}

// SettleReport is a week that a run has settled.
type SettleReport struct {
	Week    string    `json:"week"`
	Players int       `json:"players"`
	LeftOut []LeftOut `json:"left_out,omitempty"`
}

// LeftOut is a day of a settled week that was lost: its board left Redis before it was
// archived as it closed. What the archive has of it counts.
type LeftOut struct {
	Mode    string `json:"mode"`
	Date    string `json:"date"`
	Players int64  `json:"players"` // whose results the archive has, as they were last saved
}

// mostWeeks is how many weeks one run settles.
const mostWeeks = 20

// Run settles every week that is over and not settled, oldest first, each by its own days. It
// may run at any time, late, twice and twice at once. It waits for days that may still come,
// and settles a week without those that are lost. If less than reserve is left before the
// context's deadline, it leaves further weeks to the next run.
//
// Cost: what adopting costs, which is nothing once leagues have begun; for each week that is due 1 billed command for each mode that
// gives XP, but nothing if s.Closed.
//
// Errors: ErrOpen.
func (s *Settler) Run(ctx context.Context, reserve time.Duration) ([]SettleReport, error) {
	now := s.DB.Now()
	last := game.Week.Of(game.DateOf(now))
	for !s.DB.Game.Closed(last, now) {
		last, _ = last.Previous()
	}
	if err := adopt(ctx, s.DB, s.Books); err != nil {
		return nil, err
	}
	due, err := s.Books.ListDue(ctx, last.First(), game.DateOf(now))
	if err != nil {
		return nil, err
	}
	var all []SettleReport
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

func (s *Settler) week(ctx context.Context, week game.Period) ([]SettleReport, error) {
	lost, err := s.lost(ctx, week, false)
	if err != nil {
		return nil, err
	}
	players, did, err := s.Books.Settle(ctx, week.First(), s.DB.Now())
	if err != nil || !did {
		return nil, err
	}
	return []SettleReport{{week.Key(), players, lost}}, nil
}

// ResettleOptions says how to settle a week again.
type ResettleOptions struct {
	DryRun bool // change nothing
	Force  bool // also without days that may still come
}

// Resettle settles a week that is over by what the archive has now, whether or not it was settled
// before. changed is the number of players whose result is new, another or gone. Cohorts of
// later weeks, and their results, stay.
//
// Cost: 1 billed command for each mode that gives XP.
//
// Errors: ErrOpen, game.ErrLeagueUnsettled, game.ErrLeagueUnbegun.
func (s *Settler) Resettle(ctx context.Context, week game.Period, o ResettleOptions) (did SettleReport, changed int, err error) {
	did.Week = week.Key()
	if did.LeftOut, err = s.lost(ctx, week, o.Force); err == nil {
		did.Players, changed, err = s.Books.SettleAgain(ctx, week.First(), s.DB.Now(), o.DryRun)
	}
	return did, changed, err
}

// lost lists the days of a week that the archive does not have and will not get. If others may
// still come, it returns ErrOpen, or with force these too.
func (s *Settler) lost(ctx context.Context, week game.Period, force bool) (lost []LeftOut, err error) {
	for _, m := range s.DB.Game.Modes {
		if !m.GivesXP() {
			continue
		}
		var known []game.Date
		if !s.Closed {
			if known, err = s.Calendar.Days(ctx, game.BoardOf(m, week, game.Scope{})); err != nil {
				return nil, err
			}
		}
		missing, err := s.Books.MissingDays(ctx, m, week, known)
		if err != nil {
			return nil, err
		}
		for _, day := range missing {
			if !force && (day.Imported || s.DB.Alive(day.Date)) {
				return nil, fmt.Errorf("%s: %w: %s may still come", m.Called(), ErrOpen, day.Date)
			}
			lost = append(lost, LeftOut{m.Called(), day.Date.String(), day.Players})
		}
	}
	return lost, nil
}
