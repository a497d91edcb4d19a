package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
	"github.com/framedle/leaderboards/upstash"
)

// errNoRules is returned for a Redis to which nothing was written.
var errNoRules = errors.New("no rules stored yet; the first write, or cron-daily, stores them")

// besideStored compares a game file with the rules stored in Redis. If the file is wrong, it
// prints why and returns a nil g. Errors: errNoRules.
func besideStored(ctx context.Context, path string, c console) (g *game.Game, redis *upstash.Client, changes []ruleset.Change, err error) {
	g, wrong, err := gameFrom(path)
	if err != nil {
		return nil, nil, nil, err
	}
	if wrong != nil {
		_, _ = fmt.Fprintln(c.stdout, wrong)
		return nil, nil, nil, nil
	}
	if redis, err = redisFrom(ctx, c, deployed); err != nil {
		return nil, nil, nil, err
	}
	kept, err := control.KeptRules(ctx, redis)
	if err != nil {
		return nil, nil, nil, err
	}
	if len(kept) == 0 {
		return g, redis, nil, errNoRules
	}
	old, err := ruleset.Parse(ruleset.Keep(kept, nil))
	return g, redis, ruleset.Diff(old, ruleset.Of(g), g.Today(time.Now())), err
}

func diffStored(ctx context.Context, path string, c console) (int, error) {
	g, _, changes, err := besideStored(ctx, path, c)
	switch {
	case errors.Is(err, errNoRules):
		_, _ = fmt.Fprintln(c.stdout, err)
		return statusGood, nil
	case err != nil:
		return statusFailed, err
	case g == nil:
		return statusFaults, nil
	}
	return printChanges(c.stdout, changes, "the stored boards use these rules; rules that no stored score depends on, such as titles and limits, are not compared")
}

func acceptGame(ctx context.Context, path string, c console) (int, error) {
	g, redis, changes, err := besideStored(ctx, path, c)
	switch {
	case err != nil && !errors.Is(err, errNoRules):
		return statusFailed, err
	case g == nil:
		return statusFaults, nil
	}
	for _, change := range changes {
		printChange(c.stdout, change)
	}
	if err := control.AcceptRules(ctx, redis, g); err != nil {
		return statusFailed, err
	}
	_, _ = fmt.Fprintf(c.stdout, "boards now use the rules of %s; data listed as refused above will be misread\n", path)
	return statusGood, nil
}
