package host_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/host"
)

func queueEvent(t require.TestingT, messages ...host.QueueMessage) []byte {
	event, err := host.NewQueueEvent(messages)
	require.NoError(t, err)
	return event
}

func takeAll(context.Context, []host.QueueMessage) ([]string, error) { return nil, nil }

func TestNewQueueEventIsWhatLambdaMakesOfMessages(t *testing.T) {
	var e events.SQSEvent
	dec := json.NewDecoder(bytes.NewReader(queueEvent(t, host.QueueMessage{ID: "m-1", Body: `{"a":1}`, Receives: 3})))
	dec.DisallowUnknownFields()
	require.NoError(t, dec.Decode(&e))
	require.Len(t, e.Records, 1)
	require.Equal(t, "m-1", e.Records[0].MessageId)
	require.Equal(t, `{"a":1}`, e.Records[0].Body)
	require.Equal(t, "3", e.Records[0].Attributes["ApproximateReceiveCount"])
	require.Equal(t, "aws:sqs", e.Records[0].EventSource)
}

func TestMessagesGoInAndTheFailedOnesComeOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "messages")
		var sent, got []host.QueueMessage
		var fail []string
		for i := range n {
			m := host.QueueMessage{ID: fmt.Sprintf("m-%d", i), Body: rapid.String().Draw(t, "body"), Receives: rapid.IntRange(1, 9).Draw(t, "receives")}
			if m.Body = strings.ToValidUTF8(m.Body, ""); rapid.Bool().Draw(t, "fails") {
				fail = append(fail, m.ID)
			}
			sent = append(sent, m)
		}
		out, err := host.QueueAdapter(func(_ context.Context, messages []host.QueueMessage) ([]string, error) {
			got = messages
			return fail, nil
		}, io.Discard).Invoke(t.Context(), queueEvent(t, sent...))
		require.NoError(t, err)
		require.Equal(t, sent, got)
		var answer events.SQSEventResponse
		require.NoError(t, json.Unmarshal(out, &answer))
		require.Len(t, answer.BatchItemFailures, len(fail))
		again, err := host.ParseQueueAnswer(out)
		require.NoError(t, err)
		require.ElementsMatch(t, fail, again)
	})
}

func TestQueueAdapterRefusesOtherEvents(t *testing.T) {
	for name, event := range map[string]string{
		"nothing":          ``,
		"no records":       `{"Records":[]}`,
		"another source":   `{"Records":[{"messageId":"a","eventSource":"aws:s3"}]}`,
		"no id":            `{"Records":[{"body":"x","eventSource":"aws:sqs"}]}`,
		"a web request":    string(newEvent(nil)),
		"a schedule's":     string(scheduledEvent(t, fired)),
		"a body of number": `{"Records":[{"messageId":"a","eventSource":"aws:sqs","body":7}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := host.QueueAdapter(takeAll, io.Discard).Invoke(t.Context(), []byte(event))
			var eventErr *host.EventError
			require.ErrorAs(t, err, &eventErr)
		})
	}
}

func TestQueueAdapterReportsFailuresOfTheWholeBatch(t *testing.T) {
	event := queueEvent(t, host.QueueMessage{ID: "m-1", Body: "{}", Receives: 1})
	failure := errors.New("redis is down")
	_, err := host.QueueAdapter(func(context.Context, []host.QueueMessage) ([]string, error) { return nil, failure }, io.Discard).
		Invoke(t.Context(), event)
	require.ErrorIs(t, err, failure)
	var log bytes.Buffer
	_, err = host.QueueAdapter(func(context.Context, []host.QueueMessage) ([]string, error) { panic("secret") }, &log).
		Invoke(t.Context(), event)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
	require.Contains(t, log.String(), `"error":"secret"`)
}

func TestATakerIsStoppedWhileItsFailuresCanStillBeTold(t *testing.T) {
	deadline := time.Now().Add(time.Hour)
	ctx, cancel := context.WithDeadline(t.Context(), deadline)
	defer cancel()
	_, err := host.QueueAdapter(func(ctx context.Context, _ []host.QueueMessage) ([]string, error) {
		own, ok := ctx.Deadline()
		require.True(t, ok)
		require.Equal(t, deadline.Add(-time.Second), own)
		return nil, nil
	}, io.Discard).Invoke(ctx, queueEvent(t, host.QueueMessage{ID: "m-1", Receives: 1}))
	require.NoError(t, err)
}

func TestQueuesNeedLambda(t *testing.T) {
	t.Setenv("AWS_LAMBDA_RUNTIME_API", "")
	require.ErrorIs(t, host.RunQueue(t.Context(), takeAll, nil), host.ErrNotLambda)
}

func FuzzQueueAdapter(f *testing.F) {
	f.Add([]byte(`{"Records":[{"messageId":"a","body":"{}","eventSource":"aws:sqs","attributes":{"ApproximateReceiveCount":"2"}}]}`))
	f.Add([]byte(`{"Records":null}`))
	f.Fuzz(func(t *testing.T, event []byte) {
		all := func(_ context.Context, messages []host.QueueMessage) (failed []string, _ error) {
			for _, m := range messages {
				if m.ID == "" || m.Receives < 1 {
					t.Fatalf("a message without an id or receives: %+v", m)
				}
				failed = append(failed, m.ID)
			}
			return failed, nil
		}
		out, err := host.QueueAdapter(all, io.Discard).Invoke(t.Context(), event)
		var eventErr *host.EventError
		if err != nil {
			if !errors.As(err, &eventErr) {
				t.Fatalf("want an EventError, got %v", err)
			}
			return
		}
		if failed, err := host.ParseQueueAnswer(out); err != nil || len(failed) == 0 {
			t.Fatalf("the answer names no message: %s, %v", out, err)
		}
	})
}

func ExampleQueueAdapter() {
	event, _ := host.NewQueueEvent([]host.QueueMessage{{ID: "m-1", Body: "good", Receives: 1}, {ID: "m-2", Body: "not now", Receives: 1}})
	take := func(_ context.Context, messages []host.QueueMessage) (failed []string, _ error) {
		for _, m := range messages {
			if m.Body != "good" {
				failed = append(failed, m.ID)
			}
		}
		return failed, nil
	}
	answer, _ := host.QueueAdapter(take, io.Discard).Invoke(context.Background(), event)
	fmt.Println(string(answer))
	// Output: {"batchItemFailures":[{"itemIdentifier":"m-2"}]}
}
