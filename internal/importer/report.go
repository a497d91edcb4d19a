package importer

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
)

// Report is the CSV file of refused lines: line, reason, row. It exists only
// once there is something to report.
type Report struct {
	path  string
	bytes int64
	file  *os.File
}

// OpenReport goes on after the given bytes; what stands behind them belongs to
// lines that will be sent again. From 0, a report of an earlier run goes away.
func OpenReport(path string, bytes int64) (*Report, error) {
	r := &Report{path: path, bytes: bytes}
	if bytes == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("remove the report of an earlier run: %w", err)
		}
		return r, nil
	}
	if err := os.Truncate(path, bytes); err != nil {
		return nil, fmt.Errorf("go on with the report of refused lines: %w", err)
	}
	return r, nil
}

// Write adds lines.
func (r *Report) Write(refusals []Refusal) error {
	if len(refusals) == 0 {
		return nil
	}
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	if r.bytes == 0 {
		_ = w.Write([]string{"line", "reason", "row"}) // a buffer takes everything
	}
	for _, refusal := range refusals {
		_ = w.Write([]string{strconv.FormatInt(refusal.Line, 10), refusal.Reason, refusal.Text})
	}
	w.Flush()
	if r.file == nil {
		file, err := os.OpenFile(r.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return fmt.Errorf("write the report of refused lines: %w", err)
		}
		r.file = file
	}
	n, err := r.file.Write(text.Bytes())
	r.bytes += int64(n)
	return err
}

// Close ends the file, if there is one.
func (r *Report) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}
