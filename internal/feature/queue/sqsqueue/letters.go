package sqsqueue

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/framedle/leaderboards/internal/feature/queue"
)

const (
	// hiddenFor is for how many seconds a message that Look has read is hidden. It is not 0,
	// because the SDK does not send 0, and the queue's own 30 would apply.
	hiddenFor = 1
	// lookFor is how many seconds SQS takes to ask all of its servers; without it an
	// answer may be empty although there are messages.
	lookFor = 1
	// failedBecause is the attribute in which Lambda says why a run failed permanently:
	// https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
	failedBecause = "ErrorMessage"
)

// Look reads up to ten messages and leaves them in the queue: they are hidden for a second,
// and their count of receives grows by one. In a queue of dead letters neither matters,
// because it does not move messages on by itself.
func (q *Queue) Look(ctx context.Context) ([]queue.Letter, error) {
	out, err := q.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
		QueueUrl: &q.url, MaxNumberOfMessages: queue.MostSamples, VisibilityTimeout: hiddenFor, WaitTimeSeconds: lookFor,
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameSentTimestamp, types.MessageSystemAttributeNameApproximateReceiveCount},
		MessageAttributeNames:       []string{failedBecause},
	})
	if err != nil {
		return nil, fmt.Errorf("look at the queue's messages: %w", err)
	}
	letters := make([]queue.Letter, len(out.Messages))
	for i, m := range out.Messages {
		sent, err := strconv.ParseInt(m.Attributes[string(types.MessageSystemAttributeNameSentTimestamp)], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("look at the queue's messages: SentTimestamp is %.50q", m.Attributes[string(types.MessageSystemAttributeNameSentTimestamp)])
		}
		receives, err := strconv.Atoi(m.Attributes[string(types.MessageSystemAttributeNameApproximateReceiveCount)])
		if err != nil {
			return nil, fmt.Errorf("look at the queue's messages: ApproximateReceiveCount is %.50q", m.Attributes[string(types.MessageSystemAttributeNameApproximateReceiveCount)])
		}
		letters[i] = queue.Letter{ID: text(m.MessageId), Body: text(m.Body), Reason: text(m.MessageAttributes[failedBecause].StringValue), Sent: time.UnixMilli(sent).UTC(), Receives: receives}
	}
	return letters, nil
}

// Redrive starts to send all messages back to the queue in which they failed. From then on
// SQS does it by itself, and sends them as new messages. Until it has finished, it refuses a
// second Redrive.
func (q *Queue) Redrive(ctx context.Context) error {
	own, err := q.client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{QueueUrl: &q.url, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameQueueArn}})
	if err != nil {
		return fmt.Errorf("ask for the queue's ARN: %w", err)
	}
	arn := own.Attributes[string(types.QueueAttributeNameQueueArn)]
	if _, err := q.client.StartMessageMoveTask(ctx, &sqs.StartMessageMoveTaskInput{SourceArn: &arn}); err != nil {
		return fmt.Errorf("send the queue's messages back: %w", err)
	}
	return nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
