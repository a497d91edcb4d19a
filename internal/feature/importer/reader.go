package importer

import (
	"bytes"
	"errors"
	"io"

	"github.com/framedle/leaderboards/internal/game"
)

// Line is one line of the file with its row, or with its fault.
type Line struct {
	Number int64 // from 1; the header of a CSV file is line 1
	End    int64 // bytes up to its end
	Text   string
	Row    Row
	Fault  *Fault // nil for a row that can be sent
}

// Reader reads rows from CSV with a header or from JSON lines; the first line shows which. Its
// memory does not depend on the size of the file.
type Reader struct {
	lines  *lineReader
	layout Layout
	check  func(*Row) *Fault
	csv    *csvRows // nil for JSON lines
	first  *Line    // of JSON lines, read to find the format
}

// NewReader reads the first line. With a game, it also checks rows against the game's modes
// and bounds; with nil, the product does. It fails on an empty file, on a header with a
// missing or surplus column, and on any other format.
func NewReader(r io.Reader, g *game.Game) (*Reader, error) {
	return NewReaderOf(r, scores, func(row *Row) *Fault { return row.check(g) })
}

// NewReaderOf is NewReader for files of another layout; check finds what is wrong with a row.
func NewReaderOf(r io.Reader, layout Layout, check func(*Row) *Fault) (*Reader, error) {
	reader := &Reader{lines: newLineReader(r), layout: layout, check: check}
	for {
		text, tooLong, err := reader.lines.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil, errors.New("the file is empty; it needs a CSV header or JSON lines")
		case err != nil:
			return nil, err
		case tooLong:
			return nil, errors.New("the first line is longer than 64 KiB; it should be a CSV header or a JSON object")
		case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
			return nil, errors.New("the file is UTF-16; save it as UTF-8")
		}
		switch start := bytes.TrimSpace(text); {
		case len(start) == 0:
			continue
		case start[0] == '{':
			line := reader.line(text, false)
			reader.first = &line
			return reader, nil
		case start[0] == '[':
			return nil, errors.New("the file is a JSON array; write one object on each line, without brackets and commas around them")
		}
		reader.csv, err = newCSV(string(text), layout)
		return reader, err
	}
}

// Next reads the next line that is not blank. The error is io.EOF at the end, or an error of
// reading.
func (r *Reader) Next() (Line, error) {
	if r.first != nil {
		line := *r.first
		r.first = nil
		return line, nil
	}
	for {
		text, tooLong, err := r.lines.next()
		if err != nil {
			return Line{}, err
		}
		if len(bytes.TrimSpace(text)) > 0 {
			return r.line(text, tooLong), nil
		}
	}
}

// skip skips the lines up to and including the given one.
func (r *Reader) skip(last int64) error {
	if r.first != nil && r.first.Number <= last {
		r.first = nil
	}
	for r.lines.number < last {
		if _, _, err := r.lines.next(); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) line(text []byte, tooLong bool) Line {
	line := Line{Number: r.lines.number, End: r.lines.end, Text: string(text)}
	switch {
	case tooLong:
		line.Fault = &Fault{"", "the line is longer than 64 KiB"}
	case r.csv != nil:
		line.Row, line.Fault = r.csv.read(text)
	default:
		line.Row, line.Fault = readJSON(text, r.layout)
	}
	if line.Fault == nil {
		line.Fault = r.check(&line.Row)
	}
	return line
}
