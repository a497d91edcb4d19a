// Package child runs servers as child processes: each on a free loopback port, gone with
// its parent, with the end of what it has written at hand.
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

// InUseWait is for a predecessor on the same data that is about to end.
const InUseWait = 5 * time.Second

const portAttempts = 5

var (
	// ErrInUse says that another server runs on the data directory.
	ErrInUse = errors.New("another server runs on this data directory")
	// ErrPortTaken is what OnFreePort starts again on: another process took the port
	// between our choosing it and the server's binding it.
	ErrPortTaken = errors.New("port taken meanwhile")
)

// Process is a child that was started.
type Process struct {
	*os.Process
	Log    *Tail         // what it has written
	Exited chan struct{} // closed at its end
	Err    error         // how it ended, valid once Exited is closed
}

// Start starts a command. The log keeps what it writes, and lastWords is the signal that
// it gets when this process dies, where the system can do that.
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

// Ends asks the child to end by a signal, and reports whether it has within a time.
func (p *Process) Ends(signal os.Signal, within time.Duration) bool {
	_ = p.Signal(signal)
	select {
	case <-p.Exited:
		return true
	case <-time.After(within):
		return false
	}
}

// End ends the child by force, and returns when it is gone.
func (p *Process) End() {
	_ = p.Kill()
	<-p.Exited
}

// OnFreePort has a server started on a free port of the loopback interface, and on
// another, 5 times at most, as long as that is ErrPortTaken.
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
