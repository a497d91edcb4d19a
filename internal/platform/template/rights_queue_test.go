package template_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// A score that fails is tried again, alone, and finally waits in a queue with an alarm.
func TestNoQueuedScoreIsLostOrTakenTwiceAtOnce(t *testing.T) {
	resources := map[string]map[string]any{}
	for _, r := range project(t).Resources {
		resources[r.LogicalID] = r.Properties
	}
	ingest, ok := project(t).Function("ingest")
	require.True(t, ok)
	event := resources["IngestFunction"]["Events"].(map[string]any)["Scores"].(map[string]any)["Properties"].(map[string]any)
	require.Equal(t, []any{"ReportBatchItemFailures"}, event["FunctionResponseTypes"])
	queue := resources["QueuedScores"]
	visibility, err := strconv.Atoi(queue["VisibilityTimeout"].(string))
	require.NoError(t, err)
	require.GreaterOrEqual(t, visibility, 6*ingest.TimeoutS+60, "six times the function's time and the longest window")
	require.Equal(t, map[string]any{"deadLetterTargetArn": "!GetAtt DeadScores.Arn", "maxReceiveCount": "20"}, queue["RedrivePolicy"])
	for _, name := range []string{"QueuedScores", "DeadScores"} {
		require.Equal(t, "1209600", resources[name]["MessageRetentionPeriod"], "14 days, the longest there is")
	}
	require.Contains(t, resources, "DeadScoresAlarm")
}

// Of three queues one is there without queue mode, too. Function ops reads the dead letters of it
// and of scores.
func TestTheFunctionOpsIsToldOfDeadLetters(t *testing.T) {
	queues := map[string]string{} // conditions by name
	for _, r := range project(t).Resources {
		if r.Type == "AWS::SQS::Queue" {
			queues[r.LogicalID] = r.Condition
		}
		if r.LogicalID == "OpsFunction" {
			variables := r.Properties["Environment"].(map[string]any)["Variables"].(map[string]any)
			require.Equal(t, "!Ref FailedRuns", variables["FAILED_RUNS_QUEUE_URL"])
			require.Equal(t, map[string]any{"!If": []any{"HasQueue", "!Ref DeadScores", ""}}, variables["DEAD_SCORES_QUEUE_URL"])
		}
	}
	require.Equal(t, map[string]string{"FailedRuns": "", "QueuedScores": "HasQueue", "DeadScores": "HasQueue"}, queues)
}
