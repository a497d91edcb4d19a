package backfill

import (
	"bufio"
	"bytes"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// How much is sorted in memory, and how many sorted files may exist at once: each takes a
// buffer and an open file.
const (
	sortedAtOnce = 64 << 20 // bytes
	mostRuns     = 128
	runBuffer    = 64 << 10 // bytes
	recordSize   = 8 << 10  // bytes; hardly one is longer
)

// sorter sorts any number of records by their bytes, on disk.
type sorter struct {
	dir  string
	size int // bytes sorted in memory at once

	held    []byte
	records [][2]int // begin and end of each in held
	runs    []*os.File
}

func newSorter(dir string, size int) *sorter { return &sorter{dir: dir, size: size} }

// add takes a record, written by a function that appends it.
func (s *sorter) add(write func([]byte) []byte) error {
	if s.held == nil {
		s.held = make([]byte, 0, s.size+recordSize)
	}
	begin := len(s.held)
	s.held = write(s.held)
	s.records = append(s.records, [2]int{begin, len(s.held)})
	if len(s.held) < s.size {
		return nil
	}
	return s.flush()
}

func (s *sorter) record(at [2]int) []byte { return s.held[at[0]:at[1]] }

// flush writes the held records to a sorted file.
func (s *sorter) flush() error {
	if len(s.records) == 0 {
		return nil
	}
	slices.SortFunc(s.records, func(a, b [2]int) int { return bytes.Compare(s.record(a), s.record(b)) })
	next := 0
	err := s.write(func() ([]byte, error) {
		if next == len(s.records) {
			return nil, io.EOF
		}
		next++
		return s.record(s.records[next-1]), nil
	})
	s.held, s.records = s.held[:0], s.records[:0]
	if err != nil || len(s.runs) < mostRuns {
		return err
	}
	return s.mergeRuns()
}

// mergeRuns merges all sorted files into one.
func (s *sorter) mergeRuns() error {
	m, err := mergeOf(s.runs)
	if err != nil {
		return err
	}
	merged := s.runs
	s.runs = nil
	if err := s.write(m.next); err != nil {
		return err
	}
	return remove(merged)
}

// write writes records to a new file, which disappears with the process.
func (s *sorter) write(next func() ([]byte, error)) error {
	file, err := os.CreateTemp(s.dir, "sorted-")
	if err != nil {
		return fmt.Errorf("sort on disk: %w", err)
	}
	s.runs = append(s.runs, file)
	w := bufio.NewWriterSize(file, runBuffer)
	var length [binary.MaxVarintLen64]byte
	for {
		record, err := next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		n := binary.PutUvarint(length[:], uint64(len(record)))
		_, _ = w.Write(length[:n]) // a later write reports the error
		if _, err := w.Write(record); err != nil {
			return fmt.Errorf("sort on disk: %w", err)
		}
	}
	return w.Flush()
}

// sorted returns a function that reads all records in order. Each is valid until the next
// call; after the last comes io.EOF.
func (s *sorter) sorted() (next func() ([]byte, error), err error) {
	if err := s.flush(); err != nil {
		return nil, err
	}
	s.held, s.records = nil, nil
	m, err := mergeOf(s.runs)
	if err != nil {
		return nil, err
	}
	return m.next, nil
}

func (s *sorter) close() error { return remove(s.runs) }

func remove(files []*os.File) error {
	var errs []error
	for _, file := range files {
		errs = append(errs, file.Close(), os.Remove(file.Name()))
	}
	return errors.Join(errs...)
}

// sortedRun is a sorted file that is being read.
type sortedRun struct {
	r      *bufio.Reader
	record []byte
}

func (r *sortedRun) advance() error {
	length, err := binary.ReadUvarint(r.r)
	if err != nil {
		return err // io.EOF at the end
	}
	r.record = slices.Grow(r.record[:0], int(length))[:length]
	_, err = io.ReadFull(r.r, r.record)
	return err
}

// merge reads several sorted files as one. The least record is on top.
type merge struct {
	runs []*sortedRun
	used bool // the top record has been returned
}

func mergeOf(files []*os.File) (*merge, error) {
	m := &merge{}
	for _, file := range files {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		r := &sortedRun{r: bufio.NewReaderSize(file, runBuffer)}
		if err := r.advance(); err != nil {
			return nil, err // every file has a record
		}
		m.runs = append(m.runs, r)
	}
	heap.Init(m)
	return m, nil
}

func (m *merge) next() ([]byte, error) {
	if m.used {
		switch err := m.runs[0].advance(); {
		case errors.Is(err, io.EOF):
			heap.Pop(m)
		case err != nil:
			return nil, err
		default:
			heap.Fix(m, 0)
		}
	}
	if m.used = len(m.runs) > 0; !m.used {
		return nil, io.EOF
	}
	return m.runs[0].record, nil
}

// Len, Less, Swap, Push and Pop implement [heap.Interface].
func (m *merge) Len() int           { return len(m.runs) }
func (m *merge) Less(i, j int) bool { return bytes.Compare(m.runs[i].record, m.runs[j].record) < 0 }
func (m *merge) Swap(i, j int)      { m.runs[i], m.runs[j] = m.runs[j], m.runs[i] }
func (m *merge) Push(x any)         { m.runs = append(m.runs, x.(*sortedRun)) }
func (m *merge) Pop() any {
	last := m.runs[len(m.runs)-1]
	m.runs = m.runs[:len(m.runs)-1]
	return last
}
