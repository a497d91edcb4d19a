package status

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rollup"
)

// overdue is how long after its end a day may stay untaken: by then a schedule that runs once
// a day has taken it in.
const overdue = 26 * time.Hour

func (r *Reporter) days(ctx context.Context, s *Status, days []rollup.DayState, usable bool) {
	late := false
	var inArchive map[string][]game.Date
	if usable {
		inArchive, usable = r.archived(ctx, s, days)
	}
	r.missing(s, days, inArchive)
	for _, d := range days {
		name := d.Mode.Called() + " " + d.Date.String()
		switch {
		case d.Lost():
			s.Days.Lost = append(s.Days.Lost, name)
		case d.Over && !d.Closed && d.Alive:
			s.Days.Unclosed = append(s.Days.Unclosed, name)
			waits := d.Reopened && s.onTime("cron-daily") // a ban, an import: its next run takes it in
			late = late || !waits && s.Now.After(r.Game.Ends(game.Day.Of(d.Date)).Add(r.Game.Grace+overdue))
		case usable && d.Closed && d.Alive && !slices.Contains(inArchive[d.Mode.Name], d.Date):
			s.Days.Unarchived = append(s.Days.Unarchived, name)
		}
	}
	for _, list := range [][]string{s.Days.Missing, s.Days.Lost, s.Days.Unclosed, s.Days.Unarchived} {
		slices.Sort(list)
	}
	if len(s.Days.Missing) > 0 {
		s.problem("the next cron-save makes them again; where REPAIR is off, or it fails, lbctl restore: docs/runbook.md, Redis is lost", "%d days are in the archive and not in Redis, the first is %s", len(s.Days.Missing), s.Days.Missing[0])
	}
	if len(s.Days.Lost) > 0 {
		s.problem("with an archive that has them: lbctl restore; without one they are lost: see docs/operate.md", "%d day boards expired before they were rolled up, the first is %s", len(s.Days.Lost), s.Days.Lost[0])
	}
	if late {
		s.problem("lbctl close day", "%d days are over and not closed, the first is %s", len(s.Days.Unclosed), s.Days.Unclosed[0])
	}
	if len(s.Days.Unarchived) > 0 {
		s.problem("lbctl archive", "%d closed days are in Redis and not in the archive, the first is %s", len(s.Days.Unarchived), s.Days.Unarchived[0])
	}
}

// missing finds the days that Redis lacks and should still have. Only a loss removes a day
// from the index before its month is over.
func (r *Reporter) missing(s *Status, days []rollup.DayState, inArchive map[string][]game.Date) {
	for mode, dates := range inArchive {
		called := mode
		if m, ok := r.Game.Mode(mode); ok {
			called = m.Called()
		}
		for _, date := range dates {
			known := slices.ContainsFunc(days, func(d rollup.DayState) bool { return d.Mode.Name == mode && d.Date == date })
			if expires, _ := r.Game.Expires(game.Day.Of(date)); !known && s.Now.Before(expires) {
				s.Days.Missing = append(s.Days.Missing, called+" "+date.String())
			}
		}
	}
}

// archived lists the days that the archive has completely, by mode, from the oldest day on
// that Redis has or should have.
func (r *Reporter) archived(ctx context.Context, s *Status, days []rollup.DayState) (map[string][]game.Date, bool) {
	oldest := game.DateOf(s.Now.Add(-r.Game.Lives.Day)).AddDays(-1)
	for _, d := range days {
		if d.Date.Before(oldest) {
			oldest = d.Date
		}
	}
	var newest game.Date
	all := map[string][]game.Date{}
	for _, m := range r.Game.Modes {
		dates, err := r.Archive.WholeDays(ctx, m.Name, oldest)
		if err != nil {
			s.failed(err)
			return nil, false
		}
		for _, d := range dates {
			if d.After(newest) {
				newest = d
			}
		}
		all[m.Name] = dates
	}
	if !newest.IsZero() {
		s.Days.Archived = newest.String()
	}
	return all, true
}
