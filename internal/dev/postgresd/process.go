package postgresd

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"github.com/framedle/leaderboards/internal/dev/child"
)

// process is one child: initdb or the server.
type process struct {
	*child.Process
	home *home // kept, with its open files, for as long as the child lives
}

// start runs a program as the server's user; arguments get the path under which
// that user reaches the data directory. lastWords is the signal that the child
// gets when this process dies, where the system can do that.
func (h *home) start(program string, lastWords syscall.Signal, arguments func(dir string) []string) (*process, error) {
	cmd := &exec.Cmd{
		Path:        program,
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
		cmd.ExtraFiles = []*os.File{open}
	}
	cmd.Args = append([]string{program}, arguments(reach)...)
	p, err := child.Start(cmd, child.NewTail(readyWords), lastWords)
	if err != nil {
		return nil, fmt.Errorf("postgresd: starting %s: %w", program, err)
	}
	return &process{p, h}, nil
}
