package replay

import (
	"context"
	"fmt"
	"strings"
)

// spent is what has been spent up to a moment.
type spent struct {
	billed, roundTrips int64 // by the function submit, as the product's meter has it
	counted            int64 // by everybody, as Redis has it; 0 where it was not asked
}

func (r *replay) spent(ctx context.Context) (spent, error) {
	usage, err := r.Client.LocalUsage(ctx)
	if err != nil {
		return spent{}, fmt.Errorf("ask what was spent: %w", err)
	}
	s := spent{billed: usage.ByFunction["submit"].Commands, roundTrips: usage.ByFunction["submit"].RoundTrips}
	if r.Engine == nil {
		return s, nil
	}
	stats, err := r.Engine(ctx)
	if err != nil {
		return spent{}, fmt.Errorf("ask Redis what it has run: %w", err)
	}
	for name, calls := range stats {
		if !free(name) {
			s.counted += calls
		}
	}
	return s, nil
}

// free tells the commands that Upstash does not bill, and those by which a
// connection is set up, which over REST there is none of. Redis names
// subcommands as in config|get.
func free(name string) bool {
	name, _, _ = strings.Cut(name, "|")
	switch name {
	case "auth", "client", "command", "config", "hello", "info", "ping", "select":
		return true
	}
	return false
}
