package functions_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/product/app"
)

func TestQueuedScoresAreWrittenByTheBuiltFunction(t *testing.T) {
	f := launch(t, "ingest")
	for what, event := range malformed {
		_, response := invoke(t, f, []byte(event))
		require.Equal(t, "EventError", response.ErrorType, what)
	}
	g, err := app.LoadGame("")
	require.NoError(t, err)
	m, ok := g.Mode("daily_frame")
	require.True(t, ok)
	now := time.Now()
	body, err := queue.Encode(game.Submission{Mode: m, Player: "user_a", Date: game.DateOf(now), Score: 800, At: now})
	require.NoError(t, err)
	event, err := host.NewQueueEvent([]host.QueueMessage{{ID: "m-1", Body: body, Receives: 1}, {ID: "m-2", Body: "poison", Receives: 1}})
	require.NoError(t, err)
	_, response := invoke(t, f, event)
	require.False(t, response.Failed(), response.ErrorMessage)
	require.JSONEq(t, `{"batchItemFailures":[{"itemIdentifier":"m-2"}]}`, string(response.Payload))
	require.NoError(t, f.Close())
	require.Regexp(t, `"Function":"ingest".*"Accepted":1`, f.Stdout())
	require.Contains(t, f.Stderr(), "a queued score cannot be read")
}

// The SDK of AWS costs a megabyte and a millisecond. Functions that neither fill a queue
// nor count its messages do not link it.
func TestTheSDKOfAWSIsWhereAQueueIsFilledOrCountedAndNowhereElse(t *testing.T) {
	const sdk = "github.com/aws/aws-sdk-go-v2/service/sqs"
	folders, err := os.ReadDir(".")
	require.NoError(t, err)
	var has []string
	for _, f := range folders {
		if f.IsDir() && slices.Contains(linked(t, f.Name()), sdk) {
			has = append(has, f.Name())
		}
	}
	require.Equal(t, []string{"enqueue", "ops"}, has)
	require.NotContains(t, linked(t, "enqueue"), postgresDriver)
	require.NotContains(t, linked(t, "ingest"), postgresDriver)
}

// No function links what only systems with Kafka need.
func TestKafkaIsInNoFunction(t *testing.T) {
	folders, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, f := range folders {
		if f.IsDir() {
			require.NotContains(t, linked(t, f.Name()), "github.com/twmb/franz-go/pkg/kgo", f.Name())
		}
	}
}
