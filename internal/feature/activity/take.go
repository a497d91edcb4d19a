package activity

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// BatchResult is the result of taking a batch of events.
type BatchResult struct {
	New     int       // acts that were not known
	Refused []Refusal // in the order of the events
}

// batch is a batch of events that is being taken.
type batch struct {
	acts  map[groupDay][]Act
	due   map[groupDay]bool // days whose boards may change
	taken BatchResult
}

// Take takes up to MostEvents events. The same events may be passed any number of times, in
// any order and batches, by several processes at once, and be interrupted anywhere: an event
// has its one effect once a call with it has succeeded. Refused events do not affect others.
//
// Cost, in 1 round trip: 1 billed command, and 1 for each day of a group, once in the life of
// a process and of the day 1 more. 1 in an earlier round trip if there are players of whom
// this process has not checked lately whether their accounts were deleted.
//
// Errors: those of [control.Notices.MayWrite]; then the batch has to be sent again.
func (a *Activity) Take(ctx context.Context, events []Event) (BatchResult, error) {
	if a.unknown != nil {
		return BatchResult{}, a.unknown
	}
	if err := a.Notices.MayWrite(ctx); err != nil {
		return BatchResult{}, err
	}
	deleted, err := a.deleted(ctx, events)
	if err != nil {
		return BatchResult{}, redis.Wrap("look whose account is deleted", err)
	}
	b := batch{acts: map[groupDay][]Act{}, due: map[groupDay]bool{}}
	for i, e := range events {
		act, day, refusal := a.place(e)
		if refusal == nil {
			refusal = a.barred(act, deleted)
		}
		if refusal == nil && a.sentBy(day, act) >= mostSenders {
			refusal = refuse(TooMany, "more than %d events of %s on %s were received", mostSenders, act.Who[0], day.date)
		}
		if refusal != nil {
			refusal.Index = i
			b.taken.Refused = append(b.taken.Refused, *refusal)
			continue
		}
		if act.ID != "" {
			a.sent.Add(playerDay{day, act.Who[0]}, a.sentBy(day, act)+1)
		}
		b.acts[day] = append(b.acts[day], act)
		b.due[day] = true
		if next := a.bursting(act, day); next.date.After(day.date) {
			b.due[next] = true
		}
	}
	if err := a.write(ctx, &b); err != nil {
		return BatchResult{}, redis.Wrap("take events in", err)
	}
	return b.taken, nil
}

// mostSenders is how many events of one sender and date a process takes, repeated ones included.
// It bounds what a runaway machine can cost, far beyond what people send: a compute reads all
// acts of a day.
const mostSenders = 50_000

// playerDay is a sender on a date of a group.
type playerDay struct {
	day    groupDay
	player string
}

// sentBy is how many events of the act's sender and date this process has taken.
func (a *Activity) sentBy(day groupDay, act Act) int {
	n, _ := a.sent.Get(playerDay{day, act.Who[0]})
	return n
}

// barred refuses an act of a player who may not be on boards.
func (a *Activity) barred(act Act, deleted map[string]bool) *Refusal {
	for _, player := range act.Who {
		switch {
		case a.Notices.Has(player):
			return refuse(Banned, "%s is banned", player)
		case deleted[player]:
			return refuse(Deleted, "the account of %s is deleted", player)
		}
	}
	return nil
}

// bursting is the last day on which a message may still form a burst with later ones.
func (a *Activity) bursting(act Act, day groupDay) groupDay {
	rule, _ := a.rules.Event(act.Type)
	if !rule.Message || a.rules.Burst == (Burst{}) {
		return day
	}
	return groupDay{day.group, a.date(day.group, time.UnixMilli(act.At).Add(a.rules.Burst.Within))}
}

// write adds the acts, and then marks their days as due.
func (a *Activity) write(ctx context.Context, b *batch) error {
	if len(b.acts) == 0 {
		return nil
	}
	var p redis.Pipeline
	var expiring []string
	added := make([]int64, 0, len(b.acts))
	for _, day := range slices.SortedFunc(maps.Keys(b.acts), groupDay.compare) {
		command := []string{"ZADD", day.key(), "LT"} // LT: of two times of an act the earlier one stays
		for _, act := range b.acts[day] {
			command = append(command, redis.Itoa(act.At), act.Text())
		}
		added = append(added, 0)
		p.Add(upstash.Cmd(command...).Idempotent(), redis.IntInto(&added[len(added)-1]))
		if expire, isNew := a.DB.Expire(day.key(), game.Day.Of(day.date)); isNew {
			p.Add(expire, nil)
			expiring = append(expiring, day.key())
		}
	}
	p.Add(a.leaveWord(slices.Collect(maps.Keys(b.due)), slices.Collect(maps.Keys(b.acts))...), nil)
	if _, err := p.Run(ctx, a.DB.Redis); err != nil {
		return err
	}
	for _, key := range expiring {
		a.DB.Expiring.Add(key, struct{}{})
	}
	for _, n := range added {
		b.taken.New += int(n)
	}
	return nil
}

func (d groupDay) compare(other groupDay) int {
	return cmp.Or(d.date.Compare(other.date), cmp.Compare(d.group, other.group))
}

// leaveWord marks days as due, and enters days into the index of those that have acts.
func (a *Activity) leaveWord(days []groupDay, stored ...groupDay) upstash.Command {
	command := []string{"SADD", ActsDueKey}
	write := redis.UniqueName(a.DB)
	for _, day := range days {
		command = append(command, ActsDue(day.group, day.date, write))
	}
	for _, day := range stored {
		command = append(command, ActsStored(day.group, day.date))
	}
	return upstash.Cmd(command...).Idempotent()
}

// presentFor is how long a process relies on an account's not being deleted.
const presentFor = 10 * time.Minute

// deleted are the events' players whose accounts were deleted.
func (a *Activity) deleted(ctx context.Context, events []Event) (map[string]bool, error) {
	var ask []string
	asked := map[string]bool{}
	for _, e := range events {
		for _, player := range append([]string{e.From, e.To, e.User}, e.Users...) {
			at, known := a.present.Get(player)
			if known && a.DB.Elapsed()-at < presentFor || asked[player] || game.ValidPlayer(player) != nil {
				continue
			}
			asked[player] = true
			ask = append(ask, player)
		}
	}
	if len(ask) == 0 {
		return nil, nil
	}
	command := []string{"SMISMEMBER", game.DeletedKey}
	for _, player := range ask {
		command = append(command, game.BanMember(player))
	}
	reply, err := a.DB.Redis.Do(ctx, upstash.Cmd(command...))
	if err != nil {
		return nil, err
	}
	answers, err := redis.Values(reply, len(ask), "one answer for each player")
	if err != nil {
		return nil, err
	}
	deleted := map[string]bool{}
	for i, answer := range answers {
		n, err := answer.Int64()
		if err != nil {
			return nil, err
		}
		if n == 1 {
			deleted[ask[i]] = true
		} else {
			a.present.Add(ask[i], a.DB.Elapsed())
		}
	}
	return deleted, nil
}
