package importer

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

const reportHead = "line,reason,row\n"

// Report is the CSV file of rejected lines: line, reason, row. It exists only if there is
// something to report.
type Report struct {
	path  string
	bytes int64
	file  *os.File
}

// OpenReport continues a report after the given bytes; what follows them belongs to lines that
// will be sent again. From 0, it deletes the report of an earlier run. If the file is
// something else, such as the scores themselves, it leaves the file and returns an error.
func OpenReport(path string, bytes int64) (*Report, error) {
	if err := checkReport(path); err != nil {
		return nil, fmt.Errorf("check the file for rejected lines: %w", err)
	}
	r := &Report{path: path, bytes: bytes}
	if bytes == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("remove the report of an earlier run: %w", err)
		}
		return r, nil
	}
	if err := os.Truncate(path, bytes); err != nil {
		return nil, fmt.Errorf("continue the report of rejected lines: %w", err)
	}
	return r, nil
}

// checkReport returns an error unless the file is a report, maybe cut off, or does not exist.
func checkReport(path string) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	begin, err := io.ReadAll(io.LimitReader(file, int64(len(reportHead))))
	if err == nil && !strings.HasPrefix(reportHead, string(begin)) {
		err = fmt.Errorf("%s is not a list of rejected lines; remove it, or name another file", path)
	}
	return err
}

// Write adds lines.
func (r *Report) Write(refusals []Refusal) error {
	if len(refusals) == 0 {
		return nil
	}
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	if r.bytes == 0 {
		text.WriteString(reportHead)
	}
	for _, refusal := range refusals {
		_ = w.Write([]string{strconv.FormatInt(refusal.Line, 10), refusal.Reason, refusal.Text}) // a buffer takes everything
	}
	w.Flush()
	if r.file == nil {
		file, err := os.OpenFile(r.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return fmt.Errorf("write the report of rejected lines: %w", err)
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
