package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"
)

// QueueMessage is one message of an SQS queue.
type QueueMessage struct {
	ID       string
	Body     string
	Receives int       // how often it has been received, this time included
	Sent     time.Time // zero: not known
}

// QueueFunc takes a batch of messages. It returns the ids of messages to deliver again; all
// others are done. An error has the whole batch delivered again. Messages are delivered at
// least once, in any order.
type QueueFunc func(ctx context.Context, messages []QueueMessage) (failed []string, err error)

// ErrNotLambda is returned if a function that needs Lambda runs elsewhere.
var ErrNotLambda = errors.New("no Lambda found: AWS_LAMBDA_RUNTIME_API is empty, and only Lambda brings the messages of an SQS queue to a function")

// answerTime is the part of an invocation's time that is kept for the answer, which names the
// failed messages. Without an answer in time, every message is delivered again.
const answerTime = time.Second

// QueueAdapter turns f into a Lambda function for SQS events of an event source mapping with
// ReportBatchItemFailures. An event of another kind, or with a message without an id, is an
// *EventError. An error of f is the error of the invocation. A panic is one too, without its
// internals; errorLog gets it as one JSON line.
func QueueAdapter(f QueueFunc, errorLog io.Writer) InvokeFunc {
	return func(ctx context.Context, payload []byte) ([]byte, error) {
		messages, err := queueMessages(payload)
		if err != nil {
			return nil, err
		}
		if deadline, ok := ctx.Deadline(); ok {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, deadline.Add(-answerTime))
			defer cancel()
		}
		failed, err := takeMessages(ctx, f, messages, errorLog)
		if err != nil {
			return nil, err
		}
		return NewQueueAnswer(failed)
	}
}

// RunQueue runs f for the messages that Lambda delivers. Elsewhere it returns ErrNotLambda.
func RunQueue(ctx context.Context, f QueueFunc, ending *Ending) error {
	if os.Getenv("AWS_LAMBDA_RUNTIME_API") == "" {
		return ErrNotLambda
	}
	runLambda(ctx, QueueAdapter(f, os.Stderr), ending)
	return nil
}

type queueEvent struct {
	Records []queueRecord `json:"Records"`
}

type queueRecord struct {
	MessageID     string            `json:"messageId"`
	ReceiptHandle string            `json:"receiptHandle"`
	Body          string            `json:"body"`
	Attributes    map[string]string `json:"attributes"`
	Source        string            `json:"eventSource"`
	SourceARN     string            `json:"eventSourceARN"`
	Region        string            `json:"awsRegion"`
}

type queueAnswer struct {
	Failures []queueFailure `json:"batchItemFailures"`
}

type queueFailure struct {
	ID string `json:"itemIdentifier"`
}

const (
	queueSource       = "aws:sqs"
	receivesAttribute = "ApproximateReceiveCount"
)

// NewQueueEvent returns the event that Lambda makes of messages, for hosts with a queue of
// their own.
func NewQueueEvent(messages []QueueMessage) ([]byte, error) {
	event := queueEvent{Records: make([]queueRecord, len(messages))}
	for i, m := range messages {
		event.Records[i] = queueRecord{
			MessageID: m.ID, ReceiptHandle: m.ID, Body: m.Body, Attributes: map[string]string{receivesAttribute: strconv.Itoa(m.Receives)},
			Source: queueSource, SourceARN: "arn:aws:sqs:us-east-1:123456789012:submissions", Region: "us-east-1",
		}
	}
	out, err := json.Marshal(event)
	if err != nil {
		return nil, fmt.Errorf("encoding a queue's event: %w", err)
	}
	return out, nil
}

// NewQueueAnswer is the answer that has the failed messages delivered again.
func NewQueueAnswer(failed []string) ([]byte, error) {
	answer := queueAnswer{Failures: make([]queueFailure, len(failed))}
	for i, id := range failed {
		answer.Failures[i].ID = id
	}
	out, err := json.Marshal(answer)
	if err != nil {
		return nil, fmt.Errorf("encoding which messages failed: %w", err)
	}
	return out, nil
}

// ParseQueueAnswer reads an answer of QueueAdapter: the ids of messages to deliver again.
func ParseQueueAnswer(data []byte) ([]string, error) {
	var answer queueAnswer
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, fmt.Errorf("reading which messages failed: %w", err)
	}
	failed := make([]string, len(answer.Failures))
	for i, f := range answer.Failures {
		failed[i] = f.ID
	}
	return failed, nil
}

var errQueuePanic = errors.New("the function failed; the reason is in its log")

func queueMessages(payload []byte) ([]QueueMessage, error) {
	var event queueEvent
	if err := json.Unmarshal(payload, &event); err != nil || len(event.Records) == 0 {
		return nil, &EventError{"the event is not a JSON object with Records: want an SQS event"}
	}
	messages := make([]QueueMessage, len(event.Records))
	for i, r := range event.Records {
		if r.Source != queueSource {
			return nil, &EventError{"a record has another eventSource than " + queueSource + ": want an SQS event"}
		}
		if r.MessageID == "" {
			return nil, &EventError{"a record has no messageId: want an SQS event"}
		}
		receives, err := strconv.Atoi(r.Attributes[receivesAttribute])
		if err != nil || receives < 1 {
			receives = 1
		}
		messages[i] = QueueMessage{ID: r.MessageID, Body: r.Body, Receives: receives}
	}
	return messages, nil
}

// takeMessages runs f; a panic is logged and becomes an error.
func takeMessages(ctx context.Context, f QueueFunc, messages []QueueMessage, errorLog io.Writer) (failed []string, err error) {
	defer func() {
		if v := recover(); v != nil {
			newFailureIn(ctx, v).log(errorLog, nil)
			failed, err = nil, errQueuePanic
		}
	}()
	return f(ctx, messages)
}
