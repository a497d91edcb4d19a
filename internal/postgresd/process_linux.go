package postgresd

import (
	"os"
	"runtime"
	"syscall"
)

// reach is the path under which the server's user gets to the data directory.
// Where that is another user than ours, it may be unable to walk down to it,
// below /root as an example, so the child inherits the open directory as its
// first file after the standard three and goes on from there.
func (h *home) reach() (path string, open *os.File, err error) {
	if !h.account.other {
		return h.dir, nil, nil
	}
	open, err = os.Open(h.dir)
	return "/proc/self/fd/3", open, err
}

// launch starts the child so that the kernel signals it when this process ends.
// The parent-death signal is bound to the starting thread, not to the process,
// so one goroutine keeps its thread until the child is gone.
func (p *process) launch(lastWords syscall.Signal) error {
	p.cmd.SysProcAttr.Pdeathsig = lastWords
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
			close(p.exited)
		}
	}()
	return <-started
}
