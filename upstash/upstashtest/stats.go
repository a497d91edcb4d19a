package upstashtest

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// CommandStats is how often the engine ran each command since its start or CONFIG
// RESETSTAT, by lower-case name and including the commands that scripts called. It reads
// INFO commandstats.
func (e *Engine) CommandStats(ctx context.Context) (map[string]int64, error) {
	stats := map[string]int64{}
	err := e.eachStat(ctx, func(name string, calls, _ int64) { stats[name] = calls })
	return stats, err
}

func (e *Engine) eachStat(ctx context.Context, f func(name string, calls, rejected int64)) error {
	v, err := e.Do(ctx, "INFO", "commandstats")
	if err != nil {
		return fmt.Errorf("upstashtest: command statistics: %w", err)
	}
	text, _ := v.(string)
	for line := range strings.SplitSeq(text, "\r\n") {
		name, fields, ok := strings.Cut(strings.TrimPrefix(line, "cmdstat_"), ":calls=")
		if !ok {
			continue
		}
		count, _, _ := strings.Cut(fields, ",")
		calls, err := strconv.ParseInt(count, 10, 64)
		if err != nil {
			return fmt.Errorf("upstashtest: command statistics: line %q: %w", line, err)
		}
		_, count, _ = strings.Cut(fields, "rejected_calls=")
		count, _, _ = strings.Cut(count, ",")
		rejected, _ := strconv.ParseInt(count, 10, 64) // 0 if the engine does not tell it
		f(name, calls, rejected)
	}
	return nil
}

// unsent is how often the engine ran each command beyond what this server sent to it: the
// commands that scripts called, and those that others sent to a given engine.
func (e *Engine) unsent(ctx context.Context) (map[string]int64, error) {
	extra := map[string]int64{}
	err := e.eachStat(ctx, func(name string, calls, rejected int64) {
		name, _, _ = strings.Cut(name, "|") // a subcommand
		extra[name] += calls + rejected
	})
	e.catalog.each(func(k *kind) {
		if _, ok := extra[k.name]; ok {
			extra[k.name] -= k.sent.Load()
		}
	})
	maps.DeleteFunc(extra, func(name string, _ int64) bool {
		return name == "select" || e.catalog.kind([]byte(name)).free // sent by the pool itself
	})
	return extra, err
}
