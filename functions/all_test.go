package functions_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/doctor"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const (
	operatorToken = "an-operators-token-of-32-characters-or-more"
	scheduleToken = "a-token-of-the-schedules-of-32-characters"
)

// service is the whole product as Cloud Run starts it: one process, PORT.
type service struct {
	*testing.T
	url     string
	process *exec.Cmd
	log     *bytes.Buffer
	ended   chan error
	origin  string // the header that the network before the process sends; "" for none
}

func startBinary(t *testing.T, binary string, env ...string) *service {
	t.Helper()
	port, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, number, err := net.SplitHostPort(port.Addr().String())
	require.NoError(t, err)
	require.NoError(t, port.Close())
	s := &service{T: t, url: "http://127.0.0.1:" + number, process: exec.CommandContext(t.Context(), binary), log: &bytes.Buffer{}, ended: make(chan error, 1)}
	s.process.Env = append(env, "HOST=127.0.0.1", "PORT="+number)
	s.process.Stderr = s.log
	require.NoError(t, s.process.Start())
	go func() { s.ended <- s.process.Wait() }()
	for s.status(t, "GET", "/openapi.yaml", "", nil) == 0 {
		select {
		case err := <-s.ended:
			require.NoError(t, err, s.log.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	return s
}

// status is the status of an answer; 0 where nothing answers.
func (s *service) status(t *testing.T, method, path, body string, headers map[string]string) int {
	t.Helper()
	res := s.send(method, path, body, headers)
	if res == nil {
		return 0
	}
	_, err := io.Copy(io.Discard, res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res.StatusCode
}

// send returns the answer to a request; nil where nothing answers.
func (s *service) send(method, path, body string, headers map[string]string) *http.Response {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), method, s.url+path, strings.NewReader(body))
	require.NoError(s, err)
	r.Header.Set("Content-Type", "application/json")
	if s.origin != "" {
		r.Header.Set(origin, s.origin)
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil
	}
	return res
}

// field returns one field of a successful answer.
func (s *service) field(method, path, body string, headers map[string]string, name string) string {
	s.Helper()
	res := s.send(method, path, body, headers)
	answer := map[string]any{}
	require.NoError(s, json.NewDecoder(res.Body).Decode(&answer))
	require.NoError(s, res.Body.Close())
	require.Less(s, res.StatusCode, 300, answer)
	require.NotEmpty(s, answer[name], answer)
	return answer[name].(string)
}

// stop ends the process as Cloud Run does, and returns its log.
func (s *service) stop() string {
	s.Helper()
	require.NoError(s, s.process.Process.Signal(os.Interrupt))
	require.NoError(s, <-s.ended, s.log)
	return s.log.String()
}

func TestTheWholeProductRunsAsOneService(t *testing.T) {
	redis := upstashtest.Start(t, upstashtest.Options{})
	runsAsOneService(t, "UPSTASH_REDIS_REST_URL="+redis.URL(), "UPSTASH_REDIS_REST_TOKEN="+redis.Token()+"\n")
}

func TestTheWholeProductRunsOnARedisOfOnesOwn(t *testing.T) {
	runsAsOneService(t, "REDIS_URL="+testkit.RealRedis(t)+"/5", "SECRET="+strings.Repeat("s", 32))
}

func runsAsOneService(t *testing.T, redis ...string) {
	s := startBinary(t, forAnyHost(t, "all"), append(
		redis, "DATABASE_URL="+archivetest.Database(t),
		"SIGNING_KEYS="+signingKey, "OPS_TOKEN="+operatorToken, "SCHEDULE_TOKEN="+scheduleToken, "CORS_ORIGINS=https://game.example/",
	)...)
	operator := map[string]string{"Authorization": "Bearer " + operatorToken}
	body := `{"mode":"daily_frame","player":"user_a","score":800}`
	require.Equal(t, 201, s.status(t, "POST", "/v1/scores", body, map[string]string{"Framedle-Signature": auth.Sign(signingKey, time.Now(), []byte(body))}))
	require.Equal(t, 200, s.status(t, "GET", "/v1/leaderboards/daily_frame/players/user_a", "", nil))
	require.Equal(t, 401, s.status(t, "GET", "/v1/me", "", nil), "it is there")
	require.Equal(t, 200, s.status(t, "GET", "/v1/ops/health", "", operator))
	for _, name := range []string{"cron-daily", "cron-weekly", "cron-save", "cron-usage"} {
		require.Equal(t, 200, s.status(t, "POST", "/v1/ops/schedules/"+name, "", map[string]string{"Authorization": "Bearer " + scheduleToken}), name)
	}
	require.Equal(t, 401, s.status(t, "POST", "/v1/ops/schedules/cron-daily", "", nil))
	require.Equal(t, 204, s.status(t, "OPTIONS", "/v1/scores", "", map[string]string{"Origin": "https://game.example", "Access-Control-Request-Method": "POST"}))

	spent := struct {
		Plan struct{ Commands, Share float64 }
		Bill struct{ Plans map[string]string }
	}{}
	res := s.send("GET", "/v1/ops/usage", "", operator)
	require.NoError(t, json.NewDecoder(res.Body).Decode(&spent))
	require.NoError(t, res.Body.Close())
	if strings.HasPrefix(redis[0], "REDIS_URL=") {
		require.Zero(t, spent.Plan, "a Redis of one's own bills no commands")
		require.Empty(t, spent.Bill.Plans)
	} else {
		require.EqualValues(t, usage.FreePlan, spent.Plan.Commands)
		require.Equal(t, map[string]string{"Upstash": "free"}, spent.Bill.Plans)
	}

	report := doctor.Examine(t.Context(), doctor.Options{URL: s.url, OpsToken: operatorToken, SigningKey: signingKey, Origin: "https://game.example"})
	require.False(t, report.Sick(), report.String())
	require.NotContains(t, s.stop(), "error")
}

// Schedules are behind the origin secret and the limit on invalid credentials, like every other
// route.
func TestSchedulesAreGuardedLikeEveryRoute(t *testing.T) {
	redis := upstashtest.Start(t, upstashtest.Options{})
	s := startBinary(
		t, forAnyHost(t, "all"), "UPSTASH_REDIS_REST_URL="+redis.URL(), "UPSTASH_REDIS_REST_TOKEN="+redis.Token(),
		"SCHEDULE_TOKEN="+scheduleToken, "ORIGIN_SECRET="+strings.Repeat("o", 32), "TRUSTED_PROXY_HOPS=1",
	)
	fire := func(from, token string) int {
		return s.status(t, "POST", "/v1/ops/schedules/cron-usage", "", map[string]string{"Authorization": "Bearer " + token, "X-Forwarded-For": from})
	}
	require.Equal(t, 403, fire("192.0.2.1", scheduleToken), "without the network's header")
	s.origin = strings.Repeat("o", 32)
	require.Equal(t, 200, fire("192.0.2.1", scheduleToken))
	for range 5 {
		require.Equal(t, 401, fire("192.0.2.1", "other-"+scheduleToken))
	}
	require.Equal(t, 429, fire("192.0.2.1", "other-"+scheduleToken))
	require.Equal(t, 200, fire("192.0.2.1", scheduleToken), "a valid token is never refused because of invalid ones")
	require.Equal(t, 401, fire("192.0.2.2", "other-"+scheduleToken))
	s.stop()
}
