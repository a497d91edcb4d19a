package postgresd

import (
	"os"
	"os/exec"
)

// sweeper removes a temporary directory once this process is gone, however it
// ends: a test process has no end of its own at which to do it, and one that is
// killed has none at all.
const sweeper = `cat >/dev/null; until rm -rf "$1"; do sleep 0.1; done`

// sweepAfterwards starts a shell that waits for its input to end, which it does
// with this process or with the returned function.
func (h *home) sweepAfterwards() (now func(), err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("/bin/sh", "-c", sweeper, "sh", h.dir)
	cmd.Stdin = r
	cmd.SysProcAttr = account{}.attributes()
	err = cmd.Start()
	_ = r.Close()
	if err != nil {
		_ = w.Close()
		return nil, err
	}
	return func() {
		_ = w.Close()
		_ = cmd.Wait()
	}, nil
}
