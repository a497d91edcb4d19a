package upstashtest

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// calledToRead is the script that replaces FCALL_RO of a function without the flag
// no-writes. Redis refuses such a call; Upstash runs the function and refuses only its
// writes, as EVAL_RO does. So EVAL_RO runs the library's code, without its #!lua line,
// and then the function that the code registers under the name. The script's own part is
// all on the first line, so that errors name the library's lines.
const calledToRead = `local registered = {} ` +
	`local api = setmetatable({register_function = function(f, callback) ` +
	`if type(f) == 'table' then f, callback = f.function_name, f.callback end registered[f] = callback end}, {__index = redis}) ` +
	`;(function(redis, server)` + "%s\n" + `end)(api, api) ` +
	`return registered['%s'](KEYS, ARGV)`

// lookUp finds the functions that FCALL_RO commands call, and sets the replacement for
// those that Redis would refuse.
func (e *Engine) lookUp(c *conn, commands []command) error {
	for i := range commands {
		cmd := &commands[i]
		if cmd.kind.name != "fcall_ro" || cmd.refusal != "" || !countsItsKeys(cmd.args) {
			continue
		}
		e.catalog.kind([]byte("function")).sent.Add(1)
		libraries, err := c.do([]byte("FUNCTION"), []byte("LIST"), []byte("WITHCODE"))
		if err != nil {
			return err
		}
		if code, ok := mayWrite(libraries, string(cmd.args[1])); ok {
			cmd.instead = callToRead(code, cmd.args)
		}
	}
	return nil
}

// looksUp reports whether any of the commands needs [Engine.lookUp] before it runs.
func (e *Engine) looksUp(commands []command) bool {
	return e.embedded == nil && !e.strict && slices.ContainsFunc(commands, func(c command) bool { return c.kind.name == "fcall_ro" })
}

// countsItsKeys reports whether a call has at least the keys that its numkeys announces.
// If it has not, the engine reports the error.
func countsItsKeys(args [][]byte) bool {
	if len(args) < 3 {
		return false
	}
	n, ok := resp.Integer(string(args[2]))
	return ok && n >= 0 && n <= int64(len(args)-3)
}

// mayWrite looks a function up in the answer of FUNCTION LIST WITHCODE. It returns the
// code of the function's library, if the function does not have the flag no-writes.
func mayWrite(libraries any, name string) (code string, ok bool) {
	list, _ := libraries.([]any)
	for _, item := range list {
		library := fields(item)
		functions, _ := library["functions"].([]any)
		for _, item := range functions {
			if f := fields(item); f["name"] == name {
				flags, _ := f["flags"].([]any)
				code, ok = library["library_code"].(string)
				return code, ok && !slices.Contains(flags, any("no-writes"))
			}
		}
	}
	return "", false
}

// fields turns a flat list of names and values into a map.
func fields(item any) map[string]any {
	list, _ := item.([]any)
	m := map[string]any{}
	for i := 0; i+1 < len(list); i += 2 {
		if name, ok := list[i].(string); ok {
			m[name] = list[i+1]
		}
	}
	return m
}

var inScript = regexp.MustCompile(`script: [0-9a-f]{40}, on @user_script:`)

// callToRead makes the stand-in for FCALL_RO with these words (FCALL_RO name numkeys key
// … argument …).
func callToRead(code string, args [][]byte) *standIn {
	_, code, _ = strings.Cut(code, "\n")
	name := string(args[1]) // letters, digits and _ alone: Redis registers no other names
	script := fmt.Sprintf(calledToRead, "\n"+code, name)
	return &standIn{
		words: append([][]byte{[]byte("EVAL_RO"), []byte(script)}, args[2:]...),
		answer: func(reply []byte) ([]byte, map[string]int64) {
			if isError(reply) {
				reply = inScript.ReplaceAll(reply, []byte("script: "+name+", on @user_function:"))
				reply = bytes.ReplaceAll(reply, []byte("user_script:"), []byte("user_function:"))
			}
			return reply, map[string]int64{"eval_ro": 1, "fcall_ro": -1}
		},
	}
}
