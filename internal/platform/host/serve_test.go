package host_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host"
)

// listen returns a loopback listener and its URL.
func listen(t *testing.T) (net.Listener, string) {
	t.Helper()
	ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return ln, "http://" + ln.Addr().String()
}

// ask sends a request with the given headers over a connection of its own.
func ask(t *testing.T, url string, header http.Header) (*http.Response, string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, url, nil)
	require.NoError(t, err)
	req.Header = header
	req.Close = true
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, "", err
	}
	body, err := io.ReadAll(res.Body)
	require.NoError(t, res.Body.Close())
	return res, string(body), err
}

func TestServeLetsRequestsUnderWayFinish(t *testing.T) {
	ln, url := listen(t)
	ctx, stop := context.WithCancel(t.Context())
	entered, release := make(chan struct{}), make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-release
		fmt.Fprint(w, r.Context().Err())
	})
	served := make(chan error, 1)
	go func() { served <- host.Serve(ctx, ln, h, time.Hour, io.Discard) }()
	answered := make(chan string, 1)
	go func() {
		_, body, err := ask(t, url, nil)
		answered <- fmt.Sprint(body, err)
	}()
	<-entered
	stop()
	require.Eventually(t, func() bool { // the listener closes first
		conn, err := net.Dial("tcp", ln.Addr().String())
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	}, 5*time.Second, time.Millisecond)
	close(release)
	require.Equal(t, "<nil><nil>", <-answered)
	require.NoError(t, <-served)
}

func TestServeGivesRequestsADeadline(t *testing.T) {
	ln, url := listen(t)
	ctx, stop := context.WithCancel(t.Context())
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		fmt.Fprint(w, r.Context().Err())
	})
	served := make(chan error, 1)
	go func() { served <- host.Serve(ctx, ln, h, time.Millisecond, io.Discard) }()
	_, body, err := ask(t, url, nil)
	require.NoError(t, err)
	require.Equal(t, context.DeadlineExceeded.Error(), body)
	stop()
	require.NoError(t, <-served)
}

func TestServeRefusesHugeHeaders(t *testing.T) {
	ln, url := listen(t)
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- host.Serve(ctx, ln, http.NotFoundHandler(), time.Hour, io.Discard) }()
	res, _, err := ask(t, url, http.Header{"X-A": {strings.Repeat("x", 64<<10)}})
	require.NoError(t, err)
	require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, res.StatusCode)
	stop()
	require.NoError(t, <-served)
}

func TestServeReportsALostListener(t *testing.T) {
	ln, _ := listen(t)
	require.NoError(t, ln.Close())
	require.ErrorContains(t, host.Serve(t.Context(), ln, http.NotFoundHandler(), time.Hour, io.Discard), "serving on 127.0.0.1")
}

func TestRunRefusesToStartWithoutAHost(t *testing.T) {
	t.Setenv("AWS_LAMBDA_RUNTIME_API", "")
	t.Setenv("PORT", "")
	require.ErrorIs(t, host.Run(t.Context(), http.NotFoundHandler(), nil), host.ErrNoHost)
	require.ErrorIs(t, host.RunScheduled(t.Context(), answerTime, nil), host.ErrNoHost)
}

func TestRunRefusesAPortThatIsNone(t *testing.T) {
	t.Setenv("AWS_LAMBDA_RUNTIME_API", "")
	for _, port := range []string{"http", "0", "65536", "-1", "8080 "} {
		t.Setenv("PORT", port)
		require.ErrorContains(t, host.Run(t.Context(), http.NotFoundHandler(), nil), "1 to 65535")
	}
}

func TestEveryWrongVariableIsNamed(t *testing.T) {
	env := map[string]string{"PORT": "abc", "DRAIN_SECONDS": "301"}
	getenv := func(name string) string { return env[name] }
	require.EqualError(t, host.CheckEnv(getenv), "PORT is \"abc\": use a number from 1 to 65535\nDRAIN_SECONDS is \"301\": use a number from 0 to 300")
	env["AWS_LAMBDA_RUNTIME_API"] = "127.0.0.1:9001"
	require.NoError(t, host.CheckEnv(getenv), "Lambda reads neither")
}

