package activity

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Kept is where the acts of days outlive Redis.
type Kept interface {
	// Begin has days be known, and returns what is kept of each.
	Begin(ctx context.Context, days []game.KeptDay) ([]game.KeptDay, error)
	// Put keeps a day, unless anything has changed in what is kept since Begin.
	Put(ctx context.Context, day game.KeptDay, lines game.DayLines) error
	Days(ctx context.Context) ([]game.KeptDay, error)
	Read(ctx context.Context, day game.KeptDay) (kept game.KeptDay, lines game.DayLines, there bool, err error)
	// Adopt notes that this Redis has all of a day, where that is as it was read.
	Adopt(ctx context.Context, day game.KeptDay, source string) (as bool, err error)
	Prune(ctx context.Context, before game.Date) error
}

// ErrNotPutBack says that the acts of a day are kept from a Redis that was lost, and are
// not to be put back by themselves.
var ErrNotPutBack = errors.New("acts of a Redis that was lost are kept; lbctl restore puts them back")

// Keeping is an Activity whose acts outlive Redis.
type Keeping struct {
	*Activity
	Kept Kept
	// Returns says that acts of a Redis that was lost are put back by a compute too.
	Returns bool
	// Over is told of a group's day whose boards were written and which is over where the
	// group is, at least once and maybe twice at once. Nil: nobody is.
	Over func(ctx context.Context, group string, d game.Date) error
}

// Compute is that of the Activity, and keeps each day's acts before it writes the day's boards:
// whatever is cut off, what boards show is kept. Where a day was not kept, its boards are
// written all the same, and word of it is left: the next run tries again. Acts of a Redis
// that was lost are put back first, where Returns says so.
//
// Cost: that of Compute; once in the life of a Redis 4 more. Where a day cannot be kept 1
// more, with each run. For each group's day that is over 1, where Over is asked. In Postgres 1 round trip where anything is due, and 5 for each day.
func (k Keeping) Compute(ctx context.Context) ([]Computed, error) {
	return (&run{Activity: k.Activity, kept: k.Kept, returns: k.Returns, tell: k.Over}).rounds(ctx)
}

// PutBack puts all acts that are kept back into Redis, with the streaks that they are
// part of, and leaves word of their days. It may be repeated, and cut off anywhere; acts
// that came since a loss stay.
//
// Cost: 2 billed commands, and for each group's day 5, and 1 for each 10,000 acts and
// players.
func (k Keeping) PutBack(ctx context.Context) (days int, err error) {
	r := &run{Activity: k.Activity, kept: k.Kept}
	due, err := k.due(ctx)
	if err != nil {
		return 0, rdb.Wrap("look which days are due", err)
	}
	if r.source, err = r.named(ctx, due.source); err != nil {
		return 0, err
	}
	return r.back(ctx)
}

// Prune forgets what is kept of days that are sealed, but for the last: streaks go on
// from it.
func (k Keeping) Prune(ctx context.Context) error {
	d := game.DateOf(k.DB.Now()).AddDays(1)
	for k.Rollup.Calendar.Writable(d.AddDays(-1)) {
		d = d.AddDays(-1)
	}
	return k.Kept.Prune(ctx, d.AddDays(-1))
}

// run is one run of a compute, with what it keeps: without kept nothing.
type run struct {
	*Activity
	kept    Kept
	returns bool
	source  string // the name of this Redis
	tell    func(ctx context.Context, group string, d game.Date) error
	failed  error // why nothing can be kept
	days    map[groupDay]game.KeptDay
	left    map[groupDay]string // word that this run has left of what it could not keep
}

// begin looks what is kept of the days that are due, before any of them is read. Days
// that this run cannot keep, and that nothing has come for since, are not due again.
func (r *run) begin(ctx context.Context, due map[groupDay][]string, source string) {
	if r.kept == nil {
		return
	}
	for day, word := range r.left {
		if slices.Equal(due[day], []string{word}) {
			delete(due, day)
		}
	}
	if len(due) == 0 {
		return
	}
	r.days, r.failed = map[groupDay]game.KeptDay{}, nil
	if r.source, r.failed = r.named(ctx, source); r.failed != nil {
		return
	}
	var begin []game.KeptDay
	for day := range due {
		if r.Rollup.Calendar.Writable(day.date) {
			begin = append(begin, game.KeptDay{Group: day.group, Date: day.date, Source: r.source})
		}
	}
	kept, err := r.kept.Begin(ctx, begin)
	r.failed = err
	for _, day := range kept {
		r.days[groupDay{day.Group, day.Date}] = day
	}
}

// named is the name of this Redis, which stands among the days that are due: whoever
// reads these learns it, and that it is not there any more.
func (r *run) named(ctx context.Context, source string) (string, error) {
	if source != "" {
		return source, nil
	}
	source, err := r.Notices.Source(ctx)
	if err != nil {
		return "", err
	}
	_, err = r.DB.Redis.Do(ctx, upstash.Cmd("SADD", game.ActsDueKey, game.ActsSource(source)).Idempotent())
	return source, rdb.Wrap("note the name of Redis", err)
}

