package api

import (
	"context"
	"fmt"
	"math"
	"net/http"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/usage"
)

// Usage tells what each day cost.
type Usage interface {
	// Days are all days from from to to, which is today, oldest first.
	Days(ctx context.Context, from, to game.Date) ([]usage.Day, error)
}

// WithUsage is the API with another source of what days cost.
func (a *API) WithUsage(u Usage) *API {
	with := *a
	with.Usage = u
	return &with
}

// How many days may be asked for at once.
const (
	usualUsageDays = 30
	mostUsageDays  = 90
)

type usageAnswer struct {
	Days           []usageDay `json:"days"`
	ProjectedMonth int64      `json:"projected_month"`
	Plan           usagePlan  `json:"plan"`
}

type usageDay struct {
	Date       string                   `json:"date"`
	Commands   int64                    `json:"commands"`
	RoundTrips int64                    `json:"round_trips"`
	ByFunction map[string]functionUsage `json:"by_function"`
}

type functionUsage struct {
	Calls         int64 `json:"calls"`
	Commands      int64 `json:"commands"`
	RoundTrips    int64 `json:"round_trips"`
	BytesSent     int64 `json:"bytes_sent"`
	BytesReceived int64 `json:"bytes_received"`
	Failed        int64 `json:"failed"`
	Throttled     int64 `json:"throttled"`
	Replayed      int64 `json:"replayed"`
}

type usagePlan struct {
	Commands int64   `json:"commands"`
	Share    float64 `json:"share"`
}

// getUsage tells what was spent by day and function: GET /v1/ops/usage. The
// projection looks back a week, whatever was asked for.
func (o ops) getUsage(w http.ResponseWriter, r *http.Request) error {
	q := newQuery(r)
	asked := int(q.number("days", usualUsageDays, 1, mostUsageDays))
	if err := q.done(); err != nil {
		return err
	}
	today := game.DateOf(o.Now())
	days, err := o.Usage.Days(r.Context(), today.AddDays(1-max(asked, usage.ProjectionDays)), today)
	if err != nil {
		return fmt.Errorf("tell what days cost: %w", err)
	}
	month := usage.ProjectMonth(days)
	answer := usageAnswer{
		ProjectedMonth: month,
		Plan:           usagePlan{usage.FreePlan, math.Round(float64(month)/usage.FreePlan*10_000) / 10_000},
	}
	for _, d := range days[len(days)-asked:] {
		total := d.Total()
		told := usageDay{d.Date.String(), total.Commands, total.RoundTrips, map[string]functionUsage{}}
		for function, c := range d.ByFunction {
			told.ByFunction[function] = functionUsage{
				Calls: c.Calls, Commands: c.Commands, RoundTrips: c.RoundTrips, BytesSent: c.Sent, BytesReceived: c.Received,
				Failed: c.Failed, Throttled: c.Throttled, Replayed: c.Replayed,
			}
		}
		answer.Days = append(answer.Days, told)
	}
	return writeJSON(w, r, http.StatusOK, "no-store", answer)
}
