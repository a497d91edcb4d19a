package activity

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// DayArchive stores the acts of days where they outlive Redis.
type DayArchive interface {
	// Begin registers days, and returns what is stored of each.
	Begin(ctx context.Context, days []game.KeptDay) ([]game.KeptDay, error)
	// Put stores a day, unless the stored day has changed since Begin.
	Put(ctx context.Context, day game.KeptDay, lines game.DayLines) error
	Days(ctx context.Context) ([]game.KeptDay, error)
	Read(ctx context.Context, day game.KeptDay) (kept game.KeptDay, lines game.DayLines, there bool, err error)
	// Adopt notes that this Redis has all of a day, if the stored day is as it was read.
	Adopt(ctx context.Context, day game.KeptDay, source string) (as bool, err error)
	Prune(ctx context.Context, before game.Date) error
}

// ErrNotPutBack says that stored acts come from a Redis that was lost, and are not put back
// automatically.
var ErrNotPutBack = errors.New("acts of a lost Redis are archived; lbctl restore restores them")

// Keeping is an Activity that also stores its acts where they outlive Redis.
type Keeping struct {
	*Activity
	Kept DayArchive
	// Returns lets a compute also put back the acts of a lost Redis.
	Returns bool
	// Over is called for a group's day that is over and whose boards were written, at least
	// once and maybe concurrently. Nil: nothing is called.
	Over func(ctx context.Context, group string, d game.Date) error
}

// Compute is Activity.Compute, and stores each day's acts before it writes the day's boards.
// So whenever it is interrupted, everything that boards show is stored. If a day cannot be
// stored, its boards are written all the same, and the day stays marked: the next run tries
// again. If Returns is set, acts of a lost Redis are put back first.
//
// Cost: that of Activity.Compute; once in the life of a Redis 4 more. 1 more with each run
// for a day that cannot be stored, and 1 for each group's day that is over, if Over is set.
// In Postgres 1 round trip if anything is due, and 5 for each day.
func (k Keeping) Compute(ctx context.Context) ([]Computed, error) {
	return (&run{Activity: k.Activity, kept: k.Kept, returns: k.Returns, tell: k.Over}).rounds(ctx)
}

// PutBack puts all stored acts back into Redis, with the streaks that they are part of, and
// marks their days as due. It may be repeated, and be interrupted anywhere; acts that arrived
// after a loss stay.
//
// Cost: 2 billed commands, and for each group's day 5, and 1 for each 10,000 acts and
// players.
func (k Keeping) PutBack(ctx context.Context) (days int, err error) {
	r := &run{Activity: k.Activity, kept: k.Kept}
	due, err := k.readDue(ctx)
	if err != nil {
		return 0, redis.Wrap("look which days are due", err)
	}
	if r.source, err = r.named(ctx, due.source); err != nil {
		return 0, err
	}
	return r.back(ctx)
}

// Name is the name of acts in the report of a restore.
func (Keeping) Name() string { return "acts" }

// RestoreLate puts back what players did on open days, and computes these days again. It returns
// how many groups' days were kept.
func (k Keeping) RestoreLate(ctx context.Context, dryRun bool) (days int, err error) {
	if dryRun {
		kept, err := k.Kept.Days(ctx)
		return len(kept), err
	}
	if days, err = k.PutBack(ctx); err != nil {
		return days, err
	}
	_, err = k.Compute(ctx)
	return days, err
}

// Prune deletes the stored acts of days that are sealed, except the last of these: streaks
// continue from it.
func (k Keeping) Prune(ctx context.Context) error {
	d := game.DateOf(k.DB.Now()).AddDays(1)
	for k.Rollup.Calendar.Writable(d.AddDays(-1)) {
		d = d.AddDays(-1)
	}
	return k.Kept.Prune(ctx, d.AddDays(-1))
}

// run is one run of a compute. Without kept it stores nothing.
type run struct {
	*Activity
	kept    DayArchive
	returns bool
	source  string // the name of this Redis
	tell    func(ctx context.Context, group string, d game.Date) error
	failed  error // why nothing can be stored
	days    map[groupDay]game.KeptDay
	left    map[groupDay]string // marks that this run has left because it could not store the day
}

