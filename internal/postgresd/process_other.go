//go:build !linux

package postgresd

import (
	"os"
	"syscall"
)

// reach is the data directory itself: every folder above it must be one that
// the server's user may enter.
func (h *home) reach() (path string, open *os.File, err error) { return h.dir, nil, nil }

// launch starts the child. Without a parent-death signal on this platform, a
// killed parent leaves it running; Stop is the only end.
func (p *process) launch(syscall.Signal) error {
	if err := p.cmd.Start(); err != nil {
		return err
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.exited)
	}()
	return nil
}
