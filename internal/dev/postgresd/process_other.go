//go:build !linux

package postgresd

import "os"

// reach is the data directory itself: every folder above it must be one that
// the server's user may enter.
func (h *home) reach() (path string, open *os.File, err error) { return h.dir, nil, nil }
