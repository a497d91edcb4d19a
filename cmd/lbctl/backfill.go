package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/dev/demo"
	"github.com/framedle/leaderboards/internal/feature/backfill"
	"github.com/framedle/leaderboards/internal/feature/importer"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/platform/progress"
)

const importPastLong = `Imports a game's history of any age into the archive, and from there into current
weeks, months and seasons, all time, XP and streaks, as if every day had been played
and closed here. Days must be over. It is refused during maintenance, since its
writes would be missing from a copy that is being made.

FILEs are CSV with a header, or JSON lines, and may be gzipped. The fields are player
and score, date (YYYY-MM-DD) or played_at (RFC 3339), mode, and optionally country,
groups, details, name and picture. Of several plays of a player, mode and day, the
mode's policy decides.

Nothing is written if a line is invalid, or if a day exists already and differs; the
report says which. An interrupted run continues when it is started again, and
importing the same files again changes nothing.

The database is at --database-url, $DATABASE_URL_DIRECT or $DATABASE_URL, Redis at
$UPSTASH_REDIS_REST_URL and _TOKEN or at $REDIS_URL, the game is the file --game or, by name, $GAME.
Without Redis, the addresses come from a product that cmd/local runs at --url.

Exit status: 0 done; 1 lines are invalid or skipped, or days differ; 2 failed, start
it again to continue.
`

// mostFiles is the largest number of files in one import.
const mostFiles = 10_000

func importHistoryCommand(c console) *cobra.Command {
	var f placeFlags
	o := backfill.Options{Layout: importer.PastLayout()}
	cmd, flags := define("import-history [flags] FILE...", "import a game's history", importPastLong, mostFiles)
	f.add(flags)
	flags.BoolVar(&o.DryRun, "dry-run", false, "validate and compare; write nothing")
	flags.BoolVar(&o.Skip, "skip", false, "skip invalid lines")
	flags.BoolVar(&o.Merge, "merge", false, "merge days that differ from the archive, by each mode's policy")
	flags.BoolVar(&o.Force, "force", false, "continue even if Redis and the archive differ, or another import was interrupted; data only in Redis is lost")
	flags.StringVar(&o.Temp, "temp", "", "temporary `folder`; needs as much space as the unpacked files (default the system's)")
	names := flags.String("map", "", "`names` of the fields in the files, as player=user_id,score=points")
	ignored := flags.String("ignore", "", "`fields` of the files to ignore, separated by commas")
	mode := flags.String("mode", "", "`mode` of lines without one; not required in a game with one mode")
	var url string
	addURL(flags, &url, c)
	isLocal := flags.Bool("local", false, "ask the local product at --url for its credentials, whatever the environment has")
	return does(cmd, func(ctx context.Context, files []string) (int, error) {
		if len(files) == 0 {
			return statusFailed, errors.New("missing FILE: use lbctl import-history FILE [FILE ...]")
		}
		o.Files = files
		err := layoutOf(&o.Layout, *names, *ignored)
		if err != nil {
			return statusFailed, err
		}
		if c.getenv, err = withLocal(ctx, c, url, *isLocal); err != nil {
			return statusFailed, err
		}
		f.database = cmp.Or(f.database, c.getenv("DATABASE_URL_DIRECT"))
		if err := placesOf(ctx, &o, &f, c); err != nil {
			return statusFailed, err
		}
		if o.Mode, err = modeOfLines(o.Game, *mode); err != nil {
			return statusFailed, err
		}
		return bringPast(ctx, o, c)
	})
}

// layoutOf parses --map and --ignore.
func layoutOf(l *importer.Layout, names, ignored string) error {
	l.Rename = map[string]string{}
	for pair := range strings.SplitSeq(names, ",") {
		if names == "" {
			break
		}
		ours, theirs, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok || theirs == "" || !l.Knows(ours) {
			return fmt.Errorf("--map %q: use FIELD=NAME with commas between them; fields are %s", pair, l.Names())
		}
		l.Rename[theirs] = ours
	}
	if ignored != "" {
		for name := range strings.SplitSeq(ignored, ",") {
			l.Ignore = append(l.Ignore, strings.TrimSpace(name))
		}
	}
	return nil
}

// withLocal returns the environment. If that names no Redis, settings come from a local
// product.
func withLocal(ctx context.Context, c console, url string, always bool) (func(string) string, error) {
	if !always && (deployed.address(c) != "" || !demo.OnThisMachine(url)) {
		return c.getenv, nil
	}
	secrets, err := localSecrets(ctx, url)
	if err != nil && !always {
		return c.getenv, nil // a later step reports that Redis is not named
	}
	if err != nil {
		return nil, err
	}
	if secrets.DatabaseURL == "" {
		return nil, fmt.Errorf("the local product at %s has no database: it needs a Postgres on this machine", url)
	}
	return func(name string) string {
		switch name {
		case "UPSTASH_REDIS_REST_URL":
			return secrets.RedisURL
		case "UPSTASH_REDIS_REST_TOKEN":
			return secrets.RedisToken
		case "REDIS_URL":
			return ""
		case "DATABASE_URL", "DATABASE_URL_DIRECT":
			return secrets.DatabaseURL
		}
		return c.getenv(name)
	}, nil
}

