package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// position is the content of the progress file: how much of which file has been imported.
type position struct {
	Size         int64     `json:"size"`   // of the input, bytes
	SHA256       string    `json:"sha256"` // of the input, hex
	Target       string    `json:"target"` // the product it went to, see Target
	Batch        int       `json:"batch"`  // lines in a range; ranges must not move
	Line         int64     `json:"line"`   // all lines up to this one are done
	Bytes        int64     `json:"bytes"`  // up to the end of that line
	Complete     bool      `json:"complete"`
	Counts       Counts    `json:"counts"`
	RefusedBytes int64     `json:"refused_bytes"` // size of the report of these lines
	SavedAt      time.Time `json:"saved_at"`
}

// Target identifies the product that an import goes to, by a digest of its address and signing
// key that reveals neither. A local product has a new one after each start.
func Target(address, signingKey string) string {
	sum := sha256.Sum256([]byte(strings.TrimSuffix(address, "/") + "\x00" + signingKey))
	return hex.EncodeToString(sum[:8])
}

// loadPosition reads a progress file; false when there is none.
func loadPosition(path string) (position, bool, error) {
	var p position
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, false, nil
	}
	if err != nil {
		return p, false, fmt.Errorf("read the progress file: %w", err)
	}
	if err := json.Unmarshal(data, &p); err != nil || p.Batch < 1 || p.Batch > maxBatch || p.Line < 0 || p.SHA256 == "" || p.RefusedBytes < 0 {
		return p, false, fmt.Errorf("%s is not a progress file; remove it, or name another with --resume", path)
	}
	return p, true, nil
}

// save replaces the progress file in one step.
func (p position) save(path string) error {
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the progress file (--resume sets another path, --no-progress uses none): %w", err)
	}
	return os.Rename(path+".new", path)
}

// identify reads the whole input for its size and hash.
func identify(r io.Reader) (size int64, sum string, err error) {
	h := sha256.New()
	size, err = io.Copy(h, r)
	return size, hex.EncodeToString(h.Sum(nil)), err
}
