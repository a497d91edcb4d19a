package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/lab/clerk"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// These are not secrets: both ends that use them run only in this bench.
const (
	restToken  = "bench"
	signingKey = "bench-bench-bench-bench-bench-bench"
)

// functions are the functions whose answers players wait for.
var functions = []string{
	"submit",
	"leaderboard",
	"friends",
	"me",
	"duel",
}

// process is a server in a process of its own.
type process struct {
	addr string
	pid  int
	end  func() error
}

// deployed is the product as it is deployed, and the servers that it is compared with.
type deployed struct {
	dir    string
	clerk  *clerk.Clerk
	engine *redisd.Server
	parts  map[string]*process // redis, rest, hello, and the functions
	began  []*process
}

func deploy(ctx context.Context) (_ *deployed, err error) {
	h := &deployed{parts: map[string]*process{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.stop())
		}
	}()
	if h.dir, err = os.MkdirTemp("", "bench-http"); err != nil {
		return h, err
	}
	if h.clerk, err = clerk.New(); err != nil {
		return h, err
	}
	if h.engine, err = redisd.Start(ctx, redisd.Options{}); err != nil {
		return h, err
	}
	h.parts["redis"] = &process{addr: h.engine.Addr(), pid: h.engine.PID()}
	for _, role := range []string{"hello", "rest"} {
		if err = h.startRole(ctx, role); err != nil {
			return h, err
		}
	}
	for _, name := range functions {
		if err = h.startFunction(ctx, name); err != nil {
			return h, err
		}
	}
	return h, nil
}

func (h *deployed) stop() error {
	var errs []error
	for _, p := range slices.Backward(h.began) { // functions first: they write their last counters when they end
		errs = append(errs, p.end())
	}
	if h.engine != nil {
		errs = append(errs, h.engine.Stop())
	}
	return errors.Join(append(errs, os.RemoveAll(h.dir))...)
}

// startRole starts this program again as one of the servers.
func (h *deployed) startRole(ctx context.Context, role string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, "-serve", role, "-redis", h.engine.URL())
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p := &process{pid: cmd.Process.Pid, end: func() error { return errors.Join(in.Close(), cmd.Wait()) }}
	h.began, h.parts[role] = append(h.began, p), p
	line, err := bufio.NewReader(out).ReadString('\n')
	p.addr = strings.TrimSpace(line)
	return err
}

// serveRole runs one of the servers. It prints its address, and ends when in ends.
func serveRole(in io.Reader, out io.Writer, role, redis string) error {
	switch role {
	case "hello":
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		fmt.Fprintln(out, listener.Addr())
		go func() { _ = http.Serve(listener, http.HandlerFunc(hello)) }()
	case "rest":
		s, err := upstashtest.New(upstashtest.Options{Token: restToken, Redis: redis})
		if err != nil {
			return err
		}
		defer func() { _ = s.Close() }()
		fmt.Fprintln(out, strings.TrimPrefix(s.URL(), "http://"))
	default:
		return fmt.Errorf("role %q is unknown; want hello or rest", role)
	}
	_, err := io.Copy(io.Discard, in)
	return err
}

func hello(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"hello":"world"}`)
}

// startFunction builds a function as it is deployed, except that it serves HTTP as a
// container does and not Lambda.
func (h *deployed) startFunction(ctx context.Context, name string) error {
	path := filepath.Join(h.dir, name)
	if err := lambdatest.Build(ctx, "", "./functions/"+name, path); err != nil {
		return err
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, path)
	cmd.Env = append(h.clerk.Env(),
		"HOST=127.0.0.1", "PORT="+port, "GAME=framedle",
		"UPSTASH_REDIS_REST_URL=http://"+h.parts["rest"].addr, "UPSTASH_REDIS_REST_TOKEN="+restToken,
		"SIGNING_KEYS="+signingKey, "SECRET="+signingKey,
		"GOMEMLIMIT=192MiB", lambdatest.Threads, // as a function of 256 MB has them on Lambda
	)
	cmd.Stderr = os.Stderr
	if cmd.Stdout, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0); err != nil { // the log goes there
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p := &process{addr: "127.0.0.1:" + port, pid: cmd.Process.Pid, end: func() error {
		return errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait())
	}}
	h.began, h.parts[name] = append(h.began, p), p
	return listening(ctx, p.addr)
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}

// listening waits until a server answers at addr.
func listening(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for {
		var d net.Dialer
		c, err := d.DialContext(ctx, "tcp", addr)
		if err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("nobody listens on %s: %w", addr, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// clockTick is the unit of CPU times in Linux's /proc, the same on all systems that Go
// supports.
const clockTick = 10 * time.Millisecond

// cpu is the user and system time that a process has used.
func (p *process) cpu() (time.Duration, error) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/stat")
	if err != nil {
		return 0, fmt.Errorf("CPU times are read from Linux's /proc: %w", err)
	}
	_, rest, _ := strings.Cut(string(data), ") ") // the name may contain anything
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat has %d fields behind the name, want 13 and more", p.pid, len(fields))
	}
	user, err1 := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * clockTick, errors.Join(err1, err2)
}
