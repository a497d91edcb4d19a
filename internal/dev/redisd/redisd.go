// Package redisd finds and runs a private Redis-compatible server: one child process, on
// a free loopback port, which ends with its parent.
//
// It knows binaries, ports and processes. It knows nothing of what the server stores, and
// speaks no more of the protocol than PING.
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
	"syscall"
	"time"

	"github.com/framedle/leaderboards/internal/dev/child"
)

const (
	startTimeout = 15 * time.Second
	stopTimeout  = 5 * time.Second
)

// ErrNotFound says that this machine has no server binary.
var ErrNotFound = errors.New("redisd: no valkey-server or redis-server on PATH; install one (Debian: apt-get install valkey-server, or redis-server) or set REDIS_SERVER to its path")

// Options say what to run.
type Options struct {
	// Path is the path of the server binary; "" means the one that Find finds.
	Path string
	// Dir keeps the data between runs (snapshots and an append-only file): a folder of
	// its own, created where it is missing. "" means that nothing is persisted.
	Dir string
}

// Server is a running server. Stop it; it also ends with this process.
type Server struct {
	addr    string
	process *child.Process
	scratch string // private working directory, removed on Stop; "" when Options.Dir was given
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

// Start runs a server and returns once it answers PING. ctx bounds only the start (15 s
// at most); the server runs until Stop. Errors: ErrNotFound; ErrInUse after 5 s of
// waiting for another server to end; a folder with data of another program; a failed
// start, with the end of the server's own log.
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
	return child.OnFreePort(func(port int) (*Server, error) { return start(ctx, o, port) })
}

func start(ctx context.Context, o Options, port int) (_ *Server, err error) {
	s := &Server{addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))}
	dir := o.Dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "redisd-"); err != nil {
			return nil, fmt.Errorf("redisd: working directory: %w", err)
		}
		s.scratch = dir
	} else if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("redisd: data directory: %w", err)
	}
	cmd := exec.Command(o.Path, arguments(port, dir, o.Dir != "")...)
	cmd.Dir = dir
	if o.Dir != "" {
		lock, err := claim(ctx, dir)
		if err != nil {
			return nil, fmt.Errorf("redisd: data directory: %w", err)
		}
		defer lock.Close() // the server has it too
		cmd.ExtraFiles = []*os.File{lock}
	}
	if s.process, err = child.Start(cmd, child.NewTail("eady to accept connections"), syscall.SIGKILL); err != nil {
		s.removeScratch()
		return nil, fmt.Errorf("redisd: starting %s: %w", o.Path, err)
	}
	if err := s.waitReady(ctx); err != nil {
		_ = s.Stop()
		return nil, fmt.Errorf("redisd: %s on %s: %w\n%s", o.Path, s.addr, err, s.process.Log)
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

// Addr is the server's host:port on the loopback interface.
func (s *Server) Addr() string { return s.addr }

// PID is the server's process.
func (s *Server) PID() int { return s.process.Pid }

// URL is the server's address as redis://host:port.
func (s *Server) URL() string { return "redis://" + s.addr }

// Stop ends the server and removes its private folder. A server with a directory gets
// SIGTERM, so that it writes its data, and SIGKILL after 5 s. A server without one is
// killed: it has nothing to write, and looks for SIGTERM only ten times a second. Further
// calls return the result of the first.
func (s *Server) Stop() error {
	s.stop.Do(func() {
		defer s.removeScratch()
		if s.scratch != "" {
			s.process.End()
			return
		}
		if !s.process.Ends(syscall.SIGTERM, stopTimeout) {
			s.process.End()
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
		case <-s.process.Exited:
			if strings.Contains(s.process.Log.String(), "Address already in use") {
				return child.ErrPortTaken
			}
			return fmt.Errorf("exited while starting: %w", s.process.Err)
		case <-ctx.Done():
			return fmt.Errorf("no answer to PING: %w", ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
		if ping(ctx, s.addr) {
			return s.ownsPort(ctx)
		}
	}
}

// ownsPort checks that the port is this child's: if the child failed to bind it, another
// program may answer there.
func (s *Server) ownsPort(ctx context.Context) error {
	select {
	case <-s.process.Log.Ready:
		return nil
	case <-s.process.Exited:
		return child.ErrPortTaken
	case <-ctx.Done():
		return fmt.Errorf("never logged that it is ready: %w", ctx.Err())
	}
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
