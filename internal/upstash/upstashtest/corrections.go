package upstashtest

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
)

// correct answers in place of miniredis 2.40 where it differs from Redis on
// the commands this project uses, and says whether it did. What is left:
//   - Lua turns numbers into text with all their digits, Redis' with 14, and
//     its tonumber does not read exponents such as 1e15: test scripts that
//     compute with numbers over a real server;
//   - NaN that comes out of infinite scores in a union, minus zero, and which
//     of two errors in one command is told first.
func (e *embedded) correct(p *server.Peer, name string, args []string) bool {
	switch name {
	case "ZADD":
		return e.zadd(p, args)
	case "ZINCRBY":
		return e.zincrby(p, args)
	case "ZCOUNT", "ZRANGEBYSCORE", "ZREVRANGEBYSCORE", "ZREMRANGEBYSCORE":
		return len(args) >= 3 && e.refuseBounds(p, args[1:3])
	case "ZRANGE":
		byScore := func(arg string) bool { return strings.EqualFold(arg, "BYSCORE") }
		return len(args) > 3 && slices.ContainsFunc(args[3:], byScore) && e.refuseBounds(p, args[1:3])
	case "ZRANK", "ZREVRANK":
		return len(args) > 3 && e.refuse(p, "ERR wrong number of arguments for '"+strings.ToLower(name)+"' command")
	case "ZUNIONSTORE", "ZINTERSTORE":
		return e.zstore(p, name, args)
	case "SET":
		return e.set(p, args)
	case "TTL":
		return e.ttl(p, args)
	case "EVAL", "EVALSHA":
		return e.eval(p, name, args)
	case "CLIENT":
		if len(args) > 0 && strings.EqualFold(args[0], "SETINFO") {
			p.WriteOK()
			return true
		}
	case "INFO":
		return len(args) == 1 && e.info(p, args[0])
	}
	if !e.mini.Server().IsRegisteredCommand(name) {
		return e.refuse(p, unknownCommand(name, args))
	}
	return false
}

func (e *embedded) refuse(p *server.Peer, text string) bool {
	p.WriteError(text)
	return true
}

func unknownCommand(name string, args []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ERR unknown command '%.128s', with args beginning with: ", name)
	for _, arg := range args {
		if b.Len() > 128 {
			break
		}
		fmt.Fprintf(&b, "'%.128s' ", arg)
	}
	return b.String()
}

// refuseBounds: miniredis takes (nan for a bound.
func (e *embedded) refuseBounds(p *server.Peer, bounds []string) bool {
	for _, bound := range bounds {
		if _, ok := parseScore(strings.TrimPrefix(bound, "(")); !ok {
			return e.refuse(p, "ERR min or max is not a float")
		}
	}
	return false
}

// set: KEEPTTL excludes a new expiry, and the error names the command.
func (e *embedded) set(p *server.Peer, args []string) bool {
	var keep, expire bool
	for _, arg := range args[min(2, len(args)):] {
		switch strings.ToUpper(arg) {
		case "KEEPTTL":
			keep = true
		case "EX", "PX", "EXAT", "PXAT":
			expire = true
		}
	}
	if keep && expire {
		return e.refuse(p, "ERR syntax error")
	}
	if !expire {
		return false
	}
	reply := e.ask(p, append([]string{"SET"}, args...)...)
	reply = bytes.Replace(reply, []byte("-ERR invalid expire time in set\r\n"), []byte("-ERR invalid expire time in 'set' command\r\n"), 1)
	p.WriteRaw(string(reply))
	return true
}

// ttl: Redis rounds to the nearest second, miniredis down.
func (e *embedded) ttl(p *server.Peer, args []string) bool {
	if len(args) != 1 {
		return false
	}
	reply := e.ask(p, "PTTL", args[0])
	ms, err := strconv.Atoi(strings.Trim(string(reply), ":\r\n"))
	if err != nil || ms < 0 {
		p.WriteRaw(string(reply))
		return true
	}
	p.WriteInt((ms + 500) / 1000)
	return true
}

var luaError = regexp.MustCompile(`(?s)^-ERR Error compiling script \(new function\): :(\d+): (.*?) stack traceback:`)

// eval: miniredis calls every error at run time a compile error and hides the
// code of the failed command (WRONGTYPE …) in it.
func (e *embedded) eval(p *server.Peer, name string, args []string) bool {
	reply := e.ask(p, append([]string{name}, args...)...)
	m := luaError.FindSubmatch(reply)
	if m == nil {
		p.WriteRaw(string(reply))
		return true
	}
	line, text := m[1], m[2]
	switch code, _, _ := bytes.Cut(text, []byte(" ")); {
	case bytes.HasPrefix(text, []byte("Unknown Redis command")):
		text = []byte("ERR Unknown command called from script")
	case len(code) == 0 || !bytes.Equal(code, bytes.ToUpper(code)):
		text = fmt.Appendf(nil, "ERR user_script:%s: %s", line, text)
	}
	sha := args[0]
	if name == "EVAL" {
		sha = scriptSHA(args[0])
	}
	return e.refuse(p, fmt.Sprintf("%s script: %s, on @user_script:%s.", text, sha, line))
}
