package engine

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
)

// jsonReader is cjson.decode. Like cjson it accepts more than JSON: numbers as C reads
// them.
type jsonReader struct {
	l    *lua.LState
	null *lua.LUserData
	text string
	at   int    // the next byte
	from int    // where the last token began
	str  string // of the last token
	num  float64
}

// token reads the next token; its names are those of cjson's errors.
func (r *jsonReader) token() string {
	for r.at < len(r.text) && strings.IndexByte(" \t\n\r", r.text[r.at]) >= 0 {
		r.at++
	}
	r.from = r.at
	if r.at == len(r.text) {
		return "T_END"
	}
	r.at++
	switch c := r.text[r.from]; c {
	case '{':
		return "T_OBJ_BEGIN"
	case '}':
		return "T_OBJ_END"
	case '[':
		return "T_ARR_BEGIN"
	case ']':
		return "T_ARR_END"
	case ':':
		return "T_COLON"
	case ',':
		return "T_COMMA"
	case '"':
		return r.quoted()
	default:
		return r.word(c)
	}
}

func (r *jsonReader) word(c byte) string {
	rest := r.text[r.from:]
	for word, name := range map[string]string{"true": "T_TRUE", "false": "T_FALSE", "null": "T_NULL"} {
		if strings.HasPrefix(rest, word) {
			r.at = r.from + len(word)
			return name
		}
	}
	if c != '-' && (c < '0' || c > '9') {
		return "invalid token"
	}
	n := len(rest) - len(strings.TrimLeft(rest, "+-0123456789.eExXabcdfABCDF"))
	for ; n > 0; n-- {
		if f, ok := parseLuaNumber(rest[:n]); ok {
			r.num, r.at = f, r.from+n
			return "T_NUMBER"
		}
	}
	return "invalid number"
}

func (r *jsonReader) quoted() string {
	var b strings.Builder
	for r.at < len(r.text) {
		c := r.text[r.at]
		r.at++
		switch {
		case c == '"':
			r.str = b.String()
			return "T_STRING"
		case c != '\\':
			b.WriteByte(c)
			continue
		case r.at == len(r.text):
			continue
		}
		c = r.text[r.at]
		r.at++
		if c == 'u' {
			if !r.unicode(&b) {
				return "invalid unicode escape code"
			}
			continue
		}
		at := strings.IndexByte(`"\/bfnrt`, c)
		if at < 0 {
			return "invalid escape code"
		}
		b.WriteByte("\"\\/\b\f\n\r\t"[at])
	}
	return "unexpected end of string"
}

func (r *jsonReader) unicode(b *strings.Builder) bool {
	unit, ok := r.hex4()
	if !ok {
		return false
	}
	code := rune(unit)
	if utf16.IsSurrogate(code) {
		if !strings.HasPrefix(r.text[r.at:], `\u`) {
			return false
		}
		r.at += 2
		low, ok := r.hex4()
		if code = utf16.DecodeRune(code, rune(low)); !ok || code == utf8.RuneError {
			return false
		}
	}
	b.WriteRune(code)
	return true
}

func (r *jsonReader) hex4() (uint64, bool) {
	if len(r.text)-r.at < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(r.text[r.at:r.at+4], 16, 16)
	r.at += 4
	return n, err == nil
}

func (r *jsonReader) value(depth int) lua.LValue { return r.valueOf(r.token(), depth) }

func (r *jsonReader) valueOf(token string, depth int) lua.LValue {
	if depth > jsonDepth {
		r.l.RaiseError("Found too many nested data structures (%d)", depth)
	}
	switch token {
	case "T_STRING":
		return lua.LString(r.str)
	case "T_NUMBER":
		return lua.LNumber(r.num)
	case "T_TRUE", "T_FALSE":
		return lua.LBool(token == "T_TRUE")
	case "T_NULL":
		return r.null
	case "T_ARR_BEGIN":
		return r.list(depth + 1)
	case "T_OBJ_BEGIN":
		return r.object(depth + 1)
	}
	r.fail("value", token)
	return lua.LNil
}

func (r *jsonReader) list(depth int) lua.LValue {
	t := r.l.NewTable()
	token := r.token()
	if token == "T_ARR_END" {
		return t
	}
	for i := 1; ; i++ {
		t.RawSetInt(i, r.valueOf(token, depth))
		switch token = r.token(); token {
		case "T_ARR_END":
			return t
		case "T_COMMA":
			token = r.token()
		default:
			r.fail("comma or array end", token)
		}
	}
}

func (r *jsonReader) object(depth int) lua.LValue {
	t := r.l.NewTable()
	token := r.token()
	if token == "T_OBJ_END" {
		return t
	}
	for {
		if token != "T_STRING" {
			r.fail("object key string", token)
		}
		key := r.str
		if token = r.token(); token != "T_COLON" {
			r.fail("colon", token)
		}
		t.RawSetString(key, r.value(depth))
		switch token = r.token(); token {
		case "T_OBJ_END":
			return t
		case "T_COMMA":
			token = r.token()
		default:
			r.fail("comma or object end", token)
		}
	}
}

func (r *jsonReader) expected(what string) { r.fail(what, "invalid token") }

func (r *jsonReader) fail(what, token string) {
	r.l.RaiseError("Expected %s but found %s at character %d", what, token, r.from+1)
}
