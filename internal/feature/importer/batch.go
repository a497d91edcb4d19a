package importer

import (
	"errors"
	"io"
	"strconv"
)

// maxBatch is how many scores the API takes at once.
const maxBatch = 1000

// batch is a range of consecutive lines, blank ones not counted.
type batch struct {
	index       int // from 0 in this run
	first, last int64
	end         int64 // bytes up to the end of the last line
	lines       []Line
	sound       []int // indexes of the lines that can be sent
	players     map[string]struct{}
}

// readBatch reads up to size lines; nil at the end of the file. A line that
// cannot be sent keeps its place in the range but not in the request.
func readBatch(r *Reader, index, size int) (*batch, error) {
	b := &batch{index: index, players: map[string]struct{}{}}
	for len(b.lines) < size {
		line, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if line.Fault == nil {
			b.sound = append(b.sound, len(b.lines))
			b.players[line.Row.Player] = struct{}{}
		}
		b.lines = append(b.lines, line)
	}
	if len(b.lines) == 0 {
		return nil, nil
	}
	last := b.lines[len(b.lines)-1]
	b.first, b.last, b.end = b.lines[0].Number, last.Number, last.End
	return b, nil
}

// body is the request, the same bytes in every run.
func (b *batch) body() []byte {
	body := make([]byte, 0, 128*len(b.sound)+16)
	body = append(body, `{"scores":[`...)
	for n, i := range b.sound {
		if n > 0 {
			body = append(body, ',')
		}
		body = b.lines[i].Row.appendJSON(body)
	}
	return append(body, ']', '}')
}

// key is the batch's Idempotency-Key. The product derives each score's own key from it and the
// score's place in the batch, so it must identify these lines of this file and no others.
func (b *batch) key(fileSHA256 string) string {
	return "import-" + fileSHA256 + "-" + strconv.FormatInt(b.first, 10) + "-" + strconv.FormatInt(b.last, 10)
}
