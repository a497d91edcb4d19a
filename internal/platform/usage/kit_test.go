package usage_test

import (
	"context"
	"testing"
	"time"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

var (
	// Redis drops counters by its own clock, so the tests play far ahead of it.
	noon  = time.Date(2096, 11, 21, 12, 0, 0, 0, time.UTC)
	today = game.DateOf(noon)
)

// connect gives a client of a Redis of its own.
func connect(t testing.TB) (*upstashtest.Server, *upstash.Client) {
	t.Helper()
	redis := testkit.NewRedis(t, "", testkit.AtOnce)
	return redis.Server, redis.Client
}

// spend has a client send commands in one round trip.
func spend(ctx context.Context, client *upstash.Client, commands int) error {
	var all []upstash.Command
	for range commands {
		all = append(all, upstash.Cmd("GET", "x"))
	}
	_, err := client.Pipeline(ctx, all...)
	return err
}

// shelf is an archive in memory.
type shelf map[game.Date]usage.Day

func (s shelf) KeepChecks(_ context.Context, checks []usage.Check) error {
	for _, c := range checks {
		day := s[c.Date]
		day.Date, day.Check = c.Date, &c
		s[c.Date] = day
	}
	return nil
}

func (s shelf) Checks(_ context.Context, from, to game.Date) (checks []usage.Check, err error) {
	for d := from; !d.After(to); d = d.AddDays(1) {
		if kept := s[d].Check; kept != nil {
			checks = append(checks, *kept)
		}
	}
	return checks, nil
}

func (s shelf) KeepUsage(_ context.Context, days []usage.Day) error {
	for _, d := range days {
		s[d.Date] = d
	}
	return nil
}

func (s shelf) UsageParts(_ context.Context, from, to game.Date) (map[game.Date]map[usage.Part]usage.Count, error) {
	parts := map[game.Date]map[usage.Part]usage.Count{}
	for d := from; !d.After(to); d = d.AddDays(1) {
		if kept := s[d].Parts; kept != nil {
			parts[d] = kept
		}
	}
	return parts, nil
}

func (s shelf) UsageDays(_ context.Context, from, to game.Date) (days []usage.Day, err error) {
	for d := from; !d.After(to); d = d.AddDays(1) {
		if kept, ok := s[d]; ok {
			kept.Parts = nil
			days = append(days, kept)
		}
	}
	return days, nil
}
