package postgresd

import "os"

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
