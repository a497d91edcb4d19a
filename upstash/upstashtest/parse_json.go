package upstashtest

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	maxArguments = 1 << 20 // in one request; Redis' own limit for one command
	maxCommands  = 100_000 // in one pipeline or transaction
)

// command is one Redis command; its name is the first argument.
type command struct {
	args [][]byte
	kind *kind // set when the request is classified
	size int   // bytes of name and arguments
	// refusal is why the engine may not get the command, or "".
	refusal string
	// digest is what SCRIPT LOAD answers instead of the engine's digest, or "" for the
	// engine's own.
	digest string
	// instead is what a given Redis gets in place of an FCALL_RO that had to be looked
	// up, or nil.
	instead *standIn
}

// bodyParser reads commands from a JSON body. It unescapes strings in place (the decoded
// form is never longer), so arguments alias the body. It keeps numbers, true and false as
// the text that was sent: 1000000 stays 1000000. Arguments cannot nest, which bounds the
// depth.
type bodyParser struct {
	buf  []byte
	pos  int
	args [][]byte // of all commands so far
}

// parseCommand reads ["NAME", "arg", …] and appends it to x.commands.
func (x *exchange) parseCommand(body []byte) error {
	p := bodyParser{buf: body, args: x.args[:0]}
	c, err := p.command()
	x.args = p.args
	if err != nil {
		return err
	}
	x.commands = append(x.commands, c)
	return p.end()
}

// parsePipeline reads [["NAME", "arg", …], …] and appends it to x.commands.
func (x *exchange) parsePipeline(body []byte) error {
	p := bodyParser{buf: body, args: x.args[:0]}
	defer func() { x.args = p.args }()
	if p.peek() != '[' {
		return p.wrong("an array of commands, such as [[\"SET\",\"k\",\"v\"],[\"GET\",\"k\"]]")
	}
	p.pos++
	if p.peek() == ']' {
		return p.wrong("at least one command")
	}
	for {
		if len(x.commands) == maxCommands {
			return fmt.Errorf("more than %d commands in one request; send several", maxCommands)
		}
		c, err := p.command()
		if err != nil {
			return fmt.Errorf("command %d: %w", len(x.commands)+1, err)
		}
		x.commands = append(x.commands, c)
		switch p.peek() {
		case ',':
			p.pos++
		case ']':
			p.pos++
			return p.end()
		default:
			return p.wrong("a comma or ]")
		}
	}
}

func (p *bodyParser) command() (command, error) {
	if p.peek() != '[' {
		return command{}, p.wrong("a command as an array, such as [\"GET\",\"k\"]")
	}
	p.pos++
	if p.peek() == ']' {
		return command{}, p.wrong("a command name; the array is empty")
	}
	var c command
	start := len(p.args)
	for {
		if len(p.args) == maxArguments {
			return command{}, fmt.Errorf("more than %d arguments in one request", maxArguments)
		}
		arg, err := p.argument()
		if err != nil {
			return command{}, err
		}
		p.args = append(p.args, arg)
		c.size += len(arg)
		switch p.peek() {
		case ',':
			p.pos++
		case ']':
			p.pos++
			c.args = p.args[start:len(p.args):len(p.args)]
			if len(c.args[0]) == 0 {
				return command{}, fmt.Errorf("empty command name")
			}
			return c, nil
		default:
			return command{}, p.wrong("a comma or ]")
		}
	}
}

func (p *bodyParser) argument() ([]byte, error) {
	switch c := p.peek(); {
	case c == '"':
		return p.string()
	case c == '-' || isDigit(c):
		return p.number()
	case c == 't':
		return p.word("true")
	case c == 'f':
		return p.word("false")
	}
	return nil, p.wrong("a string or a number (null, arrays and objects cannot be arguments)")
}

