package sqsqueue_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/queue/sqsqueue"
)

// request is one of SQS' JSON protocol.
type request struct {
	Action string
	Body   map[string]any
}

// answering is a queue of a service that answers each action with a body, or where
// there is none with 403.
func answering(t *testing.T, answers map[string]any) (*sqsqueue.Queue, *[]request) {
	t.Helper()
	var seen []request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		one := request{Action: r.Header.Get("X-Amz-Target")}
		if err := json.NewDecoder(r.Body).Decode(&one.Body); err != nil {
			t.Error(err)
		}
		seen = append(seen, one)
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		answer, is := answers[one.Action]
		if !is {
			w.WriteHeader(http.StatusForbidden)
			answer = map[string]any{"__type": "com.amazon.coral.service#AccessDeniedException", "message": "not allowed"}
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(server.Close)
	q, err := sqsqueue.New(config(server.URL))
	require.NoError(t, err)
	return q, &seen
}

func TestALookLeavesMessagesInTheQueue(t *testing.T) {
	q, seen := answering(t, map[string]any{"AmazonSQS.ReceiveMessage": map[string]any{"Messages": []any{
		map[string]any{
			"MessageId": "m-1", "Body": `{"v":1}`, "MD5OfBody": "a191475ae2bf7db9c7e320f7da455bbb", "ReceiptHandle": "r",
			"Attributes": map[string]any{"SentTimestamp": "1795262400000", "ApproximateReceiveCount": "21"},
		},
		map[string]any{
			"MessageId": "m-2", "Body": "{}", "MD5OfBody": "99914b932bd37a50b983c5e7c90ae93b", "ReceiptHandle": "s",
			"Attributes":        map[string]any{"SentTimestamp": "1795262401500", "ApproximateReceiveCount": "1"},
			"MessageAttributes": map[string]any{"ErrorMessage": map[string]any{"DataType": "String", "StringValue": "postgres does not answer"}},
		},
	}}})
	letters, err := q.Look(t.Context())
	require.NoError(t, err)
	require.Len(t, letters, 2)
	require.Equal(t, `{"v":1}`, letters[0].Body)
	require.Equal(t, 21, letters[0].Receives)
	require.Empty(t, letters[0].Reason)
	require.Equal(t, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), letters[0].Sent)
	require.Equal(t, "m-2", letters[1].ID)
	require.Equal(t, "postgres does not answer", letters[1].Reason)
	require.Len(t, *seen, 1, "nothing is deleted")
	asked := (*seen)[0].Body
	require.EqualValues(t, 10, asked["MaxNumberOfMessages"])
	require.EqualValues(t, 1, asked["VisibilityTimeout"], "without it they are hidden for as long as the queue says")
	require.EqualValues(t, 1, asked["WaitTimeSeconds"])

	q, _ = answering(t, nil)
	_, err = q.Look(t.Context())
	require.ErrorContains(t, err, "look at the queue's messages: ")
	q, _ = answering(t, map[string]any{"AmazonSQS.ReceiveMessage": map[string]any{}})
	letters, err = q.Look(t.Context())
	require.NoError(t, err)
	require.Empty(t, letters)
}

func TestMessagesAreSentBackWhereTheyCameFrom(t *testing.T) {
	arn := "arn:aws:sqs:eu-west-1:123456789012:scores"
	attributes := map[string]any{"Attributes": map[string]any{"QueueArn": arn}}
	q, seen := answering(t, map[string]any{"AmazonSQS.GetQueueAttributes": attributes, "AmazonSQS.StartMessageMoveTask": map[string]any{"TaskHandle": "h"}})
	require.NoError(t, q.Redrive(t.Context()))
	require.Len(t, *seen, 2)
	require.Equal(t, request{"AmazonSQS.StartMessageMoveTask", map[string]any{"SourceArn": arn}}, (*seen)[1], "no destination: the queue that they failed in")

	q, _ = answering(t, map[string]any{"AmazonSQS.GetQueueAttributes": attributes})
	require.ErrorContains(t, q.Redrive(t.Context()), "send the queue's messages back: ")
	q, _ = answering(t, nil)
	require.ErrorContains(t, q.Redrive(t.Context()), "ask for the queue's ARN: ")
}
