package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/closing"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/friends/lists"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/game/gamefile"
	"github.com/framedle/leaderboards/internal/jobs"
	"github.com/framedle/leaderboards/internal/roster"
	"github.com/framedle/leaderboards/internal/sides"
	"github.com/framedle/leaderboards/upstash"
)

// historyFlags say where the boards and the history are; every command that
// works on both has them.
type historyFlags struct {
	game, database, now string
}

const historyPlaces = `
The boards are in the Redis of $UPSTASH_REDIS_REST_URL and _TOKEN, the history in
the Postgres at -database-url or $DATABASE_URL, the game is the file -game or, by
name, $GAME.
`

func (f *historyFlags) add(flags *flag.FlagSet) {
	flags.StringVar(&f.game, "game", "", "game `file`; the built-in one that $GAME names, or framedle, without one")
	flags.StringVar(&f.database, "database-url", "", "`address` of the history, as postgres://user:password@host/name")
	flags.StringVar(&f.now, "now", "", "`time` to take for now, as 2026-11-21T00:20:00Z, where the product's own clock was moved")
}

// places are the boards and the history together, and both sides of what is kept
// of players.
type places struct {
	*closing.Closing
	sides *sides.Sides
}

func (f *historyFlags) open(ctx context.Context, c console) (*places, error) {
	now := time.Now
	if f.now != "" {
		at, err := time.Parse(time.RFC3339, f.now)
		if err != nil {
			return nil, fmt.Errorf("-now %s: use a form like 2026-11-21T00:20:00Z", f.now)
		}
		now = func() time.Time { return at }
	}
	g, err := f.load(c)
	if err != nil {
		return nil, err
	}
	redis, err := upstash.New(upstash.Config{
		URL: c.getenv("UPSTASH_REDIS_REST_URL"), Token: c.getenv("UPSTASH_REDIS_REST_TOKEN"), Timeout: time.Minute,
	})
	if err != nil {
		return nil, err
	}
	url := cmp.Or(f.database, c.getenv("DATABASE_URL"))
	if url == "" {
		return nil, errors.New("which database? give -database-url, or set DATABASE_URL")
	}
	if err := rightGame(ctx, redis, g, now()); err != nil {
		return nil, err
	}
	history, err := archive.Open(archive.Options{URL: url, Connections: 2})
	if err != nil {
		return nil, err
	}
	store, copied := board.New(board.Options{Redis: redis, Game: g, Now: now}), lists.New(redis)
	return &places{
		Closing: &closing.Closing{Game: g, Archive: history, Now: now, Store: store},
		sides: &sides.Sides{
			Game: g, Now: now, Redis: board.NewBackflow(store), Lists: copied, Groups: roster.NewGroups(redis), Archive: history,
			Duels:   duel.New(duel.Options{Redis: redis, Game: g, Now: now, NewID: rand.Text, History: jobs.PastDuels(history)}).Keeper(),
			Friends: friends.System(history.Friends, copied, now),
		},
	}, nil
}

// rightGame returns why these boards cannot be made or compared by this game: they
// are kept by the rules of another, such as that of the default name.
func rightGame(ctx context.Context, redis *upstash.Client, g *game.Game, now time.Time) error {
	halt, err := board.ReadHalt(ctx, redis, g, now)
	if err == nil && halt.Rules != nil {
		err = fmt.Errorf("%s is not the game of these boards; name theirs with -game FILE or $GAME, or see lbctl game diff -redis: %w", g.Name, halt.Rules)
	}
	return err
}

// note puts what was done by hand into the audit, as done by lbctl.
func (p *places) note(ctx context.Context, action string, what ...string) error {
	detail, err := json.Marshal(map[string][]string{"what": what})
	if err != nil {
		return err
	}
	return p.Archive.Audit.Put(ctx, archive.AuditEntry{
		Act: game.Act{ID: rand.Text(), Actor: "lbctl", At: p.Now()}, Action: action, Detail: detail,
	})
}

func (f *historyFlags) load(c console) (*game.Game, error) {
	if f.game == "" {
		return app.LoadGame(c.getenv("GAME"))
	}
	data, err := os.ReadFile(f.game)
	if err != nil {
		return nil, err
	}
	return gamefile.Parse(f.game, data)
}

// modesNamed finds modes by a list of names; nil for an empty one.
func modesNamed(g *game.Game, names string) ([]*game.Mode, error) {
	if names == "" {
		return nil, nil
	}
	var modes []*game.Mode
	for name := range strings.SplitSeq(names, ",") {
		m, ok := g.ModeCalled(strings.TrimSpace(name))
		if !ok {
			return nil, fmt.Errorf("the game %s has no mode %q", g.Name, name)
		}
		modes = append(modes, m)
	}
	return modes, nil
}