// placesOf opens Redis and the history. A dry run works without them if they are not named.
func placesOf(ctx context.Context, o *backfill.Options, f *placeFlags, c console) error {
	if o.DryRun && deployed.address(c) == "" {
		c.notice("no Redis or database set: validating the files only")
		g, err := f.load(c)
		o.Game, o.Now = g, time.Now
		return err
	}
	job, err := f.open(ctx, c)
	if err != nil {
		return err
	}
	o.Game, o.Now, o.Closing = job.Game, job.Now, job.Closing
	return nil
}

// modeOfLines returns the mode of lines that name none.
func modeOfLines(g *game.Game, name string) (*game.Mode, error) {
	switch m, ok := g.ModeCalled(name); {
	case ok:
		return m, nil
	case name != "":
		return nil, fmt.Errorf("the game %s has no mode %q", g.Name, name)
	case len(g.Modes) == 1:
		return g.Modes[0], nil
	}
	return nil, nil
}

// bringPast runs the import, and prints the result.
func bringPast(ctx context.Context, o backfill.Options, c console) (int, error) {
	var state atomic.Pointer[progress.State]
	var phase backfill.Phase
	stop := func() {}
	o.Progress = func(p backfill.Progress) {
		state.Store(&progress.State{Share: p.Share, Count: p.Count, Unit: string(p.Phase)})
		if p.Phase != phase {
			stop()
			phase = p.Phase
			stop = progress.Show(progress.Options{Out: c.stderr, Terminal: c.terminal}, func() progress.State { return *state.Load() })
		}
	}
	began := time.Now()
	summary, err := backfill.Run(ctx, o)
	stop()
	printPast(c.stdout, o, summary, err, time.Since(began))
	var wrong *backfill.LinesError
	var differs *backfill.DifferError
	var lacks *closing.LackError
	switch {
	case errors.As(err, &wrong), errors.As(err, &differs), errors.Is(err, backfill.ErrDiffer), errors.As(err, &lacks):
		return statusFaults, err
	case err != nil:
		return statusFailed, err
	case summary.Refused.Count > 0:
		return statusFaults, nil
	}
	return statusGood, nil
}

// printPast prints what happened to the files.
func printPast(out io.Writer, o backfill.Options, s backfill.Summary, err error, took time.Duration) {
	if s.Lines == 0 {
		if err == nil {
			say(out, "0 lines read: the files are empty\n")
		}
		return
	}
	say(out, "%s lines read in %s (%s lines/s)\n", progress.Count(s.Lines), s.Read.Round(10*time.Millisecond), progress.Count(perSecond(s.Lines, s.Read)))
	if s.Entries > 0 {
		say(out, "  entries  %12s  of %s to %s\n", progress.Count(s.Entries), s.First, s.Last)
	}
	if s.Banned > 0 {
		say(out, "  banned   %12s  lines of banned players, skipped\n", progress.Count(s.Banned))
	}
	if s.Refused.Count > 0 {
		say(out, "  rejected %12s", progress.Count(s.Refused.Count))
		if !o.DryRun {
			say(out, "  see FILE.rejected.csv")
		}
		say(out, "\n")
		for i, kind := range s.Refused.ByCount() {
			if i == shownKinds {
				break
			}
			say(out, "    %12s  %s (first in line %d)\n", progress.Count(kind.Count), kind.Name, kind.First)
		}
		for _, r := range s.Refused.Examples {
			say(out, "  line %d: %s\n", r.Line, r.Reason)
		}
	}
	switch {
	case !s.DoneAt.IsZero():
		say(out, "Already imported on %s; nothing changed.\n", s.DoneAt.Format(time.RFC3339))
		return
	case o.Closing != nil:
		for _, part := range []struct {
			of    backfill.Share
			where string
		}{
			{s.Fresh, "whose boards have expired in Redis: to the archive"},
			{s.Living, "whose boards may be in Redis: to Redis, and from there to the archive"},
			{s.Same, "already up to date: unchanged"},
		} {
			if part.of.Days > 0 {
				say(out, "    %12s  of %s days %s\n", progress.Count(part.of.Entries), progress.Count(int64(part.of.Days)), part.where)
			}
		}
	}
	if s.Unclosed > 0 {
		say(out, "  %d days are not closed: the import closes them first and then compares Redis with the archive, which this run did not do\n", s.Unclosed)
	}
	if o.DryRun {
		say(out, "  nothing was written\n")
	}
	if s.Written > 0 {
		say(out, "  written  %12s  to the archive in %s (%s rows/s)\n", progress.Count(s.Written), s.Wrote.Round(10*time.Millisecond), progress.Count(perSecond(s.Written, s.Wrote)))
	}
	if s.Taken.Living > 0 {
		say(out, "  closed   %12d  days of modes in Redis\n", s.Taken.Living)
	}
	if s.Erased > 0 {
		say(out, "  erased   %12s  entries of erased players, skipped\n", progress.Count(s.Erased))
	}
	if err == nil && s.Fresh.Days+s.Living.Days > 0 && !o.DryRun {
		say(out, "  boards   %12s  rolled up, streaks of %s players, %d weeks, months and seasons closed; %s commands\n",
			progress.Count(int64(s.Taken.Boards)), progress.Count(int64(s.Taken.Streaks)), s.Taken.Periods, progress.Count(s.Taken.Commands))
	}
	say(out, "  in %s\n", took.Round(10*time.Millisecond))
}

func perSecond(n int64, d time.Duration) int64 {
	if d <= 0 {
		return 0
	}
	return int64(float64(n) / d.Seconds())
}
