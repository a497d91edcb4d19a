package upstashtest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	defaultRequestBytes = 10 << 20
	// maxBodyBytes bounds a request of several commands; each of them may have the size
	// that the plan allows.
	maxBodyBytes = 64 << 20
)

// Plan is what an Upstash database may do; 0 means no limit of that kind.
// [Server.ResetUsage] begins a new month.
type Plan struct {
	// MonthlyCommands is how many commands are billed in a month; beyond that every
	// command fails.
	MonthlyCommands int64
	// CommandsPerSecond is the rate beyond which requests wait.
	CommandsPerSecond int
	// RequestBytes bounds a command, and also an answer.
	RequestBytes int
	// RecordBytes bounds one key's value, as MEMORY USAGE reports it.
	RecordBytes int64
}

// FreePlan is the plan that costs nothing, as of 2026.
func FreePlan() Plan {
	return Plan{MonthlyCommands: 500_000, CommandsPerSecond: 10_000, RequestBytes: defaultRequestBytes, RecordBytes: 100 << 20}
}

// PayAsYouGo is the plan that bills each command, as of 2026.
func PayAsYouGo() Plan {
	return Plan{CommandsPerSecond: 10_000, RequestBytes: defaultRequestBytes, RecordBytes: 100 << 20}
}

// enforce sets the refusal of each command that goes beyond the plan, bills the others,
// and waits if requests come too fast.
func (s *Server) enforce(ctx context.Context, x *exchange) (cost int64) {
	if x.shape == shapeTransaction {
		for _, name := range []string{"multi", "exec"} {
			cost += s.bill(s.engine.catalog.kind([]byte(name)))
		}
	}
	for i := range x.commands {
		c := &x.commands[i]
		if s.plan != nil && c.refusal == "" {
			c.refusal = s.beyondPlan(ctx, *c)
			if c.refusal != "" {
				continue
			}
		}
		cost += s.bill(c.kind)
	}
	if s.plan != nil {
		sleep(ctx, s.pace.reserve(time.Now(), len(x.commands)))
	}
	return cost
}

func (s *Server) beyondPlan(ctx context.Context, c command) string {
	p := s.plan
	if used := s.ledger.direct.Load() + s.ledger.inner.Load(); p.MonthlyCommands > 0 && used >= p.MonthlyCommands {
		return fmt.Sprintf("ERR max requests limit exceeded. Limit: %d, Usage: %d. See https://upstash.com/docs/redis/troubleshooting/max_requests_limit for details", p.MonthlyCommands, used)
	}
	if p.RequestBytes > 0 && c.size > p.RequestBytes {
		return string(tooLarge(p.RequestBytes, c.size))
	}
	if p.RecordBytes == 0 || !c.kind.grows || len(c.args) < 2 {
		return ""
	}
	size := int64(c.size)
	if c.kind.name != "set" {
		v, _ := s.engine.Do(ctx, "MEMORY", "USAGE", string(c.args[1]))
		held, _ := v.(int64) // 0 for no key, and for an engine without MEMORY USAGE
		size += held
	}
	if size > p.RecordBytes {
		return fmt.Sprintf("ERR max single record size exceeded. Limit: %d bytes, Actual: %d bytes", p.RecordBytes, size)
	}
	return ""
}

func tooLarge(limit, actual int) []byte {
	return fmt.Appendf(nil, "ERR max request size exceeded. Limit: %d bytes, Actual: %d bytes", limit, actual)
}

// failureStatus is the HTTP status for a request that the refusal of c fails.
func failureStatus(c command) int {
	if strings.HasPrefix(c.refusal, "ERR max request size exceeded") {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

// pace spaces commands evenly, perSecond of them; a second's worth may run at once. Safe
// for concurrent use.
type pace struct {
	perSecond int

	mu   sync.Mutex
	next time.Time // when the places handed out so far will have been used
}

// reserve reserves places for n commands and returns how long to wait for them.
func (p *pace) reserve(now time.Time, n int) time.Duration {
	if p.perSecond == 0 {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next.Before(now) {
		p.next = now
	}
	p.next = p.next.Add(time.Duration(n) * time.Second / time.Duration(p.perSecond))
	return max(0, p.next.Sub(now)-time.Second)
}
