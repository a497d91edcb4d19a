package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"github.com/framedle/leaderboards/internal/feature/coldstorage"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/progress"
)

// coldFlags say where files of closed boards are, and which boards are meant.
type coldFlags struct {
	place, first, last, modes string
	replace                   bool
}

// add adds the flags of lbctl archive.
func (f *coldFlags) add(flags *pflag.FlagSet) {
	f.dates(flags, "to")
	flags.StringVar(&f.place, "to", "", "`location` of the Parquet files: s3://bucket/prefix, or a folder; credentials come from $AWS_ACCESS_KEY_ID and _SECRET_ACCESS_KEY or as for other tools of AWS, e.g. $AWS_PROFILE; region and endpoint from $AWS_REGION and $AWS_ENDPOINT_URL_S3")
	flags.StringVar(&f.modes, "modes", "", modesUsage)
	flags.BoolVar(&f.replace, "replace", false, "with --to: replace files that differ from the archive")
}

// dates adds the flags that are for files alone. direction is "to" or "from".
func (f *coldFlags) dates(flags *pflag.FlagSet, direction string) {
	flags.StringVar(&f.first, "first", "", "with -"+direction+": the first `date`, as 2026-11-01; boards of longer periods by their last days")
	flags.StringVar(&f.last, "last", "", "with -"+direction+": the last `date`")
}

// asked reports whether a flag other than the place is set.
func (f *coldFlags) asked() bool { return f.first+f.last+f.modes != "" || f.replace }

// keeper opens the files and the history. It asks nothing of Redis.
func (f *coldFlags) keeper(ctx context.Context, p placeFlags, c console) (*coldstorage.Keeper, coldstorage.Options, func(), error) {
	var o coldstorage.Options
	g, err := p.load(c)
	if err != nil {
		return nil, o, nil, err
	}
	if o.Modes, err = modesNamed(g, f.modes); err != nil {
		return nil, o, nil, err
	}
	for _, bound := range []struct {
		text string
		date *game.Date
	}{{f.first, &o.From}, {f.last, &o.To}} {
		if bound.text == "" {
			continue
		}
		if *bound.date, err = game.ParseDate(bound.text); err != nil {
			return nil, o, nil, err
		}
	}
	if f.first != "" && f.last != "" && o.To.Before(o.From) {
		return nil, o, nil, fmt.Errorf("--first %s is after --last %s", f.first, f.last)
	}
	now := time.Now
	if p.now != "" {
		at, err := parseNow(p.now)
		if err != nil {
			return nil, o, nil, err
		}
		now = func() time.Time { return at }
	}
	files, err := coldstorage.OpenStore(ctx, f.place, c.getenv)
	if err != nil {
		return nil, o, nil, err
	}
	history, err := p.history(c)
	if err != nil {
		return nil, o, nil, err
	}
	if history == nil {
		return nil, o, nil, errNoDatabase
	}
	var done, all atomic.Int64
	o.Step = func(n, of int) { done.Store(int64(n)); all.Store(int64(of)) }
	stop := progress.Show(progress.Options{Out: c.stderr, Terminal: c.terminal}, func() progress.State {
		return progress.State{Share: float64(done.Load()) / float64(max(1, all.Load())), Count: done.Load(), Unit: "boards"}
	})
	end := func() { stop(); history.Close(context.WithoutCancel(ctx)) }
	return &coldstorage.Keeper{Game: g, Archive: history, Files: files, Now: now}, o, end, nil
}

// keepCold is lbctl archive --to.
func keepCold(ctx context.Context, p placeFlags, f coldFlags, c console) (int, error) {
	k, o, end, err := f.keeper(ctx, p, c)
	if err != nil {
		return statusFailed, err
	}
	o.Replace = f.replace
	report, err := k.Keep(ctx, o)
	end()
	if err := errors.Join(err, writeJSON(c, report)); err != nil {
		return statusFailed, err
	}
	if len(report.Differ) > 0 {
		c.notice("some files differ from the archive; use --replace to replace them")
		return statusFaults, nil
	}
	return statusGood, nil
}

// restoreCold is lbctl restore --from.
func restoreCold(ctx context.Context, p placeFlags, f coldFlags, c console) (int, error) {
	k, o, end, err := f.keeper(ctx, p, c)
	if err != nil {
		return statusFailed, err
	}
	report, err := k.Restore(ctx, o)
	end()
	refused := errors.Is(err, coldstorage.ErrRefused)
	if refused {
		c.notice(err.Error())
		err = nil
	}
	if err := errors.Join(err, writeJSON(c, report)); err != nil {
		return statusFailed, err
	}
	if refused {
		return statusFaults, nil
	}
	return statusGood, nil
}
