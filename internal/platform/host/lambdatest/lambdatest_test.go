package lambdatest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
)

var raw string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "lambdatest")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer func() { _ = os.RemoveAll(dir) }()
		raw = filepath.Join(dir, "raw")
		if err := lambdatest.Build(context.Background(), "", "./testdata/raw", raw); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

func options(mode string) lambdatest.Options {
	return lambdatest.Options{Bootstrap: raw, Name: "raw", Env: []string{"MODE=" + mode}}
}

func start(t *testing.T, mode string) *lambdatest.Function {
	t.Helper()
	f, err := lambdatest.Start(t.Context(), options(mode))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

func TestInvokeBringsTheAnswer(t *testing.T) {
	f := start(t, "echo")
	for _, event := range []string{`{"a":1}`, `"`, ``} {
		res, err := f.Invoke(t.Context(), []byte(event))
		require.NoError(t, err)
		require.Equal(t, event, string(res.Payload))
		require.False(t, res.Failed())
		require.Positive(t, res.Duration)
		require.NotEmpty(t, res.RequestID)
	}
	require.Positive(t, f.InitTime())
	require.Positive(t, f.PID())
	require.Equal(t, "standard output\n", f.Stdout())
}

func TestInvokeKeepsConcurrentAnswersApart(t *testing.T) {
	f := start(t, "echo")
	var wg sync.WaitGroup
	failed := make(chan string, 32)
	for i := range 32 {
		wg.Go(func() {
			res, err := f.Invoke(context.Background(), []byte(strconv.Itoa(i)))
			if err != nil || string(res.Payload) != strconv.Itoa(i) {
				failed <- fmt.Sprint(i, string(res.Payload), err)
			}
		})
	}
	wg.Wait()
	close(failed)
	for f := range failed {
		require.Fail(t, f)
	}
}

func TestFunctionSeesWhatLambdaSets(t *testing.T) {
	f := start(t, "headers")
	before := time.Now()
	res, err := f.Invoke(t.Context(), []byte(`{}`))
	require.NoError(t, err)
	var got []string
	require.NoError(t, json.Unmarshal(res.Payload, &got))
	ms, err := strconv.ParseInt(got[0], 10, 64)
	require.NoError(t, err)
	require.True(t, time.UnixMilli(ms).After(before.Add(lambdatest.DefaultTimeout-time.Second)))
	require.Equal(t, "arn:aws:lambda:us-east-1:123456789012:function:raw", got[1])
	require.True(t, strings.HasPrefix(got[2], "Root=1-"))
	require.Equal(t, "raw", got[3])
	require.Empty(t, got[4], "the caller's environment must not be passed on")
}

func TestInvokeBringsTheErrorThatAFunctionReports(t *testing.T) {
	res, err := start(t, "error").Invoke(t.Context(), []byte(`{}`))
	require.NoError(t, err)
	require.True(t, res.Failed())
	require.Equal(t, "Oops", res.ErrorType)
	require.Equal(t, "went wrong", res.ErrorMessage)

	res, err = start(t, "garbage").Invoke(t.Context(), []byte(`{}`))
	require.NoError(t, err)
	require.True(t, res.Failed())
	require.Equal(t, "not JSON", string(res.Payload))
}

func TestServerRefusesWhatLambdaRefuses(t *testing.T) {
	f := start(t, "twice")
	for range 2 { // the second invocation begins after the first's wrong calls
		res, err := f.Invoke(t.Context(), []byte(`{}`))
		require.NoError(t, err)
		require.Equal(t, "1", string(res.Payload))
	}
	// What the process writes is read beside its answers, and may come a little later.
	require.Eventually(t, func() bool { return strings.Contains(f.Stderr(), "again 400\nunknown 400\npath 404\n") },
		10*time.Second, 5*time.Millisecond, f.Stderr())
}

func TestInvokeReportsAnAnswerAboveTheLimit(t *testing.T) {
	f := start(t, "large")
	res, err := f.Invoke(t.Context(), []byte(`{}`))
	require.NoError(t, err)
	require.Equal(t, "Function.ResponseSizeTooLarge", res.ErrorType)
}

func TestInvokeReportsTheEndOfTheProcess(t *testing.T) {
	f := start(t, "die")
	_, err := f.Invoke(t.Context(), []byte(`{}`))
	require.ErrorIs(t, err, lambdatest.ErrExited)
	require.ErrorContains(t, err, "exit status 5")
	<-f.Exited()
	_, err = f.Invoke(t.Context(), []byte(`{}`))
	require.ErrorIs(t, err, lambdatest.ErrExited)
}

func TestInvokeKillsAFunctionThatTakesTooLong(t *testing.T) {
	o := options("hang")
	o.Timeout = 20 * time.Millisecond
	f, err := lambdatest.Start(t.Context(), o)
	require.NoError(t, err)
	_, err = f.Invoke(t.Context(), []byte(`{}`))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	<-f.Exited()
	require.NoError(t, f.Close())
	require.NoError(t, f.Close())
}

func TestStartSaysWhyAFunctionDidNotStart(t *testing.T) {
	_, err := lambdatest.Start(t.Context(), options("exit"))
	require.ErrorIs(t, err, lambdatest.ErrExited)
	require.ErrorContains(t, err, "last words")

	_, err = lambdatest.Start(t.Context(), options("init"))
	require.ErrorContains(t, err, "NoKey: SIGNING_KEYS is empty")

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = lambdatest.Start(ctx, options("mute"))
	require.ErrorIs(t, err, context.DeadlineExceeded)

	_, err = lambdatest.Start(t.Context(), lambdatest.Options{Bootstrap: filepath.Join(t.TempDir(), "absent")})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestBuildShowsTheCompilersWords(t *testing.T) {
	err := lambdatest.Build(t.Context(), "", "./testdata/absent", filepath.Join(t.TempDir(), "x"))
	require.ErrorContains(t, err, "absent")
}
