package problem

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/framedle/leaderboards/upstash"
)

// quota is what is known of a plan's commands that are used up.
type quota struct {
	says string    // Upstash's own words, with limit and usage
	back time.Time // when a month's or day's commands begin anew, by UTC
}

// quotaOf reports whether the plan's commands are used up. A month's come back on
// the first of the next one: so on the free plan; on others the owner has set
// the limit, and can raise it.
func quotaOf(err error, now time.Time) (quota, bool) {
	var e *upstash.Error
	if !errors.As(err, &e) || e.Kind() != upstash.KindQuota {
		return quota{}, false
	}
	now = now.UTC()
	switch {
	case strings.Contains(e.Message, "max requests limit"):
		return quota{e.Message, time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)}, true
	case strings.Contains(e.Message, "max daily request limit"):
		return quota{e.Message, time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC)}, true
	}
	return quota{}, false // a full storage
}

// Error is for the operator.
func (q quota) Error() string {
	return fmt.Sprintf("the plan's commands are used up: scores are refused, and reads are answered from memory and from the history; "+
		"on the free plan they come back at %s, else when the limit is raised (%s)", q.back.Format(time.RFC3339), q.says)
}

// longestWait bounds what an operator's probe is told to wait.
const longestWait = 24 * time.Hour

// ForOperator names the quota to the operator, where that is why Redis refuses.
func ForOperator(err error, now time.Time) error {
	if q, ok := quotaOf(err, now); ok {
		return Unavailable(q.Error(), min(q.back.Sub(now), longestWait))
	}
	return err
}

// RefusalAttrs are what the log tells of an error beside it.
func RefusalAttrs(err error, now time.Time) []slog.Attr {
	if q, ok := quotaOf(err, now); ok {
		return []slog.Attr{slog.String("quota", q.says), slog.Time("quota_back", q.back)}
	}
	return nil
}

// RefusedToken is what the operator is told where Redis takes no command, or none
// that writes.
const RefusedToken = "Redis refuses the token: UPSTASH_REDIS_REST_TOKEN is wrong, was reset, or is the read-only one"