// keptAs is what became of keeping a day.
type keptAs struct {
	err   error  // why it is not kept
	again string // word to leave, so that it is tried again
	lost  bool   // what is kept of it is of a Redis that was lost, and is to be put back
}

func (r *run) keep(ctx context.Context, day groupDay, read dayRead, worth dayWorth) keptAs {
	if r.kept == nil || len(read.acts) == 0 {
		return keptAs{}
	}
	kept, known := r.days[day]
	err := r.failed
	switch {
	case err != nil:
	case !known:
		err = errors.New("it is not among the days that were begun")
	case kept.Source != r.source && r.returns:
		return keptAs{lost: true}
	case kept.Source != r.source:
		return keptAs{err: ErrNotPutBack} // trying again would change nothing
	default:
		err = r.kept.Put(ctx, kept, linesOf(read, worth))
	}
	if err == nil {
		return keptAs{}
	}
	again := game.ActsDue(day.group, day.date, r.name())
	if r.left == nil {
		r.left = map[groupDay]string{}
	}
	r.left[day] = again
	return keptAs{err: err, again: again}
}

// linesOf is what is kept of a day.
func linesOf(read dayRead, worth dayWorth) game.DayLines {
	lines := game.DayLines{Acts: make([]string, len(read.acts)), Streaks: make([]string, len(worth.players))}
	for i, act := range read.acts {
		lines.Acts[i] = rdb.Itoa(act.At) + " " + act.Text()
	}
	for i, player := range worth.players {
		lines.Streaks[i] = rdb.Itoa(int64(worth.streaks[player])) + " " + player
	}
	return lines
}

func (r *run) putBack(ctx context.Context) error {
	_, err := r.back(ctx)
	return rdb.Wrap("put acts back", err)
}

func (r *run) back(ctx context.Context) (days int, err error) {
	all, err := r.kept.Days(ctx)
	if err != nil {
		return 0, err
	}
	for _, day := range all {
		if !r.DB.Alive(day.Date) {
			continue
		}
		if err := r.dayBack(ctx, day); err != nil {
			return days, err
		}
		days++
	}
	return days, nil
}

// dayBack puts a day back. Who is erased meanwhile is taken out of what is kept behind
// Redis: then the day has another version, and what is not kept any more goes again.
func (r *run) dayBack(ctx context.Context, day game.KeptDay) error {
	at := groupDay{day.Group, day.Date}
	put := map[string]map[string]bool{} // key -> members
	for {
		kept, lines, there, err := r.kept.Read(ctx, day)
		if err != nil || !there && len(put) == 0 {
			return err
		}
		now := map[string]map[string]bool{at.key(): {}, game.ActiveKey(at.date): {}}
		var p rdb.Pipeline
		// Of two moments of one act the earlier, as acts are taken in, and of two streaks
		// the longer: what was played since a loss is computed once more.
		err = errors.Join(
			addLines(&p, at.key(), "LT", lines.Acts, now),
			addLines(&p, game.ActiveKey(at.date), "GT", lines.Streaks, now),
		)
		if err != nil {
			return err
		}
		for key, members := range put {
			maps.DeleteFunc(members, func(member string, _ bool) bool { return now[key][member] })
			if len(members) > 0 {
				p.Add(upstash.Cmd(append([]string{"ZREM", key}, slices.Sorted(maps.Keys(members))...)...).Idempotent(), nil)
			}
		}
		// What Redis still has may not be what these boards were last written with.
		p.Add(upstash.Cmd("HDEL", game.HomesKey(at.date), game.HomePrints(at.group)).Idempotent(), nil)
		for key := range now { // this process may believe that they have an end
			if end, ends := game.KeyExpires(r.DB.Game, key, game.Day.Of(at.date)); ends {
				p.Add(rdb.ExpireBy(r.DB, key, end, "NX"), nil)
			}
		}
		if r.Rollup.Calendar.Writable(at.date) {
			// Boards of this Redis may be those of another one, whatever their prints say.
			p.Add(upstash.Cmd("HDEL", game.HomesKey(at.date), game.HomePrints(at.group)).Idempotent(), nil)
			p.Add(r.leaveWord([]groupDay{at}), nil)
		}
		if _, err := p.Run(ctx, r.DB.Redis); err != nil || !there {
			return err
		}
		as, err := r.kept.Adopt(ctx, kept, r.source)
		if err != nil || as {
			return err
		}
		put = now
	}
}

// addLines queues lines of a number and a member, and notes the members.
func addLines(p *rdb.Pipeline, key, how string, lines []string, members map[string]map[string]bool) error {
	for some := range slices.Chunk(lines, rdb.WritePage) {
		command := []string{"ZADD", key, how}
		for _, line := range some {
			number, member, ok := strings.Cut(line, " ")
			if !ok {
				return errors.New("what is kept of " + key + " cannot be read")
			}
			command = append(command, number, member)
			members[key][member] = true
		}
		p.Add(upstash.Cmd(command...).Idempotent(), nil)
	}
	return nil
}
