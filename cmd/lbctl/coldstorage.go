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

// filesFlags say where files of closed boards are, and which boards are meant.
type filesFlags struct {
	direction                 string // "to" or "from"
	place, first, last, modes string
}

func (f *filesFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.place, f.direction, "", "`place` of the Parquet files: s3://bucket/prefix, or a folder; rights come from $AWS_ACCESS_KEY_ID and _SECRET_ACCESS_KEY or as for other tools of AWS, e.g. $AWS_PROFILE; region and endpoint from $AWS_REGION and $AWS_ENDPOINT_URL_S3")
	flags.StringVar(&f.first, "first", "", "with -"+f.direction+": the first `date`, as 2026-11-01; boards of longer periods by their last days")
	flags.StringVar(&f.last, "last", "", "with -"+f.direction+": the last `date`")
	flags.StringVar(&f.modes, "modes", "", "`modes`, separated by commas; all without it")
}

// asked reports whether a flag other than the place is set.
func (f *filesFlags) asked() bool { return f.first+f.last+f.modes != "" }

// keeper opens the files and the history. It asks nothing of Redis.
func (f *filesFlags) keeper(ctx context.Context, p placeFlags, c console) (*coldstorage.Keeper, coldstorage.Options, func(), error) {
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

// keepFiles is lbctl archive --to.
func keepFiles(ctx context.Context, p placeFlags, f filesFlags, replace bool, c console) (int, error) {
	k, o, end, err := f.keeper(ctx, p, c)
	if err != nil {
		return statusFailed, err
	}
	o.Replace = replace
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

// restoreFiles is lbctl restore --from.
func restoreFiles(ctx context.Context, p placeFlags, f filesFlags, c console) (int, error) {
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
