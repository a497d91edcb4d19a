package postgresd

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// process is one child: initdb or the server.
type process struct {
	home   *home // kept, with its open files, for as long as the child lives
	cmd    *exec.Cmd
	log    *tail
	exited chan struct{}
	err    error // how it ended, valid once exited is closed
}

// start runs a program as the server's user; arguments get the path under which
// that user reaches the data directory. lastWords is the signal that the child
// gets when this process dies, where the system can do that.
func (h *home) start(program string, lastWords syscall.Signal, arguments func(dir string) []string) (*process, error) {
	p := &process{home: h, log: newTail(), exited: make(chan struct{})}
	p.cmd = &exec.Cmd{
		Path: program, Stdout: p.log, Stderr: p.log,
		Dir:         "/", // any user can enter it
		SysProcAttr: h.account.attributes(),
		// Messages in English, since they are read here, and nothing of the
		// caller's PG* variables.
		Env: []string{"LC_ALL=C", "TZ=UTC", "PATH=" + os.Getenv("PATH")},
	}
	reach, open, err := h.reach()
	if err != nil {
		return nil, fmt.Errorf("postgresd: data directory: %w", err)
	}
	if open != nil {
		defer open.Close()
		p.cmd.ExtraFiles = []*os.File{open}
	}
	p.cmd.Args = append([]string{program}, arguments(reach)...)
	if err := p.launch(lastWords); err != nil {
		return nil, fmt.Errorf("postgresd: starting %s: %w", program, err)
	}
	return p, nil
}