// peek returns the next byte after white space, 0 at the end.
func (p *bodyParser) peek() byte {
	for ; p.pos < len(p.buf); p.pos++ {
		switch c := p.buf[p.pos]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

func (p *bodyParser) end() error {
	p.peek()
	if p.pos < len(p.buf) {
		return p.wrong("nothing after the closing ]")
	}
	return nil
}

func (p *bodyParser) wrong(want string) error {
	if p.pos >= len(p.buf) {
		return fmt.Errorf("body ends at byte %d, want %s", p.pos, want)
	}
	return fmt.Errorf("%q at byte %d, want %s", rune(p.buf[p.pos]), p.pos, want)
}

func (p *bodyParser) word(w string) ([]byte, error) {
	end := p.pos + len(w)
	if end > len(p.buf) || string(p.buf[p.pos:end]) != w {
		return nil, p.wrong(w)
	}
	word := p.buf[p.pos:end]
	p.pos = end
	return word, nil
}

// number checks the grammar of RFC 8259 and returns the text as sent.
func (p *bodyParser) number() ([]byte, error) {
	start := p.pos
	if p.at() == '-' {
		p.pos++
	}
	if p.at() == '0' {
		p.pos++
	} else if !p.digits() {
		return nil, p.wrong("a digit")
	}
	if p.at() == '.' {
		p.pos++
		if !p.digits() {
			return nil, p.wrong("a digit after the point")
		}
	}
	if c := p.at(); c == 'e' || c == 'E' {
		p.pos++
		if c := p.at(); c == '+' || c == '-' {
			p.pos++
		}
		if !p.digits() {
			return nil, p.wrong("a digit in the exponent")
		}
	}
	return p.buf[start:p.pos], nil
}

func (p *bodyParser) at() byte {
	if p.pos < len(p.buf) {
		return p.buf[p.pos]
	}
	return 0
}

func (p *bodyParser) digits() bool {
	start := p.pos
	for isDigit(p.at()) {
		p.pos++
	}
	return p.pos > start
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// string unescapes in place: out never overtakes pos.
func (p *bodyParser) string() ([]byte, error) {
	p.pos++
	start, out := p.pos, p.pos
	for p.pos < len(p.buf) {
		c := p.buf[p.pos]
		switch {
		case c == '"':
			p.pos++
			return p.buf[start:out:out], nil
		case c == '\\':
			r, err := p.escape()
			if err != nil {
				return nil, err
			}
			out += utf8.EncodeRune(p.buf[out:], r)
		case c < ' ':
			return nil, p.wrong("an escape such as \\n instead of a raw control character")
		case c < utf8.RuneSelf:
			p.buf[out] = c
			p.pos++
			out++
		default:
			r, size := utf8.DecodeRune(p.buf[p.pos:])
			if r == utf8.RuneError && size == 1 {
				return nil, p.wrong("UTF-8 (send binary values by the path form)")
			}
			out += copy(p.buf[out:], p.buf[p.pos:p.pos+size])
			p.pos += size
		}
	}
	return nil, p.wrong("a closing quote")
}

// escape reads one escape, a surrogate pair included; half a pair becomes
// U+FFFD.
func (p *bodyParser) escape() (rune, error) {
	p.pos++
	c := p.at()
	p.pos++
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		r, ok := p.hex4(p.pos)
		if !ok {
			return 0, p.wrong("four hexadecimal digits")
		}
		p.pos += 4
		if !utf16.IsSurrogate(r) {
			return r, nil
		}
		if p.pos+6 <= len(p.buf) && p.buf[p.pos] == '\\' && p.buf[p.pos+1] == 'u' {
			if low, ok := p.hex4(p.pos + 2); ok {
				if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
					p.pos += 6
					return pair, nil
				}
			}
		}
		return utf8.RuneError, nil
	}
	p.pos--
	return 0, p.wrong(`one of " \ / b f n r t u after a backslash`)
}

func (p *bodyParser) hex4(at int) (rune, bool) {
	if at+4 > len(p.buf) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p.buf[at:at+4]), 16, 32)
	return rune(n), err == nil
}
