package control

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/fault"

	"github.com/framedle/leaderboards/internal/redis"
)

// Maintenance is a time in which reads are answered and writes are refused.
type Maintenance struct {
	Since  time.Time `json:"since"`
	Until  time.Time `json:"until"` // when it ends by itself
	Reason string    `json:"reason"`
}

// MaintenanceError refuses a write during maintenance. Until is zero if the process's own
// settings are the reason.
type MaintenanceError struct {
	Maintenance
	Left time.Duration // until it ends
}

func (e *MaintenanceError) Error() string {
	text := "the leaderboards are in maintenance and accept no writes"
	if !e.Until.IsZero() {
		text += " until " + e.Until.UTC().Format(time.RFC3339)
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// How long a caller should wait before a retry.
const (
	endlessWait = time.Minute     // in a maintenance without an end
	plannedWait = 5 * time.Minute // at most, in one with an end: it may end sooner than planned
)

func (e *MaintenanceError) Fault() fault.Fault {
	wait := endlessWait
	if !e.Until.IsZero() {
		wait = min(max(time.Second, e.Left), plannedWait)
	}
	return fault.Fault{Code: "maintenance", Detail: e.Error(), Wait: wait}
}

// asksToWait returns the maintenance that ends last.
func (n Set) asksToWait() (last Maintenance, on bool) {
	for _, text := range n.maintenance {
		var m Maintenance
		if err := json.Unmarshal([]byte(text), &m); err == nil && (!on || m.Until.After(last.Until)) {
			last, on = m, true
		}
	}
	return last, on
}

// Maintain begins a maintenance and returns it. It replaces one that is on already, and takes
// over its Since. This process notices at once, others after [NoticedWithin] at the latest.
//
// Cost: at most 4 billed commands in 2 round trips.
func (ns *Notices) Maintain(ctx context.Context, m Maintenance) (Maintenance, error) {
	n, err := readNotices(ctx, ns.db.Redis)
	if err != nil {
		return m, redis.Wrap("begin maintenance", err)
	}
	if was, on := n.asksToWait(); on && ns.db.Now().Before(was.Until) {
		m.Since = was.Since
	}
	text, err := json.Marshal(m)
	if err != nil {
		return m, fmt.Errorf("begin maintenance: %w", err)
	}
	return m, redis.Wrap("begin maintenance", ns.remembered.replaceMaintenance(ctx, ns.db.Redis, n.maintenance, string(text)))
}

// EndMaintenance ends a maintenance: this process takes writes again at once, others within a
// minute.
//
// Cost: 1 billed command, 3 if there is a maintenance.
func (ns *Notices) EndMaintenance(ctx context.Context) error {
	n, err := readNotices(ctx, ns.db.Redis)
	if err != nil {
		return redis.Wrap("end maintenance", err)
	}
	return redis.Wrap("end maintenance", ns.remembered.replaceMaintenance(ctx, ns.db.Redis, n.maintenance, ""))
}

// Maintenance reads the maintenance, and reports whether one is on.
//
// Cost: 1 billed command.
func (ns *Notices) Maintenance(ctx context.Context) (m Maintenance, on bool, err error) {
	n, err := readNotices(ctx, ns.db.Redis)
	if err != nil {
		return m, false, redis.Wrap("read the maintenance", err)
	}
	m, on = n.asksToWait()
	return m, on && ns.db.Now().Before(m.Until), nil
}
