// Package engine is a Redis inside this process: miniredis, corrected where it differs
// from Valkey 8, with the commands and the Lua that miniredis lacks.
//
// It knows commands and replies only. REST, plans, faults and billing belong to the
// server around it. README.md says how the package is tested, and when to add to it.
package engine

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

// embeddedVersion is the version of Redis whose commands miniredis implements most
// closely.
const embeddedVersion = "7.2.4"

const minStep = time.Millisecond

// Redis is miniredis and what it lacks: a clock that runs, command statistics,
// transactions that check as Redis does, the commands of the table natives, and the
// corrections of corrections.go.
type Redis struct {
	mini   *miniredis.Miniredis
	server *server.Server // of miniredis, which forgets it when it is closed

	// gate lets in one request at a time and guards all fields below. Every command comes
	// over the connection of a request, so miniredis calls hook while the gate is held.
	gate     sync.Mutex
	lastTick time.Time
	step     time.Duration
	calls    map[string]int64
	ran      int64        // sum of calls, without MULTI and EXEC
	dry      bool         // commands are only queued: none runs, none counts
	inner    *server.Peer // replaces the client while a correction runs commands itself

	notify  notify // which keyspace notifications are published
	strict  bool   // answers as Redis does even if Upstash differs
	natives map[string]native
	scripts map[string]luaScript // by digest
	lua     *interpreter         // runs scripts; nil before the first one

	streams     map[string]*stream // by number
	streamCount int                // how many were ever made
	streamsKept int                // how many there may be before the next sweep
}

// Start starts an engine on a free port of this machine. With strict it answers as Redis
// does even if Upstash differs.
func Start(strict bool) (*Redis, error) {
	m := miniredis.NewMiniRedis()
	if err := m.StartAddr("127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("embedded Redis: %w", err)
	}
	e := &Redis{
		strict:   strict,
		mini:     m,
		server:   m.Server(),
		lastTick: time.Now().Truncate(time.Millisecond),
		calls:    map[string]int64{},
		natives:  natives(),
		scripts:  map[string]luaScript{},
		streams:  map[string]*stream{},

		streamsKept: minStreamsKept,
	}
	if err := e.register(); err != nil {
		m.Close()
		return nil, fmt.Errorf("embedded Redis: %w", err)
	}
	m.Server().SetPreHook(e.hook)
	return e, nil
}

// Addr is the host:port of a plain Redis connection. A caller that sends commands over
// such a connection must call Enter before and the returned function after.
func (e *Redis) Addr() string { return e.mini.Addr() }

// Close stops the engine; its data are lost.
func (e *Redis) Close() {
	e.gate.Lock()
	e.endExpiries()
	e.gate.Unlock()
	e.mini.Close()
}

// Enter waits until no other request is served, and moves miniredis' clock forward. It
// returns the function that lets the next request in.
func (e *Redis) Enter() (leave func()) {
	e.gate.Lock()
	e.tick()
	return e.gate.Unlock
}

// Ran is how many commands have run, including the commands of scripts, without MULTI and
// EXEC.
func (e *Redis) Ran() int64 { return e.ran }

// Knows reports whether a command of this name exists.
func (e *Redis) Knows(name string) bool {
	return e.server.IsRegisteredCommand(name) && !lacking[strings.ToUpper(name)]
}

// Rehearse(true) makes the engine only queue the commands that follow: none runs and none
// counts, until Rehearse(false).
func (e *Redis) Rehearse(on bool) { e.dry = on }

// CountTransaction adds a MULTI and an EXEC to the statistics.
func (e *Redis) CountTransaction() {
	e.calls["multi"]++
	e.calls["exec"]++
}

// tick moves miniredis' clock forward by the time since the last tick; by itself
// miniredis never expires a key. Each tick looks at every key. So the minimum time
// between ticks grows with the number of keys, and ticks take less than a twentieth of
// the time: at 10,000 keys an expiry may be early or late by some hundredths of a second.
func (e *Redis) tick() {
	start := time.Now()
	now := start.Truncate(time.Millisecond)
	if elapsed := now.Sub(e.lastTick); elapsed >= e.step {
		e.forward(elapsed)
		e.mini.SetTime(now)
		e.lastTick = now
		e.step = max(minStep, 20*time.Since(start))
	}
}

// hook sees every command before miniredis does, including the commands of scripts. It
// returns true when it has answered.
func (e *Redis) hook(p *server.Peer, name string, args ...string) bool {
	switch {
	case p == e.inner:
		return false
	case !e.Knows(name):
		return e.correct(p, name, args)
	case e.dry:
		return e.native(p, name, args)
	default:
		e.calls[strings.ToLower(name)]++
		e.ran++
	}
	return e.runAndPublish(p, name, args) || e.native(p, name, args) || e.correct(p, name, args)
}

func (e *Redis) info(p *server.Peer, section string) bool {
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
func (e *Redis) ask(p *server.Peer, args ...string) []byte {
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
