package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// ModeDay is a day of a mode.
type ModeDay struct {
	Mode *game.Mode
	Date game.Date
}

// Night is what a run of the daily job has closed so far.
type Night struct {
	Closed  []ClosedDay     // in their order
	Refused map[string]bool // of these, by date, those that the archive has refused, as of a lost Redis
	Back    []ModeDay       // closed days that the archive lacked and has got back
}

// DayCloser takes in days that have just closed, before the periods that they belong to.
type DayCloser interface {
	CloseDays(ctx context.Context, n Night) error
}

// PeriodCloser takes in days, after the periods that they belong to are complete.
type PeriodCloser interface {
	ClosePeriods(ctx context.Context, n Night) error
}

// TopCloser takes in the top of a week, month or season that is over, as it was read from a moment
// on.
type TopCloser interface {
	CloseTop(ctx context.Context, top game.Page, from time.Time) error
}

// GroupDayCloser takes in a group's day that is over in the group's time zone. The closing of the
// date takes it in once more.
type GroupDayCloser interface {
	CloseGroupDay(ctx context.Context, group string, d game.Date) error
}

// Eraser removes everything that Redis has of a player, but what is on boards. It may be called
// again.
type Eraser interface {
	Erase(ctx context.Context, player string) error
}

// Giver gives the player who claims a device what the device has. It may be called again.
type Giver interface {
	Give(ctx context.Context, device, player string) error
}

// Saver archives what has happened since the last call. It is called every few minutes.
type Saver interface {
	Save(ctx context.Context) error
}

// Recorder takes in submissions of the outbox, once the archive has them, in the order in which Redis
// took them. It returns how many it had not taken in before.
type Recorder interface {
	Record(ctx context.Context, sent []game.Posted) (added int64, err error)
}

// Maintainer makes room in the archive up to a date to come, and drops what has been kept for its
// time.
type Maintainer interface {
	Maintain(ctx context.Context, today, ahead game.Date) error
}

// Restorer puts back what Redis has lost, after the boards of open days and before the boards that
// are derived from them.
type Restorer interface {
	Name() string
	Restore(ctx context.Context) error
}

// LateRestorer puts back what must wait until every process knows that this Redis is another one,
// and returns how much it was. A dry run only counts.
type LateRestorer interface {
	Name() string
	RestoreLate(ctx context.Context, dryRun bool) (n int, err error)
}

// Verifier compares Redis with the archive.
type Verifier interface {
	Verify(ctx context.Context, c *Comparison) error
}

// Each calls a function for each feature that has a port, in the order of the list, until one
// fails.
func Each[T any](features []any, call func(T) error) error {
	for _, feature := range features {
		if has, ok := feature.(T); ok {
			if err := call(has); err != nil {
				return err
			}
		}
	}
	return nil
}

// All calls a function for each feature that has a port, in the order of the list, also if some
// fail.
func All[T any](features []any, call func(T) error) (failed error) {
	for _, feature := range features {
		if has, ok := feature.(T); ok {
			failed = errors.Join(failed, call(has))
		}
	}
	return failed
}

// Reserve is the time that a run keeps for what follows its last day.
const Reserve = 20 * time.Second

// OutOfTime reports whether a run should stop before it begins another part.
func OutOfTime(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) < Reserve
}

// TopSize is the number of entries of a top.
const TopSize = 100

// Difference is a player's entry that differs between Redis and Postgres. "-" means a
// missing entry.
type Difference struct {
	Key      string `json:"key"` // of the board in Redis
	Player   string `json:"player"`
	Redis    string `json:"redis"`
	Postgres string `json:"postgres"`
}

// Comparison counts what was compared, and reports what differs.
type Comparison struct {
	Differ      func(Difference)
	Boards      int
	Entries     int64
	Differences int64
}

// Report reports one difference.
func (c *Comparison) Report(d Difference) {
	c.Differences++
	c.Differ(d)
}

// Compare reports what differs, by player.
func Compare[T comparable](c *Comparison, key string, inRedis, inPostgres map[string]T) {
	c.Boards++
	c.Entries += int64(max(len(inRedis), len(inPostgres)))
	players := make([]string, 0, len(inRedis))
	for player := range inRedis {
		players = append(players, player)
	}
	for player := range inPostgres {
		if _, both := inRedis[player]; !both {
			players = append(players, player)
		}
	}
	slices.Sort(players)
	for _, player := range players {
		redis, there := inRedis[player]
		postgres, here := inPostgres[player]
		if !there || !here || redis != postgres {
			c.Report(Difference{Key: key, Player: player, Redis: Text(redis, there), Postgres: Text(postgres, here)})
		}
	}
}

// Text writes an entry.
func Text[T any](v T, there bool) string {
	if !there {
		return "-"
	}
	if stored, ok := any(v).(float64); ok {
		return game.FormatStored(stored)
	}
	return fmt.Sprint(v)
}

// WithFields writes a value as JSON, which has fields of its own, and others behind these.
func WithFields(own any, others map[string]any) ([]byte, error) {
	text, err := json.Marshal(own)
	if err != nil || len(others) == 0 {
		return text, err
	}
	more, err := json.Marshal(others)
	return slices.Concat(text[:len(text)-1], []byte(","), more[1:]), err
}

// Mirror is one kind of what both Redis and Postgres keep of players besides boards. Functions
// that a kind does not need are nil.
type Mirror struct {
	Name string
	Late bool // entries reach Postgres when a day closes, not as they happen

	// Page brings one page of Redis to Postgres, beginning at a cursor, and returns the number of
	// entries read. The cursor "" is the beginning, and next "" the end.
	Page func(ctx context.Context, cursor string) (next string, entries int, err error)
	// Finish completes the kind after its pages, and reports whether it is complete; if not, the
	// kind is brought once more.
	Finish func(ctx context.Context, first bool) (bool, error)
	// Compare fills in what each side has.
	Compare func(ctx context.Context, redis, postgres Entries) error
	// Verify compares what follows from the entries.
	Verify func(ctx context.Context, c *Comparison) error
	// Lacks describes what Redis has and Postgres lacks besides what Compare finds; "": nothing.
	Lacks func(ctx context.Context) (string, error)
	// Restore puts back what Redis has lost, and returns what it did for the report of the
	// restore; nil: nothing to report. A dry run changes nothing.
	Restore func(ctx context.Context, dryRun bool) (did any, err error)
}

// Entries are the entries of one side: names by ids.
type Entries map[string]string

// EachPage calls each with every entry of a list that is read page by page.
func EachPage[T any](ctx context.Context, page func(ctx context.Context, cursor string) ([]T, string, error), each func(T)) error {
	for cursor := ""; ; {
		some, next, err := page(ctx, cursor)
		if err != nil {
			return err
		}
		for _, one := range some {
			each(one)
		}
		if cursor = next; next == "" {
			return nil
		}
	}
}
