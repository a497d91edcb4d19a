// Package redisd finds and runs a private Redis-compatible server: one child
// process on a free loopback port, gone with its parent.
//
// It knows binaries, ports and processes. It knows nothing of what the server
// stores, and speaks no more of the protocol than PING.
package redisd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	startTimeout = 15 * time.Second
	stopTimeout  = 5 * time.Second
	portAttempts = 5
)

// ErrNotFound says that no server binary is on this machine.
var ErrNotFound = errors.New("redisd: no valkey-server or redis-server on PATH; install one (Debian: apt-get install valkey-server, or redis-server) or set REDIS_SERVER to its path")

// errPortTaken is what Start retries on: another process took the port between
// our choosing it and the server's binding it.
var errPortTaken = errors.New("redisd: port taken meanwhile")

// Options say what to run.
type Options struct {
	// Path of the server binary; "" means what Find finds.
	Path string
	// Dir keeps the data between runs (snapshots and an append-only file): a folder of
	// its own, made if need be. "" means nothing is persisted.
	Dir string
}

// Server is a running server. Stop it; it also dies with this process.
type Server struct {
	addr    string
	cmd     *exec.Cmd
	log     *tail
	scratch string // private working directory, removed on Stop; "" when Options.Dir was given

	exited  chan struct{}
	waitErr error // valid once exited is closed
	stop    sync.Once
	stopErr error
}

// Find looks for a server binary: $REDIS_SERVER (a path or a name on PATH),
// then valkey-server, then redis-server.
func Find() (path string, ok bool) {
	if name := os.Getenv("REDIS_SERVER"); name != "" {
		path, err := exec.LookPath(name)
		return path, err == nil
	}
	for _, name := range []string{"valkey-server", "redis-server"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

// Start runs a server and returns once it answers PING. ctx bounds the start
// only (15 s at most); the server lives until Stop. Errors: ErrNotFound, ErrInUse after
// 5 s of waiting for the other to end, a folder with another's data, or a failed start
// with the end of the server's own log.
func Start(ctx context.Context, o Options) (*Server, error) {
	if o.Path == "" {
		path, ok := Find()
		if !ok {
			return nil, ErrNotFound
		}
		o.Path = path
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	var err error
	for range portAttempts {
		var s *Server
		if s, err = start(ctx, o); err == nil {
			return s, nil
		}
		if !errors.Is(err, errPortTaken) {
			break
		}
	}
	return nil, err
}

func start(ctx context.Context, o Options) (*Server, error) {
	port, err := freePort()
	if err != nil {
		return nil, fmt.Errorf("redisd: choosing a port: %w", err)
	}
	s := &Server{
		addr:   net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
		log:    &tail{},
		exited: make(chan struct{}),
	}
	dir := o.Dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "redisd-"); err != nil {
			return nil, fmt.Errorf("redisd: working directory: %w", err)
		}
		s.scratch = dir
	} else if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("redisd: data directory: %w", err)
	}
	s.cmd = exec.Command(o.Path, arguments(port, dir, o.Dir != "")...)
	s.cmd.Dir = dir
	if o.Dir != "" {
		lock, err := claim(ctx, dir)
		if err != nil {
			return nil, fmt.Errorf("redisd: data directory: %w", err)
		}
		defer lock.Close() // the server has it too
		s.cmd.ExtraFiles = []*os.File{lock}
	}
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	if err := s.launch(); err != nil {
		s.removeScratch()
		return nil, fmt.Errorf("redisd: starting %s: %w", o.Path, err)
	}
	if err := s.waitReady(ctx); err != nil {
		_ = s.Stop()
		return nil, fmt.Errorf("redisd: %s on %s: %w\n%s", o.Path, s.addr, err, s.log)
	}
	return s, nil
}

func arguments(port int, dir string, persist bool) []string {
	args := []string{
		"--bind", "127.0.0.1", "--protected-mode", "yes", "--port", strconv.Itoa(port),
		"--daemonize", "no", "--maxmemory-policy", "noeviction", "--dir", dir,
	}
	if persist {
		return append(args, "--save", "60 1", "--appendonly", "yes")
	}
	return append(args, "--save", "", "--appendonly", "no")
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// Addr is the server's host:port on the loopback interface.
func (s *Server) Addr() string { return s.addr }

// PID is the server's process.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// URL is the server's address as redis://host:port.
func (s *Server) URL() string { return "redis://" + s.addr }

// Stop ends the server and removes what it kept privately. One with a directory is asked
// to (SIGTERM, after 5 s SIGKILL), so that it writes what it has. One without is killed:
// it has nothing to write, and would only look for the signal ten times in a second.
// Further calls return what the first did.
func (s *Server) Stop() error {
	s.stop.Do(func() {
		defer s.removeScratch()
		if s.scratch != "" {
			_ = s.cmd.Process.Kill()
			<-s.exited
			return
		}
		_ = s.cmd.Process.Signal(terminate)
		select {
		case <-s.exited:
		case <-time.After(stopTimeout):
			_ = s.cmd.Process.Kill()
			<-s.exited
			s.stopErr = fmt.Errorf("redisd: %s did not stop within %v and was killed", s.addr, stopTimeout)
		}
	})
	return s.stopErr
}

func (s *Server) removeScratch() {
	if s.scratch != "" {
		_ = os.RemoveAll(s.scratch)
	}
}

func (s *Server) waitReady(ctx context.Context) error {
	for {
		select {
		case <-s.exited:
			if strings.Contains(s.log.String(), "Address already in use") {
				return errPortTaken
			}
			return fmt.Errorf("exited while starting: %w", s.waitErr)
		case <-ctx.Done():
			return fmt.Errorf("no answer to PING: %w", ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
		if ping(ctx, s.addr) {
			return s.ownsPort(ctx)
		}
	}
}

// ownsPort guards against a stranger who answers on our port while our own
// child failed to bind it: that child is gone or about to be.
func (s *Server) ownsPort(ctx context.Context) error {
	for !strings.Contains(s.log.String(), "eady to accept connections") {
		select {
		case <-s.exited:
			return errPortTaken
		case <-ctx.Done():
			return fmt.Errorf("never logged that it is ready: %w", ctx.Err())
		case <-time.After(time.Millisecond):
		}
	}
	return nil
}

func ping(ctx context.Context, addr string) bool {
	d := net.Dialer{Timeout: time.Second}
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return false
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Second))
	if _, err := c.Write([]byte("PING\r\n")); err != nil {
		return false
	}
	answer := make([]byte, len("+PONG\r\n"))
	n, err := c.Read(answer)
	return err == nil && strings.HasPrefix(string(answer[:n]), "+PONG")
}
