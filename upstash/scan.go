package upstash

import (
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// The JSON scanner below the level of answers: single tokens of d.body at d.pos.

// peek returns the byte at the position; 0 at the end.
func (d *reader) peek() byte {
	if d.pos < len(d.body) {
		return d.body[d.pos]
	}
	return 0
}

func (d *reader) space() {
	for d.pos < len(d.body) {
		switch d.body[d.pos] {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return
		}
	}
}

func (d *reader) expect(c byte) error {
	if d.peek() != c {
		return d.unexpected(fmt.Sprintf("%q", c))
	}
	d.pos++
	return nil
}

// unexpected describes where and what, and shows at most one byte: an answer may contain what
// must not get into a log.
func (d *reader) unexpected(want string) error {
	if d.pos >= len(d.body) {
		return fmt.Errorf("ends at byte %d, want %s", d.pos, want)
	}
	return fmt.Errorf("got %q at byte %d, want %s", d.body[d.pos], d.pos, want)
}

func (d *reader) literal(word string) bool {
	if len(d.body)-d.pos < len(word) || string(d.body[d.pos:d.pos+len(word)]) != word {
		return false
	}
	d.pos += len(word)
	return true
}

// number skips a number of JSON's grammar.
func (d *reader) number() error {
	if d.peek() == '-' {
		d.pos++
	}
	if d.peek() == '0' {
		d.pos++
	} else if err := d.digits(); err != nil {
		return err
	}
	if d.peek() == '.' {
		d.pos++
		if err := d.digits(); err != nil {
			return err
		}
	}
	if c := d.peek(); c == 'e' || c == 'E' {
		d.pos++
		if c := d.peek(); c == '+' || c == '-' {
			d.pos++
		}
		return d.digits()
	}
	return nil
}

func (d *reader) digits() error {
	from := d.pos
	for c := d.peek(); c >= '0' && c <= '9'; c = d.peek() {
		d.pos++
	}
	if d.pos == from {
		return d.unexpected("a digit")
	}
	return nil
}

// text parses a string. The bytes are valid until the next call.
func (d *reader) text() ([]byte, error) {
	if err := d.expect('"'); err != nil {
		return nil, err
	}
	from := d.pos
	for d.pos < len(d.body) {
		switch c := d.body[d.pos]; {
		case c == '"':
			d.pos++
			return d.body[from : d.pos-1], nil
		case c == '\\':
			return d.escaped(from)
		case c < ' ':
			return nil, d.unexpected("a string without control characters")
		}
		d.pos++
	}
	return nil, errUnterminated
}

var errUnterminated = errors.New("ends within a string")

// escaped parses the rest of a string with escapes, from the first escape on.
func (d *reader) escaped(from int) ([]byte, error) {
	d.plain = append(d.plain[:0], d.body[from:d.pos]...)
	for d.pos < len(d.body) {
		c := d.body[d.pos]
		switch {
		case c == '"':
			d.pos++
			return d.plain, nil
		case c < ' ':
			return nil, d.unexpected("a string without control characters")
		case c == '\\':
			d.pos++
			if err := d.escape(); err != nil {
				return nil, err
			}
			continue
		}
		d.plain = append(d.plain, c)
		d.pos++
	}
	return nil, errUnterminated
}

// escape decodes what follows a backslash into d.plain.
func (d *reader) escape() error {
	c := d.peek()
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		d.pos++
		return d.unicode()
	default:
		return d.unexpected("an escape")
	}
	d.pos++
	d.plain = append(d.plain, c)
	return nil
}

// unicode decodes the digits after \u, and a surrogate pair as one character; half a pair
// becomes U+FFFD.
func (d *reader) unicode() error {
	r, err := d.hex4()
	if err != nil {
		return err
	}
	if utf16.IsSurrogate(r) && d.literal(`\u`) {
		back := d.pos
		low, err := d.hex4()
		if err != nil {
			return err
		}
		pair := utf16.DecodeRune(r, low)
		if pair == utf8.RuneError {
			d.pos = back - len(`\u`)
		}
		r = pair
	}
	d.plain = utf8.AppendRune(d.plain, r)
	return nil
}

func (d *reader) hex4() (rune, error) {
	var r rune
	for range 4 {
		c := d.peek()
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, d.unexpected("a hexadecimal digit")
		}
		d.pos++
	}
	return r, nil
}

// skip skips a value of an unknown member.
func (d *reader) skip(depth int) error {
	if depth >= maxDepth {
		return fmt.Errorf("values are nested more than %d deep", maxDepth)
	}
	switch c := d.peek(); {
	case c == '"':
		_, err := d.text()
		return err
	case c == '[':
		return d.skipAll(depth, ']', false)
	case c == '{':
		return d.skipAll(depth, '}', true)
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	case d.literal("null") || d.literal("true") || d.literal("false"):
		return nil
	}
	return d.unexpected("a value")
}

func (d *reader) skipAll(depth int, end byte, named bool) error {
	d.pos++
	d.space()
	if d.peek() == end {
		d.pos++
		return nil
	}
	for {
		d.space()
		if named {
			if _, err := d.text(); err != nil {
				return err
			}
			d.space()
			if err := d.expect(':'); err != nil {
				return err
			}
			d.space()
		}
		if err := d.skip(depth + 1); err != nil {
			return err
		}
		d.space()
		if d.peek() == end {
			d.pos++
			return nil
		}
		if err := d.expect(','); err != nil {
			return err
		}
	}
}
