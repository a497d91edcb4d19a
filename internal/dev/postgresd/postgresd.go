// Package postgresd finds and runs a private Postgres: one child process, on a loopback
// port, which ends with its parent.
//
// It knows programs, ports, users and processes, and that Postgres refuses to run as
// root. It knows nothing of what the server stores, and speaks no protocol: a server is
// ready when its log says so.
package postgresd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/framedle/leaderboards/internal/dev/child"
)

const (
	startTimeout = 60 * time.Second // a crashed server first replays its log
	superuser    = "postgres"
	readyWords   = "database system is ready to accept connections"
)

// ErrNotFound says that this machine has no Postgres.
var ErrNotFound = errors.New("postgresd: no Postgres 14 or later on this machine; install one (Debian: apt-get install postgresql, macOS: brew install postgresql@17) or set PG_BIN to the folder of initdb and postgres")

// ErrInUse says that another server runs on the data directory.
var ErrInUse = child.ErrInUse

// Options say what to run.
type Options struct {
	// Bin is the folder of initdb and postgres; "" means the one that Find finds, in the
	// version that made Dir.
	Bin string
	// Dir keeps the data between runs: a folder of its own, created where it is missing.
	// "" means a temporary folder, which Stop removes.
	Dir string
	// Port is the port on the loopback interface; 0 means a free one.
	Port int
	// NoSync makes the server not wait for the disk: commits survive the server's death
	// but not the machine's. Without Dir it is always on.
	NoSync bool
}

// Server is a running server. Stop it; it also ends with this process.
type Server struct {
	addr, url string
	process   *process
	stop      sync.Once
	stopErr   error
}

// Start runs a server and returns once it accepts connections. In an empty directory it
// first creates the cluster. ctx bounds only the start (60 s at most); the server runs
// until Stop. Errors: ErrNotFound; ErrInUse after 5 s of waiting for another server to
// end; a failed start, with the end of the server's own log.
func Start(ctx context.Context, o Options) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	h, err := newHome(o.Dir)
	if err != nil {
		return nil, err
	}
	s, err := h.serve(ctx, o)
	if err != nil {
		h.removeScratch()
		return nil, err
	}
	return s, nil
}

func (h *home) serve(ctx context.Context, o Options) (*Server, error) {
	bin, err := h.binaries(o.Bin)
	if err != nil {
		return nil, err
	}
	password, err := h.password()
	if err != nil {
		return nil, err
	}
	noSync := o.NoSync || h.scratch
	if !h.isMade() {
		if err := h.initialise(ctx, bin, noSync); err != nil {
			return nil, err
		}
	}
	giveUp := time.Now().Add(child.InUseWait)
	run := func(port int) (*Server, error) {
		for {
			s, err := h.run(ctx, bin, port, noSync, password)
			if !errors.Is(err, ErrInUse) || !time.Now().Before(giveUp) {
				return s, err
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	if o.Port != 0 {
		return run(o.Port)
	}
	return child.OnFreePort(run)
}

// binaries chooses the programs: a cluster runs only under the version that
// made it.
func (h *home) binaries(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	major := h.major()
	if bin, ok := find(func(m int) bool { return major == 0 || m == major }); ok {
		return bin, nil
	}
	if _, ok := Find(); ok {
		return "", fmt.Errorf("postgresd: %s was made by Postgres %d, which is not on this machine: install it, or remove the folder to start over", h.dir, major)
	}
	return "", ErrNotFound
}

// initialise makes the cluster under another name first, so that an incomplete cluster is
// never taken for a complete one.
func (h *home) initialise(ctx context.Context, bin string, noSync bool) error {
	half := filepath.Join(h.dir, unfinished)
	if err := os.RemoveAll(half); err != nil {
		return fmt.Errorf("postgresd: removing what an interrupted start left: %w", err)
	}
	p, err := h.start(filepath.Join(bin, "initdb"), syscall.SIGKILL, func(dir string) []string {
		args := []string{
			"-D", filepath.Join(dir, unfinished), "-U", superuser, "--pwfile", filepath.Join(dir, passwordName),
			"--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-instructions",
		}
		if noSync {
			args = append(args, "--no-sync")
		}
		return args
	})
	if err != nil {
		return err
	}
	select {
	case <-p.Exited:
	case <-ctx.Done():
		p.End()
		return fmt.Errorf("postgresd: initdb in %s: %w\n%s", h.dir, ctx.Err(), p.Log)
	}
	if p.Err != nil {
		return fmt.Errorf("postgresd: initdb in %s: %w\n%s", h.dir, p.Err, p.Log)
	}
	if err := os.Rename(half, filepath.Join(h.dir, clusterName)); err != nil {
		return fmt.Errorf("postgresd: %w", err)
	}
	return nil
}

func (h *home) run(ctx context.Context, bin string, port int, noSync bool, password string) (*Server, error) {
	p, err := h.start(filepath.Join(bin, "postgres"), syscall.SIGQUIT, func(dir string) []string {
		return arguments(filepath.Join(dir, clusterName), port, noSync)
	})
	if err != nil {
		return nil, err
	}
	addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	where := url.URL{
		Scheme: "postgres", User: url.UserPassword(superuser, password), Host: addr, Path: "/postgres", RawQuery: "sslmode=disable",
	}
	s := &Server{addr: addr, url: where.String(), process: p}
	if err := p.waitReady(ctx); err != nil {
		_ = p.end()
		return nil, fmt.Errorf("postgresd: %s on %s: %w\n%s", bin, addr, err, p.Log)
	}
	return s, nil
}

// arguments keep the server to loopback TCP, without a socket in the file
// system. Everybody on the machine can reach loopback, and a superuser of
// Postgres runs programs as the server's user: hence the password.
func arguments(cluster string, port int, noSync bool) []string {
	args := []string{
		"-D", cluster, "-p", strconv.Itoa(port), "-h", "127.0.0.1",
		"-c", "unix_socket_directories=", "-c", "timezone=UTC", "-c", "log_timezone=UTC", "-c", "logging_collector=off",
	}
	if noSync {
		return append(args, "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_wal_size=256MB")
	}
	return args
}

func (p *process) waitReady(ctx context.Context) error {
	select {
	case <-p.Log.Ready:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("not ready: %w", ctx.Err())
	case <-p.Exited:
	}
	for words, meaning := range map[string]error{
		"Address already in use":             child.ErrPortTaken,
		`lock file "postmaster.pid" already`: ErrInUse,
		"pre-existing shared memory block":   ErrInUse,
	} {
		if strings.Contains(p.Log.String(), words) {
			return meaning
		}
	}
	return fmt.Errorf("ended while starting: %w", p.Err)
}

// Addr is the server's host:port on the loopback interface.
func (s *Server) Addr() string { return s.addr }

// URL is the address of the database postgres for its superuser:
// postgres://postgres:PASSWORD@host:port/postgres?sslmode=disable.
func (s *Server) URL() string { return s.url }

// Stop ends the server, also with open connections, and removes a temporary directory.
// Further calls return the result of the first.
func (s *Server) Stop() error {
	s.stop.Do(func() {
		defer s.process.home.removeScratch()
		s.stopErr = s.process.end()
	})
	return s.stopErr
}

// Kill ends the server as a crash does: it finishes nothing and cleans up nothing. The
// next Start on the same Dir recovers the committed transactions. Kill removes a
// temporary directory all the same.
func (s *Server) Kill() error {
	s.stop.Do(func() {
		defer s.process.home.removeScratch()
		s.process.End()
	})
	return s.stopErr
}