const closeUsage = `Usage: lbctl close [flags] day|week|month|season [DATE]

Does by hand what the schedules do. close day closes every day whose grace has
passed and is not closed. close week, month and season complete the boards of the
one that contains DATE, or of the one that ended last, and keep their tops. All
of it may be repeated.

While maintenance is on it is refused, as the schedules wait: what it writes would
miss a copy that is being made. -force closes all the same. Rules that the boards are
not kept by are refused always: see lbctl game diff.
` + historyPlaces + `
Exit status: 0 done, 2 failed; what was done stays, and the next run goes on.

Flags:
`

func runClose(ctx context.Context, args []string, c console) (int, error) {
	var f historyFlags
	flags := flag.NewFlagSet("close", flag.ContinueOnError)
	flags.SetOutput(c.stderr)
	flags.Usage = func() {
		_, _ = fmt.Fprint(c.stderr, closeUsage)
		flags.PrintDefaults()
	}
	f.add(flags)
	dryRun := flags.Bool("dry-run", false, "tell which days would be closed; change nothing")
	force := flags.Bool("force", false, "close though maintenance is on")
	plain, err := parse(flags, args, 2)
	if err != nil {
		return statusFailed, err
	}
	if len(plain) == 0 {
		return statusFailed, errors.New("what? use close day, close week, close month or close season")
	}
	job, err := f.open(ctx, c)
	if err != nil {
		return statusFailed, err
	}
	if *dryRun {
		return tellUnclosed(ctx, job, c)
	}
	if err := mayClose(ctx, job, *force); err != nil {
		return statusFailed, err
	}
	var report any
	switch kind := plain[0]; {
	case kind == "day" && len(plain) == 1:
		report, err = job.Daily(ctx)
	case kind == "week" || kind == "month" || kind == "season":
		var p game.Period
		if p, err = closedPeriod(job, kind, plain[1:]); err == nil {
			report, err = job.Period(ctx, p)
		}
	case kind == "day":
		err = fmt.Errorf("%q is too much: close day closes every day that is due", plain[1])
	default:
		err = fmt.Errorf("%q cannot be closed; use day, week, month or season", kind)
	}
	if report != nil {
		_ = writeJSON(c, report)
		err = errors.Join(err, job.note(ctx, "close", plain...))
	}
	if err != nil {
		return statusFailed, err
	}
	return statusGood, nil
}

// mayClose returns why nothing may be closed now; nil: it may be.
func mayClose(ctx context.Context, job *places, force bool) error {
	err := job.Store.MayWrite(ctx)
	if waits := (*board.MaintenanceError)(nil); errors.As(err, &waits) {
		if force {
			return nil
		}
		return fmt.Errorf("%w; the schedules close what is due when it ends, or use -force", err)
	}
	return err
}

// closedPeriod is the week, month or season that a date names, or the last that ended.
func closedPeriod(job *places, kind string, date []string) (game.Period, error) {
	k, err := game.ParsePeriodKind(kind)
	if err != nil {
		return game.Period{}, err
	}
	if len(date) == 0 {
		p, ok := job.LastClosed(k, job.Now())
		if !ok {
			return p, errors.New("no season is over")
		}
		return p, nil
	}
	d, err := game.ParseDate(date[0])
	if err != nil {
		return game.Period{}, err
	}
	p, ok := job.Game.PeriodOf(k, d)
	if !ok {
		return p, fmt.Errorf("%s is in no season of the game", d)
	}
	if !job.Game.Closed(p, job.Now()) {
		return p, fmt.Errorf("the %s %s is not over", kind, p.Key())
	}
	return p, nil
}

func tellUnclosed(ctx context.Context, job *places, c console) (int, error) {
	view, err := job.Store.Survey(ctx)
	if err != nil {
		return statusFailed, err
	}
	days, err := job.Store.Unclosed(ctx, view)
	if err != nil {
		return statusFailed, err
	}
	for _, day := range days {
		names := make([]string, len(day.Modes))
		for i, m := range day.Modes {
			names[i] = m.Name
		}
		_, _ = fmt.Fprintf(c.stdout, "would close %s  %s\n", day.Date, strings.Join(names, " "))
	}
	if len(days) == 0 {
		_, _ = fmt.Fprintln(c.stdout, "nothing to close")
	}
	return statusGood, nil
}

func writeJSON(c console, v any) error {
	out := json.NewEncoder(c.stdout)
	out.SetIndent("", "  ")
	return out.Encode(v)
}
