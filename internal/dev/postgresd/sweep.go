package postgresd

import (
	"os"
	"os/exec"
)

// sweeper removes a temporary directory once this process has ended, in whatever way: a test
// process has no place to do that at its end, and a process that is killed cannot do anything.
const sweeper = `cat >/dev/null; until rm -rf "$1"; do sleep 0.1; done`

// sweepAfterwards starts a shell that removes the directory when its input ends: when this
// process ends, or when the returned function is called.
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
