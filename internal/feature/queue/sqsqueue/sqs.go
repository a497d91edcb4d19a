// Package sqsqueue sends to an SQS queue, and counts the messages in one.
//
// It knows AWS' SDK, and how Lambda passes region and rights to a function. It must not know
// what a message holds. It is a separate package so that only functions that send or count
// link the SDK, which takes 1 MB and a millisecond at start-up.
package sqsqueue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// attemptTime bounds one try to send; the SDK tries three times.
const attemptTime = 2 * time.Second

// Queue sends to a queue or reads it. It is safe for concurrent use.
type Queue struct {
	client *sqs.Client
	url    string
}

// Config says which queue to use, and with which credentials.
type Config struct {
	URL         string // such as https://sqs.eu-west-1.amazonaws.com/123456789012/name
	Region      string
	Credentials aws.Credentials
	Endpoint    string // http or https URL of the SQS API; AWS' own for the region if empty
}

// The variables with which all AWS SDKs can be pointed to another endpoint. The one for SQS
// wins over the general one. Reading them here costs no start-up time.
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
const (
	variableEndpointSQS = "AWS_ENDPOINT_URL_SQS"
	variableEndpoint    = "AWS_ENDPOINT_URL"
	variableIgnore      = "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"
)

// FromLambda is the Config of a function on Lambda. Lambda puts region and credentials into
// the environment, and ends the process before the credentials expire.
func FromLambda(queueURL string, getenv func(string) string) Config {
	c := Config{URL: queueURL, Region: getenv("AWS_REGION"), Credentials: aws.Credentials{
		AccessKeyID: getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"), SessionToken: getenv("AWS_SESSION_TOKEN"),
	}}
	if getenv(variableIgnore) != "true" {
		c.Endpoint = cmp.Or(getenv(variableEndpointSQS), getenv(variableEndpoint))
	}
	return c
}

// New makes a Queue. It dials nothing.
func New(c Config) (*Queue, error) {
	if u, err := url.Parse(c.URL); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || len(u.Path) < 2 {
		return nil, fmt.Errorf("the queue's URL is %.200q: use one such as https://sqs.eu-west-1.amazonaws.com/123456789012/name", c.URL)
	}
	if c.Endpoint != "" {
		if u, err := url.Parse(c.Endpoint); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			return nil, fmt.Errorf("%s or %s is %.200q: use a URL such as http://127.0.0.1:4566", variableEndpointSQS, variableEndpoint, c.Endpoint)
		}
	}
	if c.Region == "" {
		return nil, errors.New("the queue's region is not known: set AWS_REGION, as Lambda does")
	}
	o := sqs.Options{
		Region: c.Region, HTTPClient: awshttp.NewBuildableClient().WithTimeout(attemptTime),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return c.Credentials, nil }),
	}
	if c.Endpoint != "" {
		o.BaseEndpoint = aws.String(c.Endpoint)
	}
	return &Queue{client: sqs.New(o), url: c.URL}, nil
}

// Send puts a message into the queue. If an answer is lost, the SDK sends again, and the
// message may be in the queue twice.
func (q *Queue) Send(ctx context.Context, body string) error {
	if _, err := q.client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &q.url, MessageBody: &body}); err != nil {
		return fmt.Errorf("send to the queue: %w", err)
	}
	return nil
}

// Waiting is how many messages are in the queue, including those that are being received. SQS
// gives an approximate number, which becomes exact within a minute.
func (q *Queue) Waiting(ctx context.Context) (int64, error) {
	asked := []types.QueueAttributeName{types.QueueAttributeNameApproximateNumberOfMessages, types.QueueAttributeNameApproximateNumberOfMessagesNotVisible}
	out, err := q.client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{QueueUrl: &q.url, AttributeNames: asked})
	if err != nil {
		return 0, fmt.Errorf("count the queue's messages: %w", err)
	}
	sum := int64(0)
	for _, name := range asked {
		n, err := strconv.ParseInt(out.Attributes[string(name)], 10, 64)
		if err != nil {
			return 0, fmt.Errorf("count the queue's messages: %s is %.50q", name, out.Attributes[string(name)])
		}
		sum += n
	}
	return sum, nil
}
