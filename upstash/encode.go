package upstash

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// MaxCommand bounds one command on the wire, in bytes of JSON.
	MaxCommand = 10 << 20
	// MaxRequest bounds the body of one request, in bytes: a longer pipeline is
	// sent in parts.
	MaxRequest = 10 << 20
)

const hexDigits = "0123456789abcdef"

// body is the JSON of a request: one array of strings, or an array of such arrays.
type body struct {
	bytes []byte
	ends  []int // end of each command's part, including comma or bracket
}

// encode fills the body. It fails with KindArgument or KindTooLarge, before anything is sent.
func (b *body) encode(r request) *Error {
	b.bytes, b.ends = b.bytes[:0], b.ends[:0]
	if r.op != opDo {
		b.bytes = append(b.bytes, '[')
	}
	for i := range r.cmds {
		var err *Error
		if b.bytes, err = appendCommand(b.bytes, r, i); err != nil {
			return err
		}
		switch {
		case r.op == opDo:
		case i < len(r.cmds)-1:
			b.bytes = append(b.bytes, ',')
		default:
			b.bytes = append(b.bytes, ']')
		}
		b.ends = append(b.ends, len(b.bytes))
	}
	return nil
}

func appendCommand(b []byte, r request, i int) ([]byte, *Error) {
	cmd := &r.cmds[i]
	if cmd.name() == "" {
		return b, r.refused(i, KindArgument, "command has no name, want at least one word")
	}
	start := len(b)
	b = append(b, '[')
	if s := cmd.script; s != nil {
		if !utf8.ValidString(s.source) {
			return b, r.refused(i, KindArgument, "script is not valid UTF-8")
		}
		if r.source {
			b = appendString(append(b, `"EVAL",`...), s.source)
		} else {
			b = appendString(append(b, `"EVALSHA",`...), s.digest())
		}
		b = append(b, ',')
	}
	size := 0
	for _, arg := range cmd.args {
		size += len(arg)
	}
	if size > MaxCommand {
		return b, r.refused(i, KindTooLarge, fmt.Sprintf("command has %d bytes, want at most %d: send it in parts", size, MaxCommand))
	}
	for j, arg := range cmd.args {
		if !utf8.ValidString(arg) {
			return b, r.refused(i, KindArgument, fmt.Sprintf("argument %d is not valid UTF-8, which JSON cannot carry: encode it first", j))
		}
		if j > 0 {
			b = append(b, ',')
		}
		b = appendString(b, arg)
	}
	b = append(b, ']')
	if n := len(b) - start; n > MaxCommand {
		return b, r.refused(i, KindTooLarge, fmt.Sprintf("command has %d bytes as JSON, want at most %d: send it in parts", n, MaxCommand))
	}
	return b, nil
}

// appendString appends a JSON string. It escapes only what JSON demands: U+2028 and HTML's
// characters are harmless in a request body.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := range len(s) {
		ch := s[i]
		if ch >= ' ' && ch != '"' && ch != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		switch ch {
		case '"', '\\':
			b = append(b, '\\', ch)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[ch>>4], hexDigits[ch&15])
		}
	}
	return append(append(b, s[from:]...), '"')
}

// whose returns the place, from 1, and the name of the command that an error of the whole call
// is about; 0 and "" if the call has several commands.
func (r request) whose() (place int, name string) {
	switch {
	case len(r.cmds) != 1:
		return 0, ""
	case r.op == opDo || r.op == opListen:
		return 1, r.cmds[0].name()
	}
	return 0, r.cmds[0].name()
}

// describe names a call for its errors: the operation, and the command if there is only one.
func (r request) describe() string {
	if len(r.cmds) == 1 {
		return r.op.String() + " " + r.cmds[0].String()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %d", r.op, len(r.cmds))
	return b.String()
}

// refused makes the error of item i, before anything was sent.
func (r request) refused(i int, kind Kind, message string) *Error {
	op := r.describe()
	if r.op != opDo {
		op = itemName(r.op, i, r.cmds[i])
	}
	return &Error{Op: op, Message: message, kind: kind, place: i + 1, command: r.cmds[i].name()}
}

func itemName(o op, i int, cmd Command) string {
	return fmt.Sprintf("%s item %d %s", o, i, cmd)
}
