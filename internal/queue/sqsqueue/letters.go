package sqsqueue

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/framedle/leaderboards/internal/deadletters"
)

const (
	// hiddenFor is for how many seconds a message that was looked at is given to nobody
	// else. The SDK does not send 0, which would mean the queue's own 30.
	hiddenFor = 1
	// lookFor is how many seconds SQS takes to ask all of its servers; without it an
	// answer may be empty although there are messages.
	lookFor = 1
	// failedBecause is where Lambda says why a run failed for good:
	// https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
	failedBecause = "ErrorMessage"
)

// Look shows up to ten messages and leaves them in the queue: they are hidden for a
// second, and count one receive more. To a queue of dead letters both are harmless,
// since it sends none on by itself.
func (q *Queue) Look(ctx context.Context) ([]deadletters.Letter, error) {
	out, err := q.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
		QueueUrl: &q.url, MaxNumberOfMessages: deadletters.MostSamples, VisibilityTimeout: hiddenFor, WaitTimeSeconds: lookFor,
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameSentTimestamp, types.MessageSystemAttributeNameApproximateReceiveCount},
		MessageAttributeNames:       []string{failedBecause},
	})
	if err != nil {
		return nil, fmt.Errorf("look at the queue's messages: %w", err)
	}
	letters := make([]deadletters.Letter, len(out.Messages))
	for i, m := range out.Messages {
		sent, err := strconv.ParseInt(m.Attributes[string(types.MessageSystemAttributeNameSentTimestamp)], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("look at the queue's messages: SentTimestamp is %.50q", m.Attributes[string(types.MessageSystemAttributeNameSentTimestamp)])
		}
		receives, err := strconv.Atoi(m.Attributes[string(types.MessageSystemAttributeNameApproximateReceiveCount)])
		if err != nil {
			return nil, fmt.Errorf("look at the queue's messages: ApproximateReceiveCount is %.50q", m.Attributes[string(types.MessageSystemAttributeNameApproximateReceiveCount)])
		}
		letters[i] = deadletters.Letter{ID: text(m.MessageId), Body: text(m.Body), Reason: text(m.MessageAttributes[failedBecause].StringValue), Sent: time.UnixMilli(sent).UTC(), Receives: receives}
	}
	return letters, nil
}

// Redrive begins to send all messages back to the queue that they failed in. SQS
// does it by itself from here on, as new messages, and takes no second order
// meanwhile.
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
