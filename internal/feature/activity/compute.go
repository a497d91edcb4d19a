package activity

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// final is how long after its midnight a group's day is taken to be over.
const final = 5 * time.Minute

// Computed is a group's day whose boards were written.
type Computed struct {
	Group   string `json:"group"`
	Date    string `json:"date"`
	Players int    `json:"players"`
	// Final reports that the day is over in the group's time zone. Events that come late are
	// still computed.
	Final bool `json:"final"`
	// Unkept says why the day's acts are still in Redis only.
	Unkept string `json:"unkept,omitempty"`
	// Muted is how many messages of the day do not count, because they are within bursts.
	Muted int `json:"muted,omitempty"`
	// Boards is how many boards were written; unchanged boards are not.
	Boards int `json:"boards"`
}

// computed is the result of computing a group's day.
type computed struct {
	players int // on the boards; 0 if nothing was written
	boards  int
	muted   int  // messages within bursts
	follows bool // other days are due now
	unkept  error
}

// mostRounds bounds how many days in a row one run follows a streak: more days than boards
// live.
const mostRounds = 45

// Compute writes the boards of all groups' days that are due. It may run late, repeatedly,
// concurrently, and be interrupted anywhere: the next run finishes the work, and boards
// follow from the acts alone. It keeps nothing outside of Redis, see [Keeping].
//
// Cost: 1 billed command if nothing is due, and once more after days whose streaks have
// changed those of other days. For each group's day 6, and 1 for each changed board, 1 if
// messages of its first seconds may be within a burst of the day before, 1 if streaks have
// changed and 1 more if the day after has begun, 2 if players are new on the date, 1 if some
// players may not be on boards, and 2 for each board and 2 on the group's first write of the
// date; for each 3,500 players above that as much as the boards, and 1 for each 20,000 acts.
// Once acts of a date have expired, 1.
func (a *Activity) Compute(ctx context.Context) ([]Computed, error) {
	return (&run{Activity: a}).rounds(ctx)
}

func (r *run) rounds(ctx context.Context) ([]Computed, error) {
	all := []Computed{}
	if r.unknown != nil {
		return all, r.unknown
	}
	if err := r.Notices.MayWrite(ctx); err != nil {
		return all, err
	}
	over := map[groupDay]bool{}
	for range mostRounds {
		due, err := r.readDue(ctx)
		if err != nil {
			return all, redis.Wrap("look which days are due", err)
		}
		r.begin(ctx, due.days, due.source)
		for _, day := range due.over {
			over[day] = true
		}
		if err := r.dropExpired(ctx, due.stored); err != nil {
			return all, redis.Wrap("forget days that have expired", err)
		}
		again, failed := false, error(nil)
		for _, day := range slices.SortedFunc(maps.Keys(due.days), groupDay.compare) {
			done, err := r.compute(ctx, day, due.days[day])
			if err != nil { // the boards of other days need not wait for it
				failed = errors.Join(failed, redis.Wrap("compute "+day.date.String()+" of "+day.group, err))
				if ctx.Err() != nil {
					break
				}
				continue
			}
			again = again || done.follows
			if done.players > 0 {
				all, over[day] = append(all, r.report(day, done)), true
			}
		}
		if failed != nil {
			return all, failed
		}
		if !again {
			return all, r.finish(ctx, slices.SortedFunc(maps.Keys(over), groupDay.compare))
		}
	}
	return all, nil
}

// dueDays is the content of the set of due days.
type dueDays struct {
	days   map[groupDay][]string // due, with their marks in the set
	over   []groupDay            // days with consequences once they are over
	stored []groupDay            // days with acts, due or not
	source string                // the name of this Redis, if the set has it
}

// readDue reads the set of due days.
func (a *Activity) readDue(ctx context.Context) (due dueDays, err error) {
	reply, err := a.DB.Redis.Do(ctx, upstash.Cmd("SMEMBERS", ActsDueKey))
	if err != nil {
		return due, err
	}
	members, err := reply.Strings()
	if err != nil {
		return due, err
	}
	due.days = map[groupDay][]string{}
	for _, member := range members {
		if name, is := ParseActsSource(member); is {
			due.source = name
			continue
		}
		if group, date, is := ParseActsOver(member); is {
			due.over = append(due.over, groupDay{group, date})
			continue
		}
		if group, date, is := ParseActsStored(member); is {
			due.stored = append(due.stored, groupDay{group, date})
			continue
		}
		group, date, err := ParseActsDue(member)
		if err != nil {
			return due, err
		}
		due.days[groupDay{group, date}] = append(due.days[groupDay{group, date}], member)
	}
	return due, nil
}

// compute reads a group's day, adds it up, has its acts kept, and writes its boards.
func (r *run) compute(ctx context.Context, day groupDay, word []string) (computed, error) {
	switch {
	case !r.DB.Alive(day.date):
		return computed{}, r.drop(ctx, word)
	case !r.Rollup.Calendar.Writable(day.date):
		return computed{}, nil // its marks stay: no other index has the players of these acts
	}
	read, err := reading{r.Activity}.day(ctx, day)
	if err != nil {
		return computed{}, err
	}
	worth := worthOf(r.rules, read)
	kept := r.keep(ctx, day, read, worth)
	switch {
	case kept.lost:
		return computed{follows: true}, r.putBack(ctx)
	case len(worth.players) == 0 && kept.again != "":
		return computed{}, nil // its marks stay until it is kept
	case len(worth.players) == 0 && len(worth.absent) == 0:
		return computed{}, r.drop(ctx, word)
	}
	wrote, err := writing{r.Activity}.put(ctx, day, word, worth, dayMarks{kept.again, r.overWord(day)})
	if err != nil || !wrote.done {
		return computed{follows: wrote.follows}, err
	}
	return computed{
		players: len(worth.players), boards: int(wrote.boards), muted: worth.muted, follows: wrote.follows, unkept: kept.err,
	}, nil
}

// drop removes the marks of a day that has nothing to compute.
func (r *run) drop(ctx context.Context, word []string) error {
	_, err := r.DB.Redis.Do(ctx, upstash.Cmd(append([]string{"SREM", ActsDueKey}, word...)...).Idempotent())
	return err
}

// dropExpired removes days whose acts have expired from the index of days that have acts.
func (r *run) dropExpired(ctx context.Context, stored []groupDay) error {
	var expired []string
	for _, day := range stored {
		if !r.DB.Alive(day.date) {
			expired = append(expired, ActsStored(day.group, day.date))
		}
	}
	if len(expired) == 0 {
		return nil
	}
	return r.drop(ctx, expired)
}

// over reports whether a day is over in the group's time zone.
func (a *Activity) over(day groupDay) bool {
	return a.date(day.group, a.DB.Now().Add(-final)).After(day.date)
}

func (r *run) report(day groupDay, done computed) Computed {
	c := Computed{
		Group: day.group, Date: day.date.String(), Players: done.players, Muted: done.muted, Boards: done.boards,
		Final: r.over(day),
	}
	if done.unkept != nil {
		c.Unkept = done.unkept.Error()
	}
	return c
}
