package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/app"
)

// The environment variables of cron-usage: all of them or none.
const (
	envUpstashEmail    = "UPSTASH_EMAIL"       // of the Upstash account
	envUpstashKey      = "UPSTASH_API_KEY"     // of the account's management API, secret
	envUpstashDatabase = "UPSTASH_DATABASE_ID" // as in the console's address of the database
)

// Bill reads what Upstash has counted.
type Bill interface {
	// Days returns the commands of days, in UTC, as far back as Upstash has them.
	Days(ctx context.Context) (map[game.Date]int64, error)
}

// UsageChecked is the result of cron-usage.
type UsageChecked struct {
	Skipped string         `json:"skipped,omitempty"` // why nothing was compared
	Checked []CheckedUsage `json:"checked"`
}

// CheckedUsage is one day with both counts.
type CheckedUsage struct {
	Date    string   `json:"date"`
	Counted int64    `json:"counted"`
	Upstash int64    `json:"upstash"`
	Drift   *float64 `json:"drift,omitempty"` // relative to the larger figure; nil for a small day
}

// RunUsageCheck serves the function cron-usage on the host that the process detects,
// configured by its environment. It does not return.
func RunUsageCheck() {
	app.RunScheduled(func(a *app.App) (host.ScheduledFunc, error) {
		b, err := billFrom(app.Getenv)
		if err != nil {
			return nil, err
		}
		history, err := archiveFromEnv(1)
		if err != nil {
			return nil, err
		}
		return New(a, history).CheckUsage(b), nil
	})
}

// billFrom makes the reader of Upstash's figures; nil without credentials.
func billFrom(getenv func(string) string) (Bill, error) {
	c := usage.Config{Email: getenv(envUpstashEmail), Key: getenv(envUpstashKey), Database: getenv(envUpstashDatabase)}
	if c == (usage.Config{}) {
		return nil, nil
	}
	client, err := usage.NewBill(c)
	if err != nil {
		return nil, fmt.Errorf("%s, %s, %s: %w", envUpstashEmail, envUpstashKey, envUpstashDatabase, err)
	}
	return client, nil
}

// CheckUsage is the function cron-usage. It compares the product's own count of days that are
// over with Upstash's, keeps both, and warns of days that differ by more than 5%. Its metric
// is the newest day's difference. If b is nil, it does nothing.
func (j *Jobs) CheckUsage(b Bill) host.ScheduledFunc {
	if b == nil {
		skipped := envUpstashEmail + ", " + envUpstashKey + " and " + envUpstashDatabase + " are not set"
		return func(context.Context, time.Time) (any, error) {
			return UsageChecked{Checked: []CheckedUsage{}, Skipped: skipped}, nil
		}
	}
	return func(ctx context.Context, at time.Time) (any, error) {
		return j.noted(ctx, "cron-usage", at, func(ctx context.Context) (any, error) { return usageCheck{j.usage, b, j.log}.run(ctx, j.closing.Now()) })
	}
}

// usageCheck is one run of cron-usage.
type usageCheck struct {
	ledger *usage.Ledger
	bill   Bill
	log    *slog.Logger
}

func (u usageCheck) run(ctx context.Context, now time.Time) (any, error) {
	report := UsageChecked{Checked: []CheckedUsage{}}
	upstash, err := u.bill.Days(ctx)
	if err != nil {
		return report, err
	}
	checks, err := u.ledger.Check(ctx, now, upstash)
	for _, c := range checks {
		report.Checked = append(report.Checked, u.checked(ctx, c, c.Date == game.DateOf(now).AddDays(-1)))
	}
	return report, err
}

// checked reports one day's comparison.
func (u usageCheck) checked(ctx context.Context, c usage.Check, newest bool) CheckedUsage {
	checked := CheckedUsage{Date: c.Date.String(), Counted: c.Counted, Upstash: c.Upstash}
	part, compared := c.Drift()
	if !compared {
		return checked
	}
	rounded := math.Round(part*10_000) / 10_000
	checked.Drift = &rounded
	if newest {
		usage.ReportDrift(ctx, part)
	}
	if c.Drifts() {
		u.log.LogAttrs(ctx, slog.LevelWarn, "the count of commands and Upstash's differ by more than 5%",
			slog.String("date", checked.Date), slog.Int64("counted", c.Counted), slog.Int64("upstash", c.Upstash), slog.Float64("drift", rounded))
	}
	return checked
}
