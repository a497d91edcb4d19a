// Package sqsqueue sends to an SQS queue, and counts what waits in one.
//
// It knows AWS' SDK and what Lambda tells a function of its region and rights. It
// must not know what a message holds. It is a package of its own so that only the
// functions that send or count carry the SDK: 1 MB, and a millisecond at start-up.
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

// attemptTime bounds one sending; the SDK tries three times.
const attemptTime = 2 * time.Second

// Queue sends to one queue or looks at it. It is safe for concurrent use.
type Queue struct {
	client *sqs.Client
	url    string
}

// Config says which queue, and who sends.
type Config struct {
	URL         string // of the queue, as in https://sqs.eu-west-1.amazonaws.com/123456789012/name
	Region      string
	Credentials aws.Credentials
	Endpoint    string // http or https URL of the SQS API; AWS' own for the region when empty
}

// The variables by which all of AWS' SDKs are sent to another endpoint, the one of
// the service before the one of all; reading them here costs no start-up.
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
const (
	variableEndpointSQS = "AWS_ENDPOINT_URL_SQS"
	variableEndpoint    = "AWS_ENDPOINT_URL"
	variableIgnore      = "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"
)

// FromLambda is the Config of a function on Lambda, which puts region and rights
// into the environment and ends the process before they expire.
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

// Send puts a message into the queue. What is sent again because its answer was
// lost may be there twice.
func (q *Queue) Send(ctx context.Context, body string) error {
	if _, err := q.client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &q.url, MessageBody: &body}); err != nil {
		return fmt.Errorf("send to the queue: %w", err)
	}
	return nil
}

// Waiting is how many messages are in the queue, those included that somebody is
// looking at. SQS says that it is about right, and within a minute exact.
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
