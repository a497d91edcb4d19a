package engine

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
)

// scriptTimeout ends scripts that would otherwise block every other request for ever:
// while a script runs, SCRIPT KILL cannot reach the embedded engine.
const scriptTimeout = 10 * time.Second

// interpreter is Lua as Redis offers it to scripts: with Redis' libraries, without writes
// to globals, and with numbers printed with 14 digits.
type interpreter struct {
	engine *Redis
	state  *lua.LState
	chunk  string               // what errors call the code, such as user_script
	base   *lua.LTable          // the globals of scripts
	env    *lua.LTable          // the read-only view of base that scripts see
	views  map[*lua.LTable]bool // tables that scripts may not change

	// These belong to the call that runs now:
	peer     *server.Peer
	readOnly bool
	raised   lua.LValue // value that error or redis.call raised
	line     string     // line that raised it
}

// call is one run of a function.
type call struct {
	fn       *lua.LFunction
	args     []lua.LValue
	name     string // in errors
	readOnly bool
}

func newInterpreter(e *Redis, chunk string) *interpreter {
	l := lua.NewState(lua.Options{
		SkipOpenLibs:     true,
		RegistryMaxSize:  1 << 20,
		RegistryGrowStep: 4 << 10,
	})
	in := &interpreter{engine: e, state: l, chunk: chunk, base: l.NewTable(), env: l.NewTable(), views: map[*lua.LTable]bool{}}
	for _, open := range []lua.LGFunction{lua.OpenBase, lua.OpenCoroutine, lua.OpenTable, lua.OpenString, lua.OpenMath} {
		l.Push(l.NewFunction(open))
		l.Call(0, 0)
	}
	for name := range strings.FieldsSeq(`assert collectgarbage getmetatable ipairs loadstring
		load next pairs rawequal rawget select setmetatable type unpack xpcall _VERSION`) {
		in.setGlobal(name, l.GetGlobal(name))
	}
	for _, name := range []string{"coroutine", "table", "string", "math"} {
		in.setGlobal(name, l.GetGlobal(name))
	}
	in.addNumbers()
	in.addRedis()
	in.setGlobal("error", l.NewFunction(in.luaError))
	in.setGlobal("pcall", l.NewFunction(protectedCall))
	in.setGlobal("rawset", l.NewFunction(in.rawSet))
	in.addModule("os", map[string]lua.LGFunction{"clock": osClock})
	in.addJSON()
	for _, name := range []string{"coroutine", "table", "string", "math", "os", "cjson", "redis"} {
		if module, ok := in.base.RawGetString(name).(*lua.LTable); ok {
			in.setGlobal(name, in.readOnlyView(l.NewTable(), module, nil))
		}
	}
	in.setGlobal("server", in.base.RawGetString("redis"))
	in.readOnlyView(in.env, in.base, func(l *lua.LState) int {
		name := l.Get(2)
		v := in.base.RawGet(name)
		if v == lua.LNil {
			problem := where(l, 1) + "Script attempted to access nonexistent global variable '" + name.String() + "'"
			if n := name.String(); n == "bit" || n == "struct" || n == "cmsgpack" {
				problem += Elsewhere
			}
			return in.raise(lua.LString(problem))
		}
		l.Push(v)
		return 1
	})
	in.setGlobal("_G", in.env)
	l.Env = in.env
	return in
}

func (in *interpreter) setGlobal(name string, v lua.LValue) { in.base.RawSetString(name, v) }

func (in *interpreter) addModule(name string, functions map[string]lua.LGFunction) *lua.LTable {
	module := in.state.SetFuncs(in.state.NewTable(), functions)
	in.setGlobal(name, module)
	return module
}

// readOnlyView makes view show the contents of table and refuse changes.
func (in *interpreter) readOnlyView(view, table *lua.LTable, index lua.LGFunction) *lua.LTable {
	meta := in.state.NewTable()
	if index != nil {
		meta.RawSetString("__index", in.state.NewFunction(index))
	} else {
		meta.RawSetString("__index", table)
	}
	meta.RawSetString("__newindex", in.state.NewFunction(func(l *lua.LState) int {
		return in.raise(lua.LString(where(l, 1) + "Attempt to modify a readonly table"))
	}))
	meta.RawSetString("__metatable", lua.LFalse)
	view.Metatable = meta
	in.views[view] = true
	return view
}

