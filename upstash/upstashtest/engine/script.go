package engine

import (
	"crypto/sha1"
	"fmt"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
	lua "github.com/yuin/gopher-lua"
)

var scriptCommands = map[string]native{
	"EVAL":       {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.eval(p, args, false) }},
	"EVAL_RO":    {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.eval(p, args, true) }},
	"EVALSHA":    {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.evalSHA(p, args, false) }},
	"EVALSHA_RO": {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.evalSHA(p, args, true) }},
	"SCRIPT":     {-2, (*Redis).script},
}

// luaScript is a compiled script.
type luaScript struct {
	proto    *lua.FunctionProto
	readOnly bool // its first line forbids writes
}

// compileScript reads a script and the flags of its first line.
func compileScript(text string) (luaScript, error) {
	var s luaScript
	code := text
	if strings.HasPrefix(text, "#!") {
		line, rest, _ := strings.Cut(text, "\n")
		code = "\n" + rest
		words := strings.Fields(line)
		if words[0] != "#!lua" {
			return s, resp.Error("ERR Unexpected engine in script shebang: " + words[0])
		}
		for _, word := range words[1:] {
			flags, ok := strings.CutPrefix(word, "flags=")
			if !ok {
				return s, resp.Error("ERR Unknown lua shebang option: " + word)
			}
			for flag := range strings.SplitSeq(flags, ",") {
				if !scriptFlags[flag] {
					return s, resp.Error("ERR Unexpected flag in script shebang: " + flag)
				}
				s.readOnly = s.readOnly || flag == "no-writes"
			}
		}
	}
	var err error
	s.proto, err = compileLua(code, "user_script")
	if err != nil {
		return s, resp.Error("ERR Error compiling script (new function): " + err.Error())
	}
	return s, nil
}

// scriptFlags are the flags that Redis knows.
var scriptFlags = map[string]bool{"": true, "no-writes": true, "allow-oom": true, "allow-stale": true, "no-cluster": true, "allow-cross-slot-keys": true}

// keysAndArgs splits numkeys key … arg ….
func keysAndArgs(args []string) (keys, rest []string, problem string) {
	n, ok := resp.Integer(args[0])
	switch {
	case !ok:
		return nil, nil, errInteger
	case n > int64(len(args)-1):
		return nil, nil, "ERR Number of keys can't be greater than number of args"
	case n < 0:
		return nil, nil, "ERR Number of keys can't be negative"
	}
	return args[1 : 1+n], args[1+n:], ""
}

func (e *Redis) eval(p *server.Peer, args []string, readOnly bool) bool {
	keys, argv, problem := keysAndArgs(args[1:])
	if problem != "" {
		return e.refuse(p, problem)
	}
	sha := ScriptSHA(args[0])
	s, ok := e.scripts[sha]
	if !ok {
		var err error
		if s, err = compileScript(args[0]); err != nil {
			return e.refuse(p, err.Error())
		}
		e.scripts[sha] = s
	}
	return e.runScript(p, s, sha, readOnly, keys, argv)
}

func (e *Redis) evalSHA(p *server.Peer, args []string, readOnly bool) bool {
	keys, argv, problem := keysAndArgs(args[1:])
	if problem != "" && len(args[0]) == 2*sha1.Size {
		return e.refuse(p, problem)
	}
	sha := strings.ToLower(args[0])
	s, ok := e.scripts[sha]
	if !ok {
		return e.refuse(p, NoScript)
	}
	return e.runScript(p, s, sha, readOnly, keys, argv)
}

func (e *Redis) runScript(p *server.Peer, s luaScript, sha string, readOnly bool, keys, argv []string) bool {
	if e.lua == nil {
		e.lua = newInterpreter(e, "user_script")
	}
	e.lua.setGlobal("KEYS", e.lua.list(keys))
	e.lua.setGlobal("ARGV", e.lua.list(argv))
	e.lua.run(p, call{fn: e.lua.function(s.proto), name: sha, readOnly: readOnly || s.readOnly})
	return true
}

func (e *Redis) script(p *server.Peer, args []string) bool {
	sub, rest := strings.ToUpper(args[0]), args[1:]
	switch {
	case sub == "LOAD" && len(rest) == 1:
		sha := ScriptSHA(rest[0])
		if _, ok := e.scripts[sha]; !ok {
			s, err := compileScript(rest[0])
			if err != nil {
				return e.refuse(p, err.Error())
			}
			e.scripts[sha] = s
		}
		return e.answer(p, sha)
	case sub == "EXISTS" && len(rest) > 0:
		found := make([]any, len(rest))
		for i, sha := range rest {
			_, ok := e.scripts[strings.ToLower(sha)]
			found[i] = boolInt(ok)
		}
		return e.answer(p, found)
	case sub == "FLUSH" && len(rest) <= 1:
		if len(rest) == 1 && !isFlushMode(rest[0]) {
			return e.refuse(p, "ERR SCRIPT FLUSH only support SYNC|ASYNC option")
		}
		clear(e.scripts)
		return e.answer(p, status("OK"))
	case sub == "KILL" && len(rest) == 0:
		return e.refuse(p, "NOTBUSY No scripts in execution right now.")
	case sub == "LOAD", sub == "EXISTS", sub == "FLUSH", sub == "KILL":
		return e.refuse(p, wrongNumber("script|"+sub))
	}
	return e.refuse(p, fmt.Sprintf("ERR unknown subcommand '%.128s'. Try SCRIPT HELP.", args[0]))
}

func isFlushMode(word string) bool {
	return strings.EqualFold(word, "SYNC") || strings.EqualFold(word, "ASYNC")
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
