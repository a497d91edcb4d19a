package upstashtest

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
)

// embeddedVersion is the Redis whose commands miniredis comes close to.
const embeddedVersion = "7.2.4"

const minStep = time.Millisecond

// embedded is miniredis with what it lacks: time that passes, command
// statistics, transactions that check as Redis does, the commands of natives,
// and the corrections of corrections.go.
type embedded struct {
	mini   *miniredis.Miniredis
	server *server.Server // miniredis', which forgets it when it is closed

	// gate lets one request in at a time; it guards all below. Every command
	// comes from a connection of a request, so miniredis calls hook under it.
	gate     sync.Mutex
	lastTick time.Time
	step     time.Duration
	calls    map[string]int64
	ran      int64        // all of calls together, without MULTI and EXEC
	dry      bool         // queueing only: nothing is run, nothing counts
	inner    *server.Peer // stands in for a client while a correction asks the engine itself

	strict    bool // as Redis does where Upstash differs
	natives   map[string]native
	scripts   map[string]luaScript // by digest
	lua       *interpreter         // of scripts; nil before the first
	libraries map[string]*library

	streams     map[string]*stream // by number
	streamCount int                // ever made
	streamsKept int                // how many there may be before a sweep
}

func startEmbedded(strict bool) (*embedded, error) {
	m := miniredis.NewMiniRedis()
	if err := m.StartAddr("127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("upstashtest: embedded engine: %w", err)
	}
	e := &embedded{
		strict:    strict,
		mini:      m,
		server:    m.Server(),
		lastTick:  time.Now().Truncate(time.Millisecond),
		calls:     map[string]int64{},
		natives:   natives(),
		scripts:   map[string]luaScript{},
		libraries: map[string]*library{},
		streams:   map[string]*stream{},

		streamsKept: minStreamsKept,
	}
	if err := e.register(); err != nil {
		m.Close()
		return nil, fmt.Errorf("upstashtest: embedded engine: %w", err)
	}
	m.Server().SetPreHook(e.hook)
	return e, nil
}

func (e *embedded) addr() string { return e.mini.Addr() }
func (e *embedded) close()       { e.mini.Close() }

// tick lets the time pass that went by since the last request; miniredis by
// itself never expires a key. It looks at every key for that, so the step
// grows with their number to keep this under a twentieth of the time: at
// 10,000 keys an expiry may be early or late by some hundredths of a second.
func (e *embedded) tick() {
	start := time.Now()
	now := start.Truncate(time.Millisecond)
	if elapsed := now.Sub(e.lastTick); elapsed >= e.step {
		e.mini.FastForward(elapsed)
		e.mini.SetTime(now)
		e.lastTick = now
		e.step = max(minStep, 20*time.Since(start))
	}
}

// hook sees every command before miniredis does, those of scripts too. It
// returns true when it has answered.
func (e *embedded) hook(p *server.Peer, name string, args ...string) bool {
	switch {
	case p == e.inner:
		return false
	case e.dry:
		return e.native(p, name, args) || !e.server.IsRegisteredCommand(name) && e.correct(p, name, args)
	case e.server.IsRegisteredCommand(name):
		e.calls[strings.ToLower(name)]++
		e.ran++
	}
	return e.native(p, name, args) || e.correct(p, name, args)
}

func (e *embedded) info(p *server.Peer, section string) bool {
	var b strings.Builder
	switch strings.ToLower(section) {
	case "server":
		fmt.Fprintf(&b, "# Server\r\nredis_version:%s\r\n", embeddedVersion)
	case "commandstats":
		b.WriteString("# Commandstats\r\n")
		for _, name := range sortedKeys(e.calls) {
			fmt.Fprintf(&b, "cmdstat_%s:calls=%d\r\n", name, e.calls[name])
		}
	default:
		return false
	}
	p.WriteBulk(b.String())
	return true
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// ask runs a command on behalf of p (its database, its script) and returns the
// raw reply.
func (e *embedded) ask(p *server.Peer, args ...string) []byte {
	var reply bytes.Buffer
	w := bufio.NewWriter(&reply)
	inner := server.NewPeer(w)
	inner.Ctx = p.Ctx
	outer := e.inner
	e.inner = inner
	e.server.Dispatch(inner, args)
	e.inner = outer
	_ = w.Flush()
	return reply.Bytes()
}

// run runs a job and counts what its scripts called.
func (e *embedded) run(c *conn, j *job) (err error) {
	before := e.ran
	if j.shape == shapeTransaction {
		err = e.transaction(c, j)
	} else {
		err = j.through(c)
	}
	j.inner = e.ran - before
	for i := range j.commands {
		if name := j.commands[i].kind.name; j.commands[i].refusal == "" && e.server.IsRegisteredCommand(name) {
			j.inner--
		}
	}
	j.inner = max(0, j.inner) // a discarded transaction ran nothing
	return err
}

// transaction checks all commands as Redis does when it queues them (known?
// right number of arguments?) and then runs them one by one: the gate keeps
// everybody else out. miniredis' own MULTI lets unknown commands pass and
// discards everything for errors that Redis reports per command.
func (e *embedded) transaction(c *conn, j *job) error {
	refusal, err := e.rehearse(c, j.commands)
	if err != nil {
		return err
	}
	e.calls["multi"]++
	e.calls["exec"]++
	if refusal != nil {
		j.out, j.failed = j.format.appendError(j.out, refusal), true
		return nil
	}
	return j.through(c)
}

// rehearse queues the commands and discards them. It returns the first reason
// for which Redis would have refused to queue one, or nil.
func (e *embedded) rehearse(c *conn, cmds []command) (refusal []byte, err error) {
	e.dry = true
	defer func() { e.dry = false }()
	c.out = appendCommand(c.out[:0], []byte("MULTI"))
	for _, cmd := range cmds {
		c.out = appendCommand(c.out, cmd.args...)
	}
	c.out = appendCommand(c.out, []byte("DISCARD"))
	wait, err := c.send()
	if err != nil {
		return nil, err
	}
	if _, err := c.firstError(1); err != nil {
		return nil, err
	}
	for range cmds {
		text, err := c.firstError(1)
		if err != nil {
			return nil, err
		}
		if refusal == nil && refusesToQueue(text) {
			refusal = text
		}
	}
	if _, err := c.firstError(1); err != nil {
		return nil, err
	}
	return refusal, wait()
}

func refusesToQueue(text []byte) bool {
	return bytes.HasPrefix(text, []byte("ERR unknown command")) ||
		bytes.HasPrefix(text, []byte("ERR wrong number of arguments"))
}