func TestRunServesOnPort(t *testing.T) {
	run := func(t *testing.T, service string, serve func(context.Context) error) (url string, stop func() error) {
		ln, url := listen(t)
		_, port, err := net.SplitHostPort(ln.Addr().String())
		require.NoError(t, err)
		require.NoError(t, ln.Close())
		t.Setenv("AWS_LAMBDA_RUNTIME_API", "")
		t.Setenv("HOST", "127.0.0.1")
		t.Setenv("PORT", port)
		t.Setenv("K_SERVICE", service)
		ctx, cancel := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- serve(ctx) }()
		require.Eventually(t, func() bool {
			conn, err := net.Dial("tcp", "127.0.0.1:"+port)
			if err == nil {
				_ = conn.Close()
			}
			return err == nil
		}, 10*time.Second, time.Millisecond)
		return url, func() error { cancel(); return <-served }
	}
	requests := func(ctx context.Context) error {
		return host.Run(ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, r.RemoteAddr)
		}), nil)
	}
	forwarded := http.Header{"X-Forwarded-For": {"203.0.113.1, 198.51.100.2"}}

	t.Run("believing no proxy", func(t *testing.T) {
		url, stop := run(t, "", requests)
		_, body, err := ask(t, url, forwarded)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(body, "127.0.0.1:"), body)
		require.NoError(t, stop())
	})
	t.Run("on Cloud Run believing the front end's entry", func(t *testing.T) {
		url, stop := run(t, "leaderboard", requests)
		_, body, err := ask(t, url, forwarded)
		require.NoError(t, err)
		require.Equal(t, "198.51.100.2:0", body)
		_, body, err = ask(t, url, http.Header{"X-Forwarded-For": {"nonsense"}})
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(body, "127.0.0.1:"), body)
		require.NoError(t, stop())
	})
	t.Run("a schedule at the root alone", func(t *testing.T) {
		url, stop := run(t, "", func(ctx context.Context) error { return host.RunScheduled(ctx, answerTime, nil) })
		for path, want := range map[string]int{"/": 200, "/x": 404} {
			res, err := http.Post(url+path, "application/json", nil)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Equal(t, want, res.StatusCode, path)
		}
		require.NoError(t, stop())
	})
}

func TestAStreamOutlivesTheTimeOfRequestsAndEndsWithTheServer(t *testing.T) {
	ln, url := listen(t)
	ctx, stop := context.WithCancel(t.Context())
	begun, over := make(chan struct{}), make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		streamed, release := host.Stream(w, r)
		defer release()
		<-r.Context().Done() // the time of a request
		if streamed.Err() != nil {
			return
		}
		close(begun)
		<-streamed.Done()
		close(over)
		fmt.Fprint(w, "to the end")
	})
	served := make(chan error, 1)
	go func() { served <- host.Serve(ctx, ln, h, time.Millisecond, io.Discard) }()
	answered := make(chan string, 1)
	go func() {
		_, body, err := ask(t, url, nil)
		answered <- fmt.Sprint(body, err)
	}()
	<-begun
	stop()
	<-over
	require.Equal(t, "to the end<nil>", <-answered)
	require.NoError(t, <-served)
}

func TestAStreamEndsWhenItsClientGoes(t *testing.T) {
	ln, url := listen(t)
	ctx, stop := context.WithCancel(t.Context())
	begun, over := make(chan struct{}), make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		streamed, release := host.Stream(w, r)
		defer release()
		close(begun)
		<-streamed.Done()
		close(over)
	})
	served := make(chan error, 1)
	go func() { served <- host.Serve(ctx, ln, h, time.Hour, io.Discard) }()
	asking, leave := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(asking, http.MethodGet, url, nil)
	require.NoError(t, err)
	go func() {
		if res, err := http.DefaultClient.Do(req); err == nil {
			_ = res.Body.Close()
		}
	}()
	<-begun
	leave()
	<-over
	stop()
	require.NoError(t, <-served)
}