// begin reads what is stored of the due days, before any of them is read from Redis. It drops
// days that this run could not store before, and for which no acts have come since.
func (r *run) begin(ctx context.Context, due map[groupDay][]string, source string) {
	if r.kept == nil {
		return
	}
	for day, word := range r.left {
		if slices.Equal(due[day], []string{word}) {
			delete(due, day)
		}
	}
	maps.DeleteFunc(due, func(day groupDay, _ []string) bool {
		return !r.Rollup.Calendar.Writable(day.date) && r.DB.Alive(day.date)
	})
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

// named is the name of this Redis. It is stored in the set of due days, so that each reader
// of the set learns the name, or that it is missing.
func (r *run) named(ctx context.Context, source string) (string, error) {
	if source != "" {
		return source, nil
	}
	source, err := r.Notices.Source(ctx)
	if err != nil {
		return "", err
	}
	_, err = r.DB.Redis.Do(ctx, upstash.Cmd("SADD", ActsDueKey, ActsSource(source)).Idempotent())
	return source, redis.Wrap("note the name of Redis", err)
}

// keptAs is the result of storing a day.
type keptAs struct {
	err   error  // why it is not stored
	again string // a mark to leave, so that a later run tries again
	lost  bool   // the stored day comes from a lost Redis, and has to be put back
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
		return keptAs{err: ErrNotPutBack} // trying again does not help
	default:
		err = r.kept.Put(ctx, kept, linesOf(read, worth))
	}
	if err == nil {
		return keptAs{}
	}
	again := ActsDue(day.group, day.date, redis.UniqueName(r.DB))
	if r.left == nil {
		r.left = map[groupDay]string{}
	}
	r.left[day] = again
	return keptAs{err: err, again: again}
}

// linesOf is what is stored of a day.
func linesOf(read dayRead, worth dayWorth) game.DayLines {
	lines := game.DayLines{Acts: make([]string, len(read.acts)), Streaks: make([]string, len(worth.players))}
	for i, act := range read.acts {
		lines.Acts[i] = redis.Itoa(act.At) + " " + act.Text()
	}
	for i, player := range worth.players {
		lines.Streaks[i] = redis.Itoa(int64(worth.streaks[player])) + " " + player
	}
	return lines
}

func (r *run) putBack(ctx context.Context) error {
	_, err := r.back(ctx)
	return redis.Wrap("put acts back", err)
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

// dayBack puts a day back. An erasure that runs meanwhile changes the stored day. Then the
// day has another version, and dayBack starts again and removes what is no longer stored.
func (r *run) dayBack(ctx context.Context, day game.KeptDay) error {
	at := groupDay{day.Group, day.Date}
	put := map[string]map[string]bool{} // key -> members
	for {
		kept, lines, there, err := r.kept.Read(ctx, day)
		if err != nil || !there && len(put) == 0 {
			return err
		}
		now := map[string]map[string]bool{at.key(): {}, ActiveKey(at.date): {}}
		var p redis.Pipeline
		// If an act has two times the earlier one counts, as everywhere. Of two streaks the
		// longer one counts: what was played after a loss is computed again.
		err = errors.Join(
			addLines(&p, at.key(), "LT", lines.Acts, now),
			addLines(&p, ActiveKey(at.date), "GT", append(lines.Streaks, absentLines(lines)...), now),
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
		// Redis may have other values than those last written to these boards.
		p.Add(upstash.Cmd("HDEL", game.HomesKey(at.date), game.HomePrints(at.group)).Idempotent(), nil)
		for key := range now { // the process may remember that it has set their expiry
			if end, ends := game.KeyExpires(r.DB.Game, key, game.Day.Of(at.date)); ends {
				p.Add(redis.ExpireBy(r.DB, key, end, "NX"), nil)
			}
		}
		var due []groupDay
		if r.Rollup.Calendar.Writable(at.date) {
			// Boards of this Redis may come from another one, so their prints are not to be
			// trusted.
			p.Add(upstash.Cmd("HDEL", game.HomesKey(at.date), game.HomePrints(at.group)).Idempotent(), nil)
			due = append(due, at)
		}
		p.Add(r.leaveWord(due, at), nil)
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

// absentLines are lines for the players in acts who have no streak, as a compute notes them.
func absentLines(lines game.DayLines) (absent []string) {
	known := map[string]bool{}
	for _, line := range lines.Streaks {
		_, player, _ := strings.Cut(line, " ")
		known[player] = true
	}
	for _, line := range lines.Acts {
		_, text, _ := strings.Cut(line, " ")
		act, err := ReadAct(text, 0)
		if err != nil {
			continue
		}
		for _, player := range act.Who {
			if !known[player] {
				known[player] = true
				absent = append(absent, "0 "+player)
			}
		}
	}
	return absent
}

// addLines queues lines of a number and a member, and notes the members.
func addLines(p *redis.Pipeline, key, how string, lines []string, members map[string]map[string]bool) error {
	for some := range slices.Chunk(lines, redis.WritePage) {
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