// compileLua compiles code; its errors will call the code chunk.
func compileLua(code, chunk string) (*lua.FunctionProto, error) {
	statements, err := parse.Parse(strings.NewReader(code), chunk)
	if err != nil {
		return nil, errors.New(asLua51(err.Error()))
	}
	formatConcatenated(statements)
	return lua.Compile(statements, chunk)
}

func (in *interpreter) function(proto *lua.FunctionProto) *lua.LFunction {
	fn := in.state.NewFunctionFromProto(proto)
	fn.Env = in.env
	return fn
}

func (in *interpreter) list(items []string) *lua.LTable {
	t := in.state.CreateTable(len(items), 0)
	for _, item := range items {
		t.Append(lua.LString(item))
	}
	return t
}

// run calls a function on behalf of p and writes what it returns.
func (in *interpreter) run(p *server.Peer, c call) {
	ctx, cancel := context.WithTimeout(context.Background(), scriptTimeout)
	defer cancel()
	in.peer, in.readOnly, in.raised = p, c.readOnly, nil
	in.state.SetContext(ctx)
	defer in.state.RemoveContext()
	in.state.Push(c.fn)
	for _, arg := range c.args {
		in.state.Push(arg)
	}
	err := in.state.PCall(len(c.args), 1, nil)
	if err != nil {
		text, line := in.explain(err)
		if ctx.Err() != nil {
			text = fmt.Sprintf("ERR script ran for more than %v", scriptTimeout)
		}
		if line != "" {
			text += " script: " + c.name + ", on @" + in.chunk + ":" + line + "."
		}
		p.WriteError(text)
		return
	}
	result := in.state.Get(-1)
	in.state.Pop(1)
	in.reply(p, result, 0)
}

var luaPosition = regexp.MustCompile(`^[a-z_]+:(\d+): `)

// explain returns Redis' text for a Lua error, and the line that raised it.
func (in *interpreter) explain(err error) (text, line string) {
	thrown, ok := err.(*lua.ApiError)
	if !ok {
		return "ERR " + err.Error(), ""
	}
	if thrown.Object == in.raised {
		line = in.line
	}
	if t, ok := thrown.Object.(*lua.LTable); ok {
		if text, ok := t.RawGetString("err").(lua.LString); ok {
			return string(text), line
		}
		return "ERR unknown error", line
	}
	text = luaText(thrown.Object)
	if m := luaPosition.FindStringSubmatch(text); m != nil && line == "" {
		line = m[1]
	}
	return "ERR " + asLua51(text), line
}

// raise raises v as a Lua error, and remembers the line that did.
func (in *interpreter) raise(v lua.LValue) int {
	in.raised = v
	_, in.line, _ = strings.Cut(strings.TrimSuffix(in.state.Where(1), ":"), ":")
	in.state.Error(v, 0)
	return 0
}

// where is the place in the code with which error texts begin.
func where(l *lua.LState, level int) string {
	if place := l.Where(level); place != "" && !strings.HasPrefix(place, "[G]") {
		return place + " "
	}
	return ""
}

// luaError is Lua's function error.
func (in *interpreter) luaError(l *lua.LState) int {
	v := l.Get(1)
	if level := l.OptInt(2, 1); level > 0 && (v.Type() == lua.LTString || v.Type() == lua.LTNumber) {
		v = lua.LString(where(l, level) + luaText(v))
	}
	return in.raise(v)
}

// protectedCall is Lua's pcall. Of an error reply it returns only the text, as Redis'
// pcall does.
func protectedCall(l *lua.LState) int {
	l.CheckAny(1)
	err := l.PCall(l.GetTop()-1, lua.MultRet, nil)
	if err == nil {
		l.Insert(lua.LTrue, 1)
		return l.GetTop()
	}
	var thrown lua.LValue = lua.LString(err.Error())
	if e, ok := err.(*lua.ApiError); ok && e.Object != nil {
		thrown = e.Object
	}
	if t, ok := thrown.(*lua.LTable); ok && t.RawGetString("err").Type() == lua.LTString {
		thrown = t.RawGetString("err")
	}
	l.Push(lua.LFalse)
	l.Push(thrown)
	return 2
}

func (in *interpreter) rawSet(l *lua.LState) int {
	t := l.CheckTable(1)
	if in.views[t] {
		return in.raise(lua.LString("Attempt to modify a readonly table"))
	}
	l.RawSet(t, l.CheckAny(2), l.CheckAny(3))
	l.Push(t)
	return 1
}

func osClock(l *lua.LState) int {
	l.Push(lua.LNumber(float64(time.Now().UnixMicro()) / 1e6))
	return 1
}
