package sqsqueue_test

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/queue/sqsqueue"
)

const queueURL = "https://sqs.eu-west-1.amazonaws.com/123456789012/scores"

// service answers SendMessage as SQS does over its JSON protocol, or with a status.
func service(t *testing.T, status func(attempt int64) int) (address string, sent *[]map[string]string) {
	t.Helper()
	sent = new([]map[string]string)
	var attempts atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]string
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.Header.Get("X-Amz-Target") != "AmazonSQS.SendMessage" {
			t.Errorf("not a SendMessage: %v, %v", err, r.Header)
		}
		body["authorization"], body["token"] = r.Header.Get("Authorization"), r.Header.Get("X-Amz-Security-Token")
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		if code := status(attempts.Add(1)); code != 200 {
			w.WriteHeader(code)
			_, _ = w.Write([]byte(`{"__type":"com.amazonaws.sqs#InternalError","message":"not now"}`))
			return
		}
		*sent = append(*sent, body)
		sum := md5.Sum([]byte(body["MessageBody"]))
		_ = json.NewEncoder(w).Encode(map[string]string{"MessageId": "m-1", "MD5OfMessageBody": hex.EncodeToString(sum[:])})
	}))
	t.Cleanup(server.Close)
	return server.URL, sent
}

func config(endpoint string) sqsqueue.Config {
	c := sqsqueue.FromLambda(queueURL, func(name string) string {
		return map[string]string{
			"AWS_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "session",
		}[name]
	})
	c.Endpoint = endpoint
	return c
}

func TestAMessageIsSentSigned(t *testing.T) {
	address, sent := service(t, func(int64) int { return 200 })
	q, err := sqsqueue.New(config(address))
	require.NoError(t, err)
	require.NoError(t, q.Send(t.Context(), `{"v":1}`))
	require.Len(t, *sent, 1)
	require.Equal(t, queueURL, (*sent)[0]["QueueUrl"])
	require.Equal(t, `{"v":1}`, (*sent)[0]["MessageBody"])
	require.Contains(t, (*sent)[0]["authorization"], "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/")
	require.Contains(t, (*sent)[0]["authorization"], "/eu-west-1/sqs/aws4_request")
	require.Equal(t, "session", (*sent)[0]["token"])
}

func TestAPassingFailureIsTriedAgain(t *testing.T) {
	address, sent := service(t, func(attempt int64) int {
		if attempt == 1 {
			return 500
		}
		return 200
	})
	q, err := sqsqueue.New(config(address))
	require.NoError(t, err)
	require.NoError(t, q.Send(t.Context(), "a"))
	require.Len(t, *sent, 1)
}

func TestAFailureIsTold(t *testing.T) {
	address, _ := service(t, func(int64) int { return 403 })
	q, err := sqsqueue.New(config(address))
	require.NoError(t, err)
	err = q.Send(t.Context(), "a")
	require.ErrorContains(t, err, "send to the queue: ")
	require.NotContains(t, err.Error(), "secret")
}

func TestAConfigurationThatCannotWorkIsRefused(t *testing.T) {
	for _, url := range []string{"", "scores", "sqs.eu-west-1.amazonaws.com/1/scores", "https://sqs.eu-west-1.amazonaws.com"} {
		_, err := sqsqueue.New(sqsqueue.Config{URL: url, Region: "eu-west-1"})
		require.ErrorContains(t, err, "https://sqs.eu-west-1.amazonaws.com/123456789012/name", url)
	}
	_, err := sqsqueue.New(sqsqueue.Config{URL: queueURL})
	require.ErrorContains(t, err, "AWS_REGION")
	require.False(t, strings.Contains(err.Error(), queueURL))
}

// The SDKs' own variables lead to another endpoint, the service's before the one of
// all.
func TestTheEndpointIsTakenFromTheEnvironment(t *testing.T) {
	address, sent := service(t, func(int64) int { return 200 })
	other := "http://127.0.0.1:1"
	for name, test := range map[string]struct {
		env  map[string]string
		want string
	}{
		"of all services":     {map[string]string{"AWS_ENDPOINT_URL": address}, address},
		"of the service":      {map[string]string{"AWS_ENDPOINT_URL": other, "AWS_ENDPOINT_URL_SQS": address}, address},
		"none":                {nil, ""},
		"told to ignore them": {map[string]string{"AWS_ENDPOINT_URL": other, "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true"}, ""},
	} {
		c := sqsqueue.FromLambda(queueURL, func(name string) string { return test.env[name] })
		require.Equal(t, test.want, c.Endpoint, name)
		if test.want == "" {
			continue
		}
		c.Region, c.Credentials = config("").Region, config("").Credentials
		q, err := sqsqueue.New(c)
		require.NoError(t, err)
		require.NoError(t, q.Send(t.Context(), name))
	}
	require.Len(t, *sent, 2)
	_, err := sqsqueue.New(sqsqueue.Config{URL: queueURL, Region: "eu-west-1", Endpoint: "localhost:4566"})
	require.ErrorContains(t, err, `AWS_ENDPOINT_URL_SQS or AWS_ENDPOINT_URL is "localhost:4566"`)
}

// What waits is what can be taken and what somebody has taken and not deleted.
func TestWaitingMessagesAreCounted(t *testing.T) {
	attributes := map[string]string{"ApproximateNumberOfMessages": "3", "ApproximateNumberOfMessagesNotVisible": "2"}
	code := 200
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			QueueUrl       string
			AttributeNames []string
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.QueueUrl != queueURL || r.Header.Get("X-Amz-Target") != "AmazonSQS.GetQueueAttributes" {
			t.Errorf("not a GetQueueAttributes: %v, %v", err, r.Header)
		}
		if len(body.AttributeNames) != len(attributes) && code == 200 && len(attributes) == 2 {
			t.Errorf("asked for %v", body.AttributeNames)
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(code)
		if code != 200 {
			_, _ = w.Write([]byte(`{"__type":"com.amazon.coral.service#AccessDeniedException","message":"not allowed"}`))
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"Attributes": attributes})
	}))
	t.Cleanup(server.Close)
	q, err := sqsqueue.New(config(server.URL))
	require.NoError(t, err)
	n, err := q.Waiting(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 5, n)

	attributes = map[string]string{}
	_, err = q.Waiting(t.Context())
	require.ErrorContains(t, err, "count the queue's messages: ApproximateNumberOfMessages is")
	code = 403
	_, err = q.Waiting(t.Context())
	require.ErrorContains(t, err, "AccessDenied")
}
