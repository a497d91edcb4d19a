package engine

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
	lua "github.com/yuin/gopher-lua"
)

var functionCommands = map[string]native{
	"FUNCTION": {-2, (*Redis).function},
	"FCALL":    {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.fcall(p, args, false) }},
	"FCALL_RO": {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.fcall(p, args, true) }},
}

// library is what one FUNCTION LOAD registered, and the Lua interpreter that runs it.
type library struct {
	name      string
	code      string
	functions []*luaFunction
	lua       *interpreter
}

type luaFunction struct {
	library     *library
	name        string
	description any // a string, or nil
	flags       []string
	callback    *lua.LFunction
}

var functionName = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

const errFunctionName = "Library names can only contain letters, numbers, or underscores(_) and must be at least one character long"

func (e *Redis) function(p *server.Peer, args []string) bool {
	sub, rest := strings.ToUpper(args[0]), args[1:]
	switch {
	case sub == "LOAD" && len(rest) > 0:
		return e.functionLoad(p, rest)
	case sub == "LIST":
		return e.functionList(p, rest)
	case sub == "DELETE" && len(rest) == 1:
		if e.libraries[rest[0]] == nil {
			return e.refuse(p, "ERR Library not found")
		}
		delete(e.libraries, rest[0])
		return e.answer(p, status("OK"))
	case sub == "FLUSH" && len(rest) <= 1:
		if len(rest) == 1 && !isFlushMode(rest[0]) {
			return e.refuse(p, "ERR FUNCTION FLUSH only supports SYNC|ASYNC option")
		}
		clear(e.libraries)
		return e.answer(p, status("OK"))
	case sub == "STATS" && len(rest) == 0:
		count := 0
		for _, lib := range e.libraries {
			count += len(lib.functions)
		}
		return e.answer(p, []any{"running_script", nil, "engines",
			[]any{"LUA", []any{"libraries_count", len(e.libraries), "functions_count", count}}})
	case sub == "KILL" && len(rest) == 0:
		return e.refuse(p, "NOTBUSY No scripts in execution right now.")
	case slices.Contains([]string{"LOAD", "DELETE", "FLUSH", "STATS", "KILL"}, sub):
		return e.refuse(p, wrongNumber("function|"+sub))
	}
	return e.refuse(p, fmt.Sprintf("ERR unknown subcommand '%.128s'. Try FUNCTION HELP.", args[0]))
}

func (e *Redis) functionLoad(p *server.Peer, args []string) bool {
	replace := false
	for _, option := range args[:len(args)-1] {
		if !strings.EqualFold(option, "REPLACE") {
			return e.refuse(p, "ERR Unknown option given: "+option)
		}
		replace = true
	}
	lib, err := e.loadLibrary(args[len(args)-1], replace)
	if err != nil {
		return e.refuse(p, "ERR "+err.Error())
	}
	e.libraries[lib.name] = lib
	return e.answer(p, lib.name)
}

func (e *Redis) loadLibrary(code string, replace bool) (*library, error) {
	name, err := libraryName(code)
	if err != nil {
		return nil, err
	}
	if e.libraries[name] != nil && !replace {
		return nil, resp.Error("Library '" + name + "' already exists")
	}
	lib := &library{name: name, code: code, lua: newInterpreter(e, "user_function")}
	_, body, _ := strings.Cut(code, "\n")
	proto, err := compileLua("\n"+body, "user_function")
	if err != nil {
		return nil, resp.Error("Error compiling function: " + err.Error())
	}
	lib.lua.loading = lib
	lib.lua.state.Push(lib.lua.function(proto))
	err = lib.lua.state.PCall(0, 0, nil)
	lib.lua.loading = nil
	if err != nil {
		text, _ := lib.lua.explain(err)
		return nil, resp.Error("Error registering functions: " + text)
	}
	if len(lib.functions) == 0 {
		return nil, resp.Error("No functions registered")
	}
	for _, f := range lib.functions {
		if other := e.findFunction(f.name); other != nil && other.library.name != name {
			return nil, resp.Error("Function " + f.name + " already exists")
		}
	}
	return lib, nil
}

// libraryName reads the first line, #!lua name=NAME.
func libraryName(code string) (string, error) {
	line, ok := strings.CutPrefix(code, "#!")
	if !ok {
		return "", resp.Error("Missing library metadata")
	}
	line, _, ok = strings.Cut(line, "\n")
	if !ok {
		return "", resp.Error("Invalid library metadata")
	}
	words := strings.Fields(line)
	name := ""
	for _, word := range words[min(1, len(words)):] {
		value, ok := strings.CutPrefix(word, "name=")
		if !ok {
			return "", resp.Error("Invalid metadata value given: " + word)
		}
		name = value
	}
	switch {
	case name == "":
		return "", resp.Error("Library name was not given")
	case !functionName.MatchString(name):
		return "", resp.Error(errFunctionName)
	case !strings.EqualFold(words[0], "lua"):
		return "", resp.Error("Engine '" + words[0] + "' not found")
	}
	return name, nil
}

