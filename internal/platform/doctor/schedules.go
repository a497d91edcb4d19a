package doctor

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// standing is the used part of the answer of GET /v1/ops/status.
type standing struct {
	Problems  []struct{ What, Do string }
	Schedules []struct {
		Function string
		LastGood *struct{ Ended time.Time } `json:"last_good"`
		Next     time.Time
	}
}

// schedules checks the problems that the product itself reports, and the last runs.
func (e *examination) schedules(ctx context.Context) {
	if e.OpsToken == "" {
		return // stores has reported it
	}
	a, err := e.ask(ctx, http.MethodGet, "/v1/ops/status", "", bearer(e.OpsToken))
	var s standing
	switch {
	case err == nil && (a.status == http.StatusUnauthorized || a.status == http.StatusForbidden):
		return // reported already
	case err != nil || a.status != http.StatusOK || json.Unmarshal(a.body, &s) != nil:
		e.add("schedules", Wrong, "no status: %s", a.found())
		return
	}
	for _, p := range s.Problems {
		e.add("status", Wrong, "%s. Fix: %s", p.What, p.Do)
	}
	if len(s.Problems) == 0 {
		e.add("status", Good, "no problems reported")
	}
	for _, one := range s.Schedules {
		if one.LastGood == nil {
			e.add("schedules", Note, "%s has not run yet; next run %s", one.Function, one.Next.Format(time.RFC3339))
			continue
		}
		e.add("schedules", Good, "%s succeeded at %s", one.Function, one.LastGood.Ended.Format(time.RFC3339))
	}
}
