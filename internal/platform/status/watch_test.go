package status_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// watch is what a run of a schedule finds, for one command.
func (k *kit) watch(running string, r *status.Reporter) (found []string) {
	var meter upstash.Meter
	for _, p := range r.Watch(upstash.WithMeter(k.Context(), &meter), running) {
		require.NotEmpty(k, p.Do, p.What)
		found = append(found, p.What)
	}
	require.LessOrEqual(k, meter.Usage().Commands, int64(1))
	return found
}

func TestARunFindsWhatIsWrongForOneCommand(t *testing.T) {
	k := newKit(t)
	require.Empty(t, k.watch("cron-save", k.reporter), "nothing has ever run: it is new")
	midnight := monday.Midnight()
	run := func(function string, due time.Time) {
		k.noted(function, status.Run{Due: due, Ended: due.Add(time.Minute)})
	}
	run("cron-daily", midnight.Add(20*time.Minute))
	require.Equal(t, []string{"cron-weekly has never run", "cron-save has never run"}, k.watch("cron-daily", k.reporter))
	require.Equal(t, []string{"cron-weekly has never run"}, k.watch("cron-save", k.reporter), "its own run is under way")
	require.Equal(t, []string{"cron-weekly has never run"}, k.watch("cron-daily", k.alone), "there is nothing to save without an archive")
	run("cron-weekly", midnight.Add(30*time.Minute))
	run("cron-save", midnight.Add(8*time.Hour))
	require.Empty(t, k.watch("cron-daily", k.reporter))

	k.now = k.now.Add(24 * time.Hour)
	require.Equal(t, []string{"cron-daily is late; last success: 2026-11-16T00:20:00Z"}, k.watch("cron-save", k.reporter))
	require.Equal(t, []string{"cron-save is late; last success: 2026-11-16T08:00:00Z"}, k.watch("cron-daily", k.reporter))
	k.noted("cron-daily", status.Run{Due: k.now, Ended: k.now, Error: "it failed"})
	require.Equal(t, []string{"the last run of cron-daily failed: it failed"}, k.watch("cron-save", k.reporter))
}

func TestARunFindsADatabaseWithoutTablesAndARedisWithoutQuota(t *testing.T) {
	k := newKit(t)
	k.sql(`DROP TABLE schema_migrations`)
	require.Equal(t, []string{fmt.Sprintf("the database has no tables; migrations 1 to %d are pending", archive.SchemaVersion)}, k.watch("cron-save", k.reporter))
	k.server.Inject(func(upstashtest.Request) upstashtest.Fault {
		return upstashtest.Fault{Status: 400, Body: `{"error":"ERR max requests limit exceeded. Limit: 500000, Usage: 500001."}`}
	})
	found := k.watch("cron-daily", k.alone)
	require.Len(t, found, 1)
	require.Contains(t, found[0], "Redis is not responding")
	require.Contains(t, found[0], "max requests limit exceeded")
}