func (e *Redis) findFunction(name string) *luaFunction {
	for _, lib := range e.libraries {
		for _, f := range lib.functions {
			if f.name == name {
				return f
			}
		}
	}
	return nil
}

func (e *Redis) functionList(p *server.Peer, args []string) bool {
	pattern, withCode := "*", false
	for ; len(args) > 0; args = args[1:] {
		switch {
		case strings.EqualFold(args[0], "WITHCODE"):
			withCode = true
		case strings.EqualFold(args[0], "LIBRARYNAME") && len(args) == 1:
			return e.refuse(p, "ERR library name argument was not given")
		case strings.EqualFold(args[0], "LIBRARYNAME"):
			pattern, args = args[1], args[1:]
		default:
			return e.refuse(p, "ERR Unknown argument "+args[0])
		}
	}
	list := []any{}
	for _, name := range sortedKeys(e.libraries) {
		if ok, _ := path.Match(pattern, name); !ok {
			continue
		}
		lib := e.libraries[name]
		functions := []any{}
		for _, f := range lib.functions {
			functions = append(functions, []any{"name", f.name, "description", f.description, "flags", f.flags})
		}
		entry := []any{"library_name", name, "engine", "LUA", "functions", functions}
		if withCode {
			entry = append(entry, "library_code", lib.code)
		}
		list = append(list, entry)
	}
	return e.answer(p, list)
}

func (e *Redis) fcall(p *server.Peer, args []string, readOnly bool) bool {
	f := e.findFunction(args[0])
	if f == nil {
		return e.refuse(p, "ERR Function not found")
	}
	keys, argv, problem := keysAndArgs(args[1:])
	if problem == errInteger {
		problem = "ERR Bad number of keys provided"
	}
	if problem != "" {
		return e.refuse(p, problem)
	}
	noWrites := slices.Contains(f.flags, "no-writes")
	if readOnly && !noWrites && e.strict {
		return e.refuse(p, "ERR Can not execute a script with write flag using *_ro command.")
	}
	in := f.library.lua
	in.run(p, call{fn: f.callback, args: []lua.LValue{in.list(keys), in.list(argv)}, name: f.name, readOnly: readOnly || noWrites})
	return true
}

// registerFunction is redis.register_function, which takes its arguments by position or
// by name.
func (in *interpreter) registerFunction(l *lua.LState) int {
	if in.loading == nil {
		return in.fail("ERR redis.register_function can only be called on FUNCTION LOAD command", true)
	}
	f, problem := readFunction(l)
	if problem == "" && !functionName.MatchString(f.name) {
		problem = errFunctionName
	}
	if problem == "" && slices.ContainsFunc(in.loading.functions, func(g *luaFunction) bool { return g.name == f.name }) {
		problem = "Function already exists in the library"
	}
	if problem != "" {
		return in.fail("ERR "+problem, true)
	}
	f.library = in.loading
	in.loading.functions = append(in.loading.functions, f)
	return 0
}

func readFunction(l *lua.LState) (f *luaFunction, problem string) {
	f = &luaFunction{flags: []string{}}
	named, byName := l.Get(1).(*lua.LTable)
	switch n := l.GetTop(); {
	case n < 1 || n > 2:
		return nil, "wrong number of arguments to redis.register_function"
	case n == 1 && !byName:
		return nil, "calling redis.register_function with a single argument is only applicable to Lua table (representing named arguments)."
	case n == 1:
		named.ForEach(func(k, v lua.LValue) {
			if problem == "" {
				problem = f.set(k.String(), v)
			}
		})
		switch {
		case problem != "":
		case f.name == "":
			problem = "redis.register_function must get a function name argument"
		case f.callback == nil:
			problem = "redis.register_function must get a callback argument"
		}
		return f, problem
	}
	name, ok := l.Get(1).(lua.LString)
	if !ok {
		return nil, "first argument to redis.register_function must be a string"
	}
	if f.callback, ok = l.Get(2).(*lua.LFunction); !ok {
		return nil, "second argument to redis.register_function must be a function"
	}
	f.name = string(name)
	return f, ""
}

func (f *luaFunction) set(name string, v lua.LValue) (problem string) {
	text, isText := v.(lua.LString)
	switch name {
	case "function_name":
		if !isText {
			return "function_name argument given to redis.register_function must be a string"
		}
		f.name = string(text)
	case "description":
		if !isText {
			return "description argument given to redis.register_function must be a string"
		}
		f.description = string(text)
	case "callback":
		fn, ok := v.(*lua.LFunction)
		if !ok {
			return "callback argument given to redis.register_function must be a function"
		}
		f.callback = fn
	case "flags":
		t, ok := v.(*lua.LTable)
		if !ok {
			return "flags argument to redis.register_function must be a table representing function flags"
		}
		for i := 1; i <= t.Len(); i++ {
			flag := lua.LVAsString(t.RawGetInt(i))
			if flag == "" || !scriptFlags[flag] {
				return "unknown flag given"
			}
			f.flags = append(f.flags, flag)
		}
	default:
		return "unknown argument given to redis.register_function"
	}
	return ""
}
