package backfill

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// play is one line of a file that has passed every check.
type play struct {
	mode    int // index in the game's modes
	date    game.Date
	player  string
	at      time.Time // zero: not known
	line    place
	score   game.Score
	groups  string // ids with spaces between them
	details string // compact JSON
	name    string
	picture string
	country string
}

// place is a line of a file.
type place struct {
	file int
	line int64
}

// epoch is before every date, so that distances from it are not negative.
var epoch = game.NewDate(1, 1, 1)

var errShort = errors.New("a sorted file is shorter than what was written to it")

// appendTo writes a play so that plays sort by their bytes: by day, mode, player, time and
// line. A play without a time comes after those with one.
func (p *play) appendTo(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(p.date.DaysSince(epoch)))
	b = binary.BigEndian.AppendUint16(b, uint16(p.mode))
	b = append(append(b, p.player...), 0) // no id has a zero in it
	seconds, nanos := uint64(math.MaxUint64), uint32(math.MaxUint32)
	if !p.at.IsZero() {
		seconds, nanos = uint64(p.at.Unix())^(1<<63), uint32(p.at.Nanosecond())
	}
	b = binary.BigEndian.AppendUint64(b, seconds)
	b = binary.BigEndian.AppendUint32(b, nanos)
	b = binary.BigEndian.AppendUint32(b, uint32(p.line.file))
	b = binary.BigEndian.AppendUint64(b, uint64(p.line.line))
	b = binary.BigEndian.AppendUint64(b, uint64(p.score))
	for _, text := range [...]string{p.groups, p.details, p.name, p.picture, p.country} {
		b = appendText(b, text)
	}
	return b
}

func readPlay(b []byte) (p play, err error) {
	d := decoder{b: b}
	p.date = epoch.AddDays(int(d.uint32()))
	p.mode = int(d.uint16())
	p.player = d.untilZero()
	seconds, nanos := d.uint64(), d.uint32()
	if nanos != math.MaxUint32 {
		p.at = time.Unix(int64(seconds^(1<<63)), int64(nanos)).UTC()
	}
	p.line = place{int(d.uint32()), int64(d.uint64())}
	p.score = game.Score(d.uint64())
	for _, into := range [...]*string{&p.groups, &p.details, &p.name, &p.picture, &p.country} {
		*into = d.text()
	}
	return p, d.err
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// decoder reads fields from bytes; after an error it returns zeros.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) take(n int) []byte {
	if n > len(d.b) || n < 0 {
		d.err, d.b = errShort, nil
		return make([]byte, 8) // long enough for a number
	}
	taken := d.b[:n]
	d.b = d.b[n:]
	return taken
}

func (d *decoder) uint16() uint16 { return binary.BigEndian.Uint16(d.take(2)) }
func (d *decoder) uint32() uint32 { return binary.BigEndian.Uint32(d.take(4)) }
func (d *decoder) uint64() uint64 { return binary.BigEndian.Uint64(d.take(8)) }

func (d *decoder) untilZero() string {
	for i, c := range d.b {
		if c == 0 {
			text := string(d.b[:i])
			d.b = d.b[i+1:]
			return text
		}
	}
	d.err, d.b = errShort, nil
	return ""
}

func (d *decoder) text() string {
	length, n := binary.Uvarint(d.b)
	if n <= 0 || length > uint64(len(d.b)-n) {
		d.err, d.b = errShort, nil
		return ""
	}
	d.b = d.b[n:]
	return string(d.take(int(length)))
}
