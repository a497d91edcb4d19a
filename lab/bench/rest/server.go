package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// token is not a secret: both ends that use it run only in this bench.
const token = "bench"

// serveRole runs one of the servers. It prints its address, then its CPU time in
// nanoseconds for each line that it reads. It ends when in ends.
func serveRole(in io.Reader, out io.Writer, role, redis string) error {
	var addr string
	switch role {
	case "hello":
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		addr = listener.Addr().String()
		go func() { _ = http.Serve(listener, http.HandlerFunc(hello)) }()
	case "rest":
		s, err := upstashtest.New(upstashtest.Options{Token: token, Redis: redis})
		if err != nil {
			return err
		}
		defer func() { _ = s.Close() }()
		addr = strings.TrimPrefix(s.URL(), "http://")
		if _, err := s.Redis().Do(context.Background(), "SET", "k", answerValue); err != nil {
			return err
		}
	default:
		return fmt.Errorf("role %q is unknown; want hello or rest", role)
	}
	fmt.Fprintln(out, addr)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		used, err := cpuOfSelf()
		if err != nil {
			return err
		}
		fmt.Fprintln(out, used.Nanoseconds())
	}
	return lines.Err()
}

func hello(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, answerBody)
}

// child is a server in a process of its own.
type child struct {
	addr string

	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start(ctx context.Context, role, redis string) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.CommandContext(ctx, self, "-serve", role, "-redis", redis)}
	c.cmd.Stderr = os.Stderr
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	pipe, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(pipe)
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.stop()
		return nil, fmt.Errorf("starting %s: %w", role, err)
	}
	c.addr = strings.TrimSpace(line)
	return c, nil
}

func (c *child) stop() {
	_ = c.in.Close()
	_ = c.cmd.Wait()
}

func (c *child) cpu() (time.Duration, error) {
	if _, err := io.WriteString(c.in, "\n"); err != nil {
		return 0, err
	}
	var nanoseconds int64
	if _, err := fmt.Fscanln(c.out, &nanoseconds); err != nil {
		return 0, err
	}
	return time.Duration(nanoseconds), nil
}
