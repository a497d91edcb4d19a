package status

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// overdue is how long after its end a day may stay untaken: by then a schedule that runs once
// a day has taken it in.
const overdue = 26 * time.Hour

func (r *Reporter) days(ctx context.Context, s *Status, days []derive.DayState, usable bool) error {
	late := false
	var inArchive map[string][]WholeDay
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
		case usable && d.Closed && d.Alive && !slices.ContainsFunc(inArchive[d.Mode.Name], func(whole WholeDay) bool { return whole.Date == d.Date }):
			s.Days.Unarchived = append(s.Days.Unarchived, name)
		}
	}
	lasting, err := r.lasting(ctx, s, usable)
	if err != nil {
		return err
	}
	for _, list := range [][]string{s.Days.Missing, s.Days.Lost, s.Days.Unclosed, s.Days.Unarchived} {
		slices.Sort(list)
	}
	if len(s.Days.Missing) > 0 {
		s.problem("the next cron-save rebuilds them; if REPAIR is off or it fails, run lbctl restore: docs/operate/runbook.md, Loss of Redis", "%s missing in Redis: %s", count(s.Days.Missing, "archived day"), some(s.Days.Missing))
	}
	if len(s.Days.Lost) > 0 {
		s.problem("lbctl restore, if they are archived; otherwise they are lost: see docs/operate/operate.md", "%s expired before roll-up (data lost): %s", count(s.Days.Lost, "daily board"), some(s.Days.Lost))
	}
	if late {
		s.problem("lbctl close day", "%s not closed: %s", count(s.Days.Unclosed, "day"), some(s.Days.Unclosed))
	}
	if len(s.Days.Unarchived) > 0 {
		s.problem("lbctl archive", "%s not archived: %s", count(s.Days.Unarchived, "closed day"), some(s.Days.Unarchived))
	}
	if len(lasting) > 0 {
		s.problem("lbctl restore: docs/operate/runbook.md, Loss of Redis", "archived totals of past days are missing in Redis: %s", strings.Join(lasting, ", "))
	}
	return nil
}

// lasting lists the keys that Redis lacks of what the days of the archive were rolled up into
// whose boards have expired. Without these the boards of all time look as if nobody had played
// before.
//
// Cost: 1 billed command, 1 query; if a key is missing, 1 command for each more.
func (r *Reporter) lasting(ctx context.Context, s *Status, usable bool) (missing []string, err error) {
	if !usable {
		return nil, nil
	}
	var modes []string
	for _, m := range r.Game.Modes {
		lost := slices.ContainsFunc(s.Days.Lost, func(name string) bool { return strings.HasPrefix(name, m.Called()+" ") })
		if m.Bands == nil && !lost { // else the layout of the bands says where they are, or a day is to be brought back first
			modes = append(modes, m.Name)
		}
	}
	oldest := r.Game.Today(s.Now)
	for r.Game.Lifecycle(game.Day.Of(oldest), s.Now) < game.Expired {
		oldest = oldest.AddDays(-1)
	}
	played, err := r.Archive.Lasting(ctx, modes, oldest.AddDays(1))
	if err != nil {
		s.failed(err)
		return nil, nil
	}
	var keys []string
	for _, m := range r.Game.Modes {
		if slices.Contains(played, m.Name) {
			keys = append(keys, game.RolledUpKey(game.BoardKey(m.Name, game.AllTime.Of(oldest), game.Scope{})))
		}
	}
	there, err := redis.CountThere(ctx, r.Redis, keys...)
	if err != nil || there == int64(len(keys)) {
		return nil, redis.Wrap("look for what outlives days", err)
	}
	for _, key := range keys {
		n, err := redis.CountThere(ctx, r.Redis, key)
		if err != nil {
			return nil, redis.Wrap("look for "+key, err)
		}
		if n == 0 {
			missing = append(missing, key)
		}
	}
	return missing, nil
}

// missing finds the days that Redis lacks and should still have. Only a loss removes a day
// from the index before its month is over.
func (r *Reporter) missing(s *Status, days []derive.DayState, inArchive map[string][]WholeDay) {
	for mode, dates := range inArchive {
		called := mode
		if m, ok := r.Game.Mode(mode); ok {
			called = m.Called()
		}
		for _, whole := range dates {
			date := whole.Date
			if whole.Players == 0 {
				continue // the day has left the index, since its last score was removed
			}
			known := slices.ContainsFunc(days, func(d derive.DayState) bool { return d.Mode.Name == mode && d.Date == date })
			if expires, _ := r.Game.Expires(game.Day.Of(date)); !known && s.Now.Before(expires) {
				s.Days.Missing = append(s.Days.Missing, called+" "+date.String())
			}
		}
	}
}

// archived lists the days that the archive has completely, by mode, from the oldest day on
// that Redis has or should have.
func (r *Reporter) archived(ctx context.Context, s *Status, days []derive.DayState) (map[string][]WholeDay, bool) {
	oldest := game.DateOf(s.Now.Add(-r.Game.Lives.Day)).AddDays(-1)
	for _, d := range days {
		if d.Date.Before(oldest) {
			oldest = d.Date
		}
	}
	var newest game.Date
	all := map[string][]WholeDay{}
	for _, m := range r.Game.Modes {
		dates, err := r.Archive.WholeDays(ctx, m.Name, oldest)
		if err != nil {
			s.failed(err)
			return nil, false
		}
		for _, d := range dates {
			if d.Date.After(newest) {
				newest = d.Date
			}
		}
		all[m.Name] = dates
	}
	if !newest.IsZero() {
		s.Days.Archived = newest.String()
	}
	return all, true
}

// count is how many names a list has, and of what: "1 day", "2 days".
func count(names []string, what string) string { return plural(int64(len(names)), what) }

func plural(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// some returns the first of several names.
func some(names []string) string {
	if len(names) > 1 {
		return names[0] + ", …"
	}
	return names[0]
}
