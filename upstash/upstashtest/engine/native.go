package engine

import (
	"bufio"
	"bytes"
	"errors"
	"maps"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// native is a command that the embedded engine answers itself, because miniredis lacks it
// or answers it differently from Redis.
type native struct {
	// arity is the number of words of a command with its name, as Redis counts: -3 means
	// three or more.
	arity int
	// run answers the command; it returns false to leave the command to miniredis.
	run func(e *Redis, p *server.Peer, args []string) bool
}

const (
	errWrongType = "WRONGTYPE Operation against a key holding the wrong kind of value"
	errInteger   = "ERR value is not an integer or out of range"
	errNoKey     = "ERR no such key"
)

// natives returns the table of native commands, by upper-case name.
func natives() map[string]native {
	all := map[string]native{}
	for _, family := range []map[string]native{
		scriptCommands, zsetCommands, stringCommands, expireCommands, hashCommands,
		streamWriteCommands, streamReadCommands, miscCommands, configCommands,
	} {
		maps.Copy(all, family)
	}
	return all
}

// register adds the commands that miniredis lacks to its table.
func (e *Redis) register() error {
	var errs []error
	for name, n := range e.natives {
		if !e.server.IsRegisteredCommand(name) {
			errs = append(errs, e.server.Register(name, func(p *server.Peer, _ string, args []string) {
				n.run(e, p, args)
			}))
		}
	}
	return errors.Join(errs...)
}

// native runs a command of the table. In a rehearsal it answers whether Redis would queue
// the command.
func (e *Redis) native(p *server.Peer, name string, args []string) bool {
	n, ok := e.natives[name]
	switch words := len(args) + 1; {
	case !ok:
		return false
	case n.arity > 0 && words != n.arity, words < -n.arity:
		return e.refuse(p, wrongNumber(name))
	case e.dry:
		p.WriteInline("QUEUED")
		return true
	}
	return n.run(e, p, args)
}

func wrongNumber(name string) string {
	return "ERR wrong number of arguments for '" + strings.ToLower(name) + "' command"
}

func invalidExpiry(name string) string {
	return "ERR invalid expire time in '" + strings.ToLower(name) + "' command"
}

// value runs a command on behalf of p and returns the reply as [resp.Reader.Value] does;
// an error reply is a resp.Error.
func (e *Redis) value(p *server.Peer, args ...string) any { return readReply(e.ask(p, args...)) }

// captured runs f for a peer that replaces p, and returns the reply that f writes.
func (e *Redis) captured(p *server.Peer, f func(*server.Peer)) any {
	return readReply(e.rawReply(p, f))
}

// rawReply is captured with the reply as bytes.
func (e *Redis) rawReply(p *server.Peer, f func(*server.Peer)) []byte {
	var raw bytes.Buffer
	w := bufio.NewWriter(&raw)
	stand := server.NewPeer(w)
	stand.Ctx = p.Ctx
	f(stand)
	_ = w.Flush()
	return raw.Bytes()
}

func readReply(raw []byte) any {
	v, err := resp.NewReader(bufio.NewReader(bytes.NewReader(raw))).Value(0)
	if err != nil {
		return resp.Error("ERR " + err.Error())
	}
	return v
}

// status is a status reply, such as OK.
type status string

// nilList is the null array.
type nilList struct{}

// answer writes a reply: nil, nilList, int, int64, string, status, resp.Error or a
// slice of these.
func (e *Redis) answer(p *server.Peer, v any) bool {
	switch v := v.(type) {
	case nil:
		p.WriteNull()
	case nilList:
		p.WriteRaw("*-1\r\n")
	case int:
		p.WriteInt(v)
	case int64:
		p.WriteInt(int(v))
	case string:
		p.WriteBulk(v)
	case status:
		p.WriteInline(string(v))
	case resp.Error:
		p.WriteError(string(v))
	case []string:
		p.WriteStrings(v)
	case []any:
		p.WriteLen(len(v))
		for _, item := range v {
			e.answer(p, item)
		}
	}
	return true
}
