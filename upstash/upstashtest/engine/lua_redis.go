package engine

import (
	"bufio"
	"bytes"
	"strings"

	"github.com/alicebob/miniredis/v2/fpconv"
	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
	lua "github.com/yuin/gopher-lua"
)

// notInScripts lists the commands that scripts may not call.
var notInScripts = wordSet(`eval evalsha eval_ro evalsha_ro fcall fcall_ro script function
	multi exec discard watch unwatch subscribe unsubscribe psubscribe punsubscribe ssubscribe
	sunsubscribe monitor auth hello config client acl save bgsave bgrewriteaof shutdown debug
	reset quit replicaof slaveof sync psync module latency slowlog wait waitaof cluster`)

// neverWrites lists the commands that read-only scripts may call.
var neverWrites = wordSet(Reads + ` keys scan hscan sscan zscan info command select memory`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// addRedis adds the module redis.
func (in *interpreter) addRedis() {
	module := in.addModule("redis", map[string]lua.LGFunction{
		"call":               func(l *lua.LState) int { return in.call(l, true) },
		"pcall":              func(l *lua.LState) int { return in.call(l, false) },
		"error_reply":        in.errorReply,
		"status_reply":       in.statusReply,
		"sha1hex":            in.sha1hex,
		"log":                in.log,
		"setresp":            in.setResp,
		"set_repl":           func(*lua.LState) int { return 0 },
		"replicate_commands": func(l *lua.LState) int { l.Push(lua.LTrue); return 1 },
		"breakpoint":         func(l *lua.LState) int { l.Push(lua.LFalse); return 1 },
		"debug":              func(*lua.LState) int { return 0 },
	})
	for name, n := range map[string]int{
		"LOG_DEBUG": 0, "LOG_VERBOSE": 1, "LOG_NOTICE": 2, "LOG_WARNING": 3,
		"REPL_NONE": 0, "REPL_AOF": 1, "REPL_SLAVE": 2, "REPL_REPLICA": 2, "REPL_ALL": 3,
		"REDIS_VERSION_NUM": 0x00070204,
	} {
		module.RawSetString(name, lua.LNumber(n))
	}
	module.RawSetString("REDIS_VERSION", lua.LString(embeddedVersion))
}

func (in *interpreter) errorTable(text string) *lua.LTable {
	t := in.state.NewTable()
	t.RawSetString("err", lua.LString(text))
	return t
}

// fail raises an error whose text has the form of Redis' error replies, or returns it to
// the script.
func (in *interpreter) fail(text string, throw bool) int {
	t := in.errorTable(text)
	if throw {
		return in.raise(t)
	}
	in.state.Push(t)
	return 1
}

func (in *interpreter) call(l *lua.LState, throw bool) int {
	args := make([]string, l.GetTop())
	for i := range args {
		switch v := l.Get(i + 1).(type) {
		case lua.LString:
			args[i] = string(v)
		case lua.LNumber:
			args[i] = fpconv.Dtoa(float64(v))
			if n := int64(v); lua.LNumber(n) == v {
				args[i] = lua.LNumber(n).String()
			}
		default:
			return in.fail("ERR Command arguments must be strings or integers", throw)
		}
	}
	if len(args) == 0 {
		return in.fail("ERR Please specify at least one argument for this call", throw)
	}
	name := strings.ToLower(args[0])
	switch {
	case notInScripts[name]:
		return in.fail("ERR This Redis command is not allowed from script", throw)
	case !in.engine.Knows(name):
		return in.fail("ERR Unknown command called from script"+Elsewhere, throw)
	case in.readOnly && !neverWrites[name]:
		return in.fail("ERR Write commands are not allowed from read-only scripts.", throw)
	}
	v := in.dispatch(args)
	if refusal, ok := v.(resp.Error); ok {
		if strings.HasPrefix(string(refusal), "ERR wrong number of arguments") {
			refusal = "ERR Wrong number of args calling command from script"
		}
		return in.fail(string(refusal), throw)
	}
	l.Push(in.luaValue(v))
	return 1
}

// dispatch runs a command the way a client's command runs, so that it is counted.
func (in *interpreter) dispatch(args []string) any {
	var raw bytes.Buffer
	w := bufio.NewWriter(&raw)
	p := server.NewPeer(w)
	caller, readOnly := in.peer, in.readOnly
	in.engine.server.Dispatch(p, args)
	in.peer, in.readOnly = caller, readOnly
	_ = w.Flush()
	reply := resp.NewReader(bufio.NewReader(&raw))
	v, err := typed(reply)
	if err != nil {
		return resp.Error("ERR " + err.Error())
	}
	return v
}

// typed reads a reply, and keeps status replies and strings apart.
func typed(rr *resp.Reader) (any, error) {
	if next, err := rr.Next(); err == nil && next == resp.StatusKind {
		h, err := rr.Head()
		return status(h.Text), err
	}
	return rr.Value(0)
}

func (in *interpreter) luaValue(v any) lua.LValue {
	switch v := v.(type) {
	case int64:
		return lua.LNumber(v)
	case string:
		return lua.LString(v)
	case status:
		t := in.state.NewTable()
		t.RawSetString("ok", lua.LString(v))
		return t
	case resp.Error:
		return in.errorTable(string(v))
	case []any:
		t := in.state.CreateTable(len(v), 0)
		for i := range v {
			t.RawSetInt(i+1, in.luaValue(v[i]))
		}
		return t
	}
	return lua.LFalse
}

// reply writes what a script returned.
func (in *interpreter) reply(p *server.Peer, v lua.LValue, depth int) {
	switch v := v.(type) {
	case lua.LString:
		p.WriteBulk(string(v))
	case lua.LNumber:
		p.WriteInt(int(v))
	case lua.LBool:
		if v {
			p.WriteInt(1)
			return
		}
		p.WriteNull()
	case *lua.LTable:
		if depth == resp.MaxDepth {
			p.WriteError("ERR reached lua stack limit")
			return
		}
		in.replyTable(p, v, depth)
	default:
		p.WriteNull()
	}
}

func (in *interpreter) replyTable(p *server.Peer, t *lua.LTable, depth int) {
	if text, ok := t.RawGetString("err").(lua.LString); ok {
		p.WriteError(string(text))
		return
	}
	if text, ok := t.RawGetString("ok").(lua.LString); ok {
		p.WriteInline(string(text))
		return
	}
	if f, ok := t.RawGetString("double").(lua.LNumber); ok {
		p.WriteBulk(fpconv.Dtoa(float64(f)))
		return
	}
	for name, width := range map[string]int{"map": 2, "set": 1} {
		if items, ok := t.RawGetString(name).(*lua.LTable); ok {
			n := 0
			items.ForEach(func(lua.LValue, lua.LValue) { n++ })
			p.WriteLen(n * width)
			items.ForEach(func(k, v lua.LValue) {
				in.reply(p, k, depth+1)
				if width == 2 {
					in.reply(p, v, depth+1)
				}
			})
			return
		}
	}
	n := 0
	for t.RawGetInt(n+1) != lua.LNil {
		n++
	}
	p.WriteLen(n)
	for i := range n {
		in.reply(p, t.RawGetInt(i+1), depth+1)
	}
}

func (in *interpreter) errorReply(l *lua.LState) int {
	text, ok := l.Get(1).(lua.LString)
	if !ok || l.GetTop() != 1 {
		return in.fail("ERR wrong number or type of arguments", false)
	}
	code, rest, found := strings.Cut(strings.TrimPrefix(strings.Trim(string(text), "\r\n"), "-"), " ")
	if !found {
		code, rest = "ERR", code
	}
	return in.fail(code+" "+rest, false)
}

func (in *interpreter) statusReply(l *lua.LState) int {
	text, ok := l.Get(1).(lua.LString)
	if !ok || l.GetTop() != 1 {
		return in.fail("ERR wrong number or type of arguments", false)
	}
	l.Push(in.luaValue(status(text)))
	return 1
}

func (in *interpreter) sha1hex(l *lua.LState) int {
	if l.GetTop() != 1 {
		return in.fail("ERR wrong number of arguments", true)
	}
	l.Push(lua.LString(ScriptSHA(luaText(l.Get(1)))))
	return 1
}

func (in *interpreter) log(l *lua.LState) int {
	level, ok := l.Get(1).(lua.LNumber)
	switch {
	case l.GetTop() < 2:
		return in.fail("ERR redis.log() requires two arguments or more.", true)
	case !ok:
		return in.fail("ERR First argument must be a number (log level).", true)
	case level < 0 || level > 3:
		return in.fail("ERR Invalid log level.", true)
	}
	return 0
}

// setResp accepts RESP versions 2 and 3; replies have the form of version 2 under either.
func (in *interpreter) setResp(l *lua.LState) int {
	switch version, ok := l.Get(1).(lua.LNumber); {
	case l.GetTop() != 1:
		return in.fail("ERR redis.setresp() requires one argument.", true)
	case !ok || version != 2 && version != 3:
		return in.fail("ERR RESP version must be 2 or 3.", true)
	}
	return 0
}
