package usage

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/upstash"
)

// MonthKey is the hash of a month's totals: for each day, the commands that all processes have
// reported.
func MonthKey(day game.Date) string { return "usage:month:" + game.Month.Of(day).Key() }

// monthStays is how many days after its end a month's totals stay in Redis. It is more than
// heldDays, after which no process reports commands of the month's last day any more.
const monthStays = 8

// Month reads what a month has cost so far, by the totals that the budget's guard uses: 1
// billed command, 1 round trip.
func (l *Ledger) Month(ctx context.Context, today game.Date) (budget.Spent, error) {
	days, err := readTotals(ctx, l.redis, today)
	return budget.Sum(days, today), err
}

// RestoreMonth raises the month's totals to what the archive has of its days. After a loss of
// Redis there are no totals, and the budget would count the month as unspent. The archive has
// nothing of the day of the loss: of that day only processes that are still running report what
// they have spent.
//
// Cost: 1 billed command, and 2 where a day is missing; 1 query. Nothing without an archive.
func (l *Ledger) RestoreMonth(ctx context.Context, today game.Date) error {
	if l.archive == nil {
		return nil
	}
	month := game.Month.Of(today)
	kept, err := l.archive.UsageDays(ctx, month.First(), today)
	if err != nil {
		return fmt.Errorf("read the archive's usage: %w", err)
	}
	known, err := readTotals(ctx, l.redis, today)
	if err != nil {
		return err
	}
	set := []string{"HSET", MonthKey(today)}
	for _, d := range kept {
		if total := d.Total().Commands; total > known[d.Date] {
			set = append(set, d.Date.String(), strconv.FormatInt(total, 10))
		}
	}
	if len(set) == 2 {
		return nil
	}
	result, err := l.redis.Pipeline(ctx, upstash.Cmd(set...).Idempotent(), expireMonth(today))
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return fmt.Errorf("restore the month's totals: %w", err)
	}
	return nil
}

// expireMonth makes the command that sets the expiry of the totals of a day's month.
func expireMonth(day game.Date) upstash.Command {
	end := game.Month.Of(day).Last().AddDays(1 + monthStays).Midnight()
	return upstash.Cmd("EXPIREAT", MonthKey(day), strconv.FormatInt(end.Unix(), 10)).Idempotent()
}

func readTotals(ctx context.Context, redis *upstash.Client, today game.Date) (map[game.Date]int64, error) {
	reply, err := redis.Do(ctx, monthCommand(today))
	if err != nil {
		return nil, fmt.Errorf("read the month's totals: %w", err)
	}
	return totalsOf(reply)
}

func monthCommand(today game.Date) upstash.Command { return upstash.Cmd("HGETALL", MonthKey(today)) }

func totalsOf(r upstash.Reply) (map[game.Date]int64, error) {
	texts, err := r.Strings()
	if err != nil {
		return nil, fmt.Errorf("read the month's totals: %w", err)
	}
	days := make(map[game.Date]int64, len(texts)/2)
	for i := 0; i+1 < len(texts); i += 2 {
		day, err := game.ParseDate(texts[i])
		if err != nil {
			return nil, fmt.Errorf("read the month's totals: %w", err)
		}
		if days[day], err = strconv.ParseInt(texts[i+1], 10, 64); err != nil {
			return nil, fmt.Errorf("read the month's totals: %.40q is no number of commands", texts[i+1])
		}
	}
	return days, nil
}

// writing is one write of counters, and its outcome.
type writing struct {
	today  game.Date
	writes []*dayWrite
	totals bool // the write also adds to the month's totals
	month  bool // the write also reads them
	expire bool // the write also sets their expiry
	days   map[game.Date]int64
}

// run sends the write. An addition to totals must not be done twice. So if the answer is lost,
// the next write first reads the process's own fields, which the same request has set: they say
// whether the addition has taken effect. That costs 1 billed command for each day.
func (w *writing) run(ctx context.Context, redis *upstash.Client) error {
	if err := resolve(ctx, redis, w.writes); err != nil {
		return err
	}
	var commands []upstash.Command
	for _, t := range w.writes {
		commands = append(commands, upstash.Cmd(append([]string{"HSET", Key(t.day)}, t.fields...)...).Idempotent())
		t.delta = t.commands - t.added
		if t.isAddition = w.totals && t.delta > 0; t.isAddition {
			commands = append(commands, upstash.Cmd("HINCRBY", MonthKey(t.day), t.day.String(), strconv.FormatInt(t.delta, 10)))
		}
	}
	if w.month {
		commands = append(commands, monthCommand(w.today))
	}
	if w.expire {
		commands = append(commands, expireMonth(w.today))
	}
	result, err := redis.Pipeline(ctx, commands...)
	if err != nil {
		w.doubt(err)
		return err
	}
	return w.take(result)
}

// doubt notes which additions may have taken effect despite an error.
func (w *writing) doubt(err error) {
	var failure *upstash.Error
	if errors.As(err, &failure) && !failure.MaybeApplied() {
		return
	}
	for _, t := range w.writes {
		if t.isAddition {
			t.doubtful = t.commands
		}
	}
}

// take notes the outcome of each command.
func (w *writing) take(result upstash.Result) error {
	next := 0
	for _, t := range w.writes {
		t.written = result.ErrOf(next) == nil
		next++
		if !t.isAddition {
			continue
		}
		if sum, err := result.Replies[next].Int64(); err == nil {
			t.added, t.sum = t.commands, sum
		}
		next++
	}
	if w.month && result.ErrOf(next) == nil {
		days, err := totalsOf(result.Replies[next])
		if err != nil {
			return err
		}
		w.days = days
	}
	return result.Err()
}

// began reports whether this write was the first of all processes' on a day.
func (w *writing) began() bool {
	for _, t := range w.writes {
		if t.sum > 0 && t.sum == t.delta {
			return true
		}
	}
	return false
}

// tell passes the totals that the write has read to a guard.
func (w *writing) tell(g *budget.Guard) {
	for _, t := range w.writes {
		if t.sum > 0 {
			g.LearnDay(t.day, t.sum)
		}
	}
	if w.days != nil {
		g.LearnMonth(w.today, w.days)
	}
}
