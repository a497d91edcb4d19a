package functions_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// A container that is told to stop writes its counters, whatever its last request does. A
// request that ends is answered and counted; one that does not end is cut while there is
// still time for the write.
func TestAContainerThatIsStoppedHasItsCountersWritten(t *testing.T) {
	bootstrap := filepath.Join(t.TempDir(), "bootstrap")
	require.NoError(t, lambdatest.Build(t.Context(), "..", "./functions/submit", bootstrap))
	for name, ends := range map[string]bool{"a request that ends": true, "a request that does not": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := upstashtest.Start(t, upstashtest.Options{})
			address, process, log := serve(t, bootstrap, redis)
			score := func(i int) string { return fmt.Sprintf(`{"mode":"daily_frame","score":800,"player":"user_%d"}`, i) }
			for i := range 20 {
				answered := send(t, address, score(i))()
				require.Equal(t, 201, answered.StatusCode)
			}
			finish := send(t, address, score(20))
			require.NoError(t, process.Process.Signal(syscall.SIGTERM))
			require.Eventually(t, func() bool { // it takes no more connections
				conn, err := net.Dial("tcp", address)
				if err == nil {
					_ = conn.Close()
				}
				return err != nil
			}, time.Minute, time.Millisecond)
			if ends {
				require.Equal(t, 201, finish().StatusCode)
				require.NoError(t, process.Wait(), log)
				require.EqualValues(t, 21, counted(t, redis).Total().Calls)
				return
			}
			var exit *exec.ExitError
			require.ErrorAs(t, process.Wait(), &exit)
			require.Equal(t, 1, exit.ExitCode(), "it ended by itself")
			require.Contains(t, log.String(), "still under way")
			require.GreaterOrEqual(t, counted(t, redis).Total().Calls, int64(20))
		})
	}
}

// serve runs a function as Cloud Run does, until the test ends.
func serve(t *testing.T, bootstrap string, redis *upstashtest.Server) (address string, process *exec.Cmd, log *bytes.Buffer) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address = listener.Addr().String()
	require.NoError(t, listener.Close())
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	process, log = exec.Command(bootstrap), new(bytes.Buffer)
	process.Env = []string{
		"K_SERVICE=submit", "HOST=127.0.0.1", "PORT=" + port, "SIGNING_KEYS=" + signingKey,
		"UPSTASH_REDIS_REST_URL=" + redis.URL(), "UPSTASH_REDIS_REST_TOKEN=" + redis.Token(),
	}
	process.Stderr = log
	require.NoError(t, process.Start())
	t.Cleanup(func() { _ = process.Process.Kill() })
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, time.Minute, time.Millisecond, log)
	return address, process, log
}

// send starts a submission and returns once the function waits for the body. finish sends
// the body and returns the answer.
func send(t *testing.T, address, body string) (finish func() *http.Response) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	signature := auth.SignRequest(signingKey, time.Now(), auth.Request{Method: "POST", Path: "/v1/scores", Body: []byte(body)})
	_, err = fmt.Fprintf(conn, "POST /v1/scores HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nFramedle-Signature: %s\r\nContent-Length: %s\r\n\r\n",
		signature, strconv.Itoa(len(body)))
	require.NoError(t, err)
	answers := bufio.NewReader(conn)
	goOn, err := http.ReadResponse(answers, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusContinue, goOn.StatusCode)
	return func() *http.Response {
		_, err := conn.Write([]byte(body))
		require.NoError(t, err)
		answer, err := http.ReadResponse(answers, nil)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.NoError(t, conn.Close())
		return answer
	}
}
