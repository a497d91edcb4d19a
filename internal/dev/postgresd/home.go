package postgresd

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Names within a data directory.
const (
	clusterName  = "cluster"     // what initdb makes
	unfinished   = "cluster.new" // the same, until it is complete
	passwordName = "password"
)

// home is a data directory, and the user that the server runs as.
type home struct {
	dir     string
	scratch bool   // a temporary directory
	sweep   func() // removes it
	account account
}

// newHome makes a directory that the server's user owns. It refuses a directory that has
// something else in it.
func newHome(dir string) (*home, error) {
	h := &home{scratch: dir == ""}
	var err error
	if h.scratch {
		dir, err = os.MkdirTemp(scratchParent(), "postgresd-")
	} else if dir, err = filepath.Abs(dir); err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("postgresd: data directory: %w", err)
	}
	h.dir = dir
	if h.scratch {
		if h.sweep, err = h.sweepAfterwards(); err != nil {
			_ = os.RemoveAll(dir)
			return nil, fmt.Errorf("postgresd: data directory: %w", err)
		}
	}
	if err = h.settle(); err != nil {
		h.removeScratch()
		return nil, err
	}
	return h, nil
}

func (h *home) settle() error {
	entries, err := os.ReadDir(h.dir)
	if err != nil {
		return fmt.Errorf("postgresd: data directory: %w", err)
	}
	for _, e := range entries {
		if name := e.Name(); !h.isMade() && name != unfinished && name != passwordName {
			return fmt.Errorf("postgresd: %s holds %s, so it is no data directory of this package: use an empty or a new folder", h.dir, name)
		}
	}
	if h.account, err = accountFor(h.dir); err != nil {
		return err
	}
	return h.account.own(h.dir)
}

// isMade reports whether the directory has a complete cluster.
func (h *home) isMade() bool {
	_, err := os.Stat(filepath.Join(h.dir, clusterName))
	return err == nil
}

// major is the version that made the cluster; 0 when there is none yet.
func (h *home) major() int {
	text, err := os.ReadFile(filepath.Join(h.dir, clusterName, "PG_VERSION"))
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return n
}

// password reads the cluster's password, or makes one for a new cluster. The password is
// beside the cluster, readable only for the server's user, who can read the tables anyway.
func (h *home) password() (string, error) {
	path := filepath.Join(h.dir, passwordName)
	text, err := os.ReadFile(path)
	if err == nil && len(text) > 0 {
		return string(text), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("postgresd: reading the password: %w", err)
	}
	if h.isMade() {
		return "", fmt.Errorf("postgresd: %s is missing or empty, and the cluster beside it cannot be opened without: put it back, or remove the folder", path)
	}
	var b [24]byte
	_, _ = rand.Read(b[:]) // never fails
	secret := hex.EncodeToString(b[:])
	if err := os.WriteFile(path, []byte(secret), 0o600); err != nil {
		return "", fmt.Errorf("postgresd: keeping the password: %w", err)
	}
	return secret, h.account.own(path)
}

func (h *home) removeScratch() {
	if h.scratch {
		h.sweep()
	}
}
