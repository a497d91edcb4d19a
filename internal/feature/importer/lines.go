package importer

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine is the largest length of a line in bytes; the longest valid line has some 500.
const maxLine = 64 << 10

// keptOfLine is how much of a line that is too long is kept for the report.
const keptOfLine = 200

// lineReader cuts a file into lines, in memory of a fixed size.
type lineReader struct {
	r      *bufio.Reader
	number int64 // of the line read last, from 1
	end    int64 // bytes up to the end of that line
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, maxLine)}
}

// next reads a line without its end. The text is valid until the next call. A line that is too
// long is cut, with tooLong.
func (l *lineReader) next() (text []byte, tooLong bool, err error) {
	chunk, err := l.r.ReadSlice('\n')
	l.end += int64(len(chunk))
	text = chunk
	if errors.Is(err, bufio.ErrBufferFull) {
		tooLong = true
		text = bytes.Clone(chunk[:keptOfLine])
		for errors.Is(err, bufio.ErrBufferFull) {
			chunk, err = l.r.ReadSlice('\n')
			l.end += int64(len(chunk))
		}
	}
	if err != nil && !(errors.Is(err, io.EOF) && len(text) > 0) {
		return nil, false, err
	}
	l.number++
	if l.number == 1 {
		text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) // byte order mark
	}
	text = bytes.TrimSuffix(text, []byte("\n"))
	return bytes.TrimSuffix(text, []byte("\r")), tooLong, nil
}
