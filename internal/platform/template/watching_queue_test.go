package template_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/price"
)

// Of the alarms, only those of the queue depend on a condition, and the price knows them.
func TestTheAlarmsOfTheQueueArePaidWithAQueueOnly(t *testing.T) {
	queued := 0
	all := alarms(t, nil)
	for _, r := range project(t).Resources {
		if a, is := all[r.LogicalID]; is && r.Condition != "" {
			require.Equal(t, "HasQueue", r.Condition, r.LogicalID)
			queued += len(a.metrics)
		}
	}
	require.Equal(t, price.Deployed.QueueAlarmMetrics, queued)
}
