package postgresd

import "os"

// reach is the path by which the server's user gets to the data directory. Another user than
// this process's may lack the right to enter a folder above it, such as /root. So the child
// inherits the open directory as its first file after the standard three, and uses that as its
// path.
func (h *home) reach() (path string, open *os.File, err error) {
	if !h.account.other {
		return h.dir, nil, nil
	}
	open, err = os.Open(h.dir)
	return "/proc/self/fd/3", open, err
}
