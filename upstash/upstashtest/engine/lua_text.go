package engine

import "regexp"

// lua51 maps the interpreter's error texts to those of Lua 5.1, as far as the interpreter
// says what they contain; it does not name variables.
var lua51 = []struct {
	pattern *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`bad argument #(\d+) to ([a-z_]+) \(`), "bad argument #$1 to '$2' ("},
	{regexp.MustCompile(`(\w+) line:(\d+)\(column:\d+\) near '(.*)':\s+.*`), "$1:$2: syntax error near '$3'"},
	{regexp.MustCompile(`(\w+) at EOF:\s+.*`), "$1: unexpected end near '<eof>'"},
	{regexp.MustCompile(`cannot perform concat operation between (?:string|number) and (\w+)`), "attempt to concatenate a $1 value"},
	{regexp.MustCompile(`cannot perform concat operation between (\w+) and \w+`), "attempt to concatenate a $1 value"},
	{regexp.MustCompile(`cannot perform \w+ operation between number and (\w+)`), "attempt to perform arithmetic on a $1 value"},
	{regexp.MustCompile(`cannot perform \w+ operation between (\w+) and \w+`), "attempt to perform arithmetic on a $1 value"},
	{regexp.MustCompile(`attempt to index a non-table object\((\w+)\) with key '.*'`), "attempt to index a $1 value"},
	{regexp.MustCompile(`attempt to call a non-function object`), "attempt to call a nil value"},
}

func asLua51(text string) string {
	for _, rule := range lua51 {
		if rule.pattern.MatchString(text) {
			return rule.pattern.ReplaceAllString(text, rule.text)
		}
	}
	return text
}
