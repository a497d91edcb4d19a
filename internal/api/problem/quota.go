package problem

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/framedle/leaderboards/upstash"
)

// quota describes a plan whose commands are used up.
type quota struct {
	says string    // Upstash's own message, with limit and usage
	back time.Time // when the commands of the next month or day begin, in UTC
}

// quotaOf reports whether the plan's commands are used up. On the free plan they come back on
// the first of the next month, or the next day. On other plans the owner has set the limit
// and can raise it.
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
	return quota{}, false // storage is full
}

// Error is the text for operators.
func (q quota) Error() string {
	return fmt.Sprintf("the plan's commands are used up: scores are refused, and reads are answered from memory and from the history; "+
		"on the free plan they come back at %s, else when the limit is raised (%s)", q.back.Format(time.RFC3339), q.says)
}

// longestWait bounds the wait that an operator's probe is told.
const longestWait = 24 * time.Hour

// ForOperator makes an error name the quota, if a used-up quota is why Redis refuses.
func ForOperator(err error, now time.Time) error {
	if q, ok := quotaOf(err, now); ok {
		return Unavailable(q.Error(), min(q.back.Sub(now), longestWait))
	}
	return err
}

// RefusalAttrs are what the log says of an error in addition to its text.
func RefusalAttrs(err error, now time.Time) []slog.Attr {
	if q, ok := quotaOf(err, now); ok {
		return []slog.Attr{slog.String("quota", q.says), slog.Time("quota_back", q.back)}
	}
	return nil
}

// RefusedToken is what operators are told if Redis accepts no command with this token, or no
// command that writes.
const RefusedToken = "Redis refuses the token: UPSTASH_REDIS_REST_TOKEN is wrong, was reset, or is the read-only one; with REDIS_URL, its user or password is wrong, or the user may not run every command"
