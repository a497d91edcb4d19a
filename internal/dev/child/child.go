// Package child runs servers as child processes. Each has a free port on the loopback
// interface, ends with its parent, and keeps the end of its output for error messages.
//
// It knows processes and ports. It must not know which server it is.
package child

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// InUseWait is how long to wait for an earlier server on the same data that is about to end.
const InUseWait = 5 * time.Second

const portAttempts = 5

var (
	// ErrInUse says that another server runs on the data directory.
	ErrInUse = errors.New("another server runs on this data directory")
	// ErrPortTaken makes OnFreePort start again: another process took the port after freePort
	// chose it and before the server bound it.
	ErrPortTaken = errors.New("port taken meanwhile")
)

// Process is a child that was started.
type Process struct {
	*os.Process
	Log    *Tail         // what it has written
	Exited chan struct{} // closed when it ends
	Err    error         // how it ended, valid once Exited is closed
}

// Start starts a command. log keeps its output. If this process dies, the child gets the
// signal lastWords, where the system supports that.
func Start(cmd *exec.Cmd, log *Tail, lastWords syscall.Signal) (*Process, error) {
	cmd.Stdout, cmd.Stderr = log, log
	p := &Process{Log: log, Exited: make(chan struct{})}
	err := launch(cmd, lastWords, func(err error) {
		p.Err = err
		close(p.Exited)
	})
	p.Process = cmd.Process
	return p, err
}

// Ends sends the child a signal, and reports whether it ends within a time.
func (p *Process) Ends(signal os.Signal, within time.Duration) bool {
	_ = p.Signal(signal)
	select {
	case <-p.Exited:
		return true
	case <-time.After(within):
		return false
	}
}

// End kills the child, and returns when it has ended.
func (p *Process) End() {
	_ = p.Kill()
	<-p.Exited
}

// OnFreePort starts a server on a free port of the loopback interface. As long as start
// returns ErrPortTaken, it tries another port, 5 times at most.
func OnFreePort[Server any](start func(port int) (Server, error)) (server Server, err error) {
	for range portAttempts {
		var port int
		if port, err = freePort(); err != nil {
			return server, fmt.Errorf("choosing a port: %w", err)
		}
		if server, err = start(port); !errors.Is(err, ErrPortTaken) {
			break
		}
	}
	return server, err
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
