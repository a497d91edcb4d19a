package status

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

// Writes says whether scores and all other changes are accepted.
type Writes struct {
	Taken       bool         `json:"taken"`
	Maintenance *Maintenance `json:"maintenance"` // null: none is on
	// Refused are the rules of this build that do not fit the stored boards.
	Refused []string `json:"refused_rules"`
}

// Maintenance is a maintenance that is on. One from the deployment's settings has neither
// beginning nor end.
type Maintenance struct {
	Since  *time.Time `json:"since"`
	Until  *time.Time `json:"until"`
	Reason string     `json:"reason"`
}

// writes checks what stops writes, in Redis and in the settings of this process.
func (r *Reporter) writes(ctx context.Context, s *Status) error {
	halt, err := control.ReadHalt(ctx, r.Redis, r.Game, s.Now)
	if err != nil {
		return err
	}
	deployed := (*control.MaintenanceError)(nil)
	switch m := halt.Maintenance; {
	case errors.As(r.Notices.Halted(), &deployed) && deployed.Until.IsZero():
		s.Writes.Maintenance = &Maintenance{Reason: deployed.Reason}
		s.problem("redeploy without MAINTENANCE to end it", "maintenance mode is on, by deployment: %s", deployed.Reason)
	case m != nil:
		s.Writes.Maintenance = &Maintenance{Since: &m.Since, Until: &m.Until, Reason: m.Reason}
		s.problem("lbctl maintenance off to end it", "maintenance mode is on until %s%s", m.Until.Format(time.RFC3339), because(m.Reason))
	}
	if halt.Rules != nil {
		if changed := (*ruleset.ChangedError)(nil); errors.As(halt.Rules, &changed) {
			for _, c := range changed.Changes {
				s.Writes.Refused = append(s.Writes.Refused, fmt.Sprintf("%s: %s -> %s", c.Path, c.Old, c.New))
			}
		}
		s.problem("redeploy the previous game file; see docs/operate/runbook.md, Wrong rules", "all writes rejected: %v", halt.Rules)
	}
	s.Writes.Taken = s.Writes.Maintenance == nil && halt.Rules == nil
	return nil
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}
