// Package engine is a Redis in this process: miniredis, corrected where it
// answers otherwise than Valkey 8, with the commands and the Lua that it lacks.
//
// It knows commands and replies. REST, plans, faults and billing are the
// server's around it; README.md says how it is proved and when to add to it.
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

// embeddedVersion is the Redis whose commands miniredis comes close to.
const embeddedVersion = "7.2.4"

const minStep = time.Millisecond

// Redis is miniredis with what it lacks: time that passes, command
// statistics, transactions that check as Redis does, the commands of natives,
// and the corrections of corrections.go.
type Redis struct {
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

	notify    notify // which changes of keys are told
	strict    bool   // as Redis does where Upstash differs
	natives   map[string]native
	scripts   map[string]luaScript // by digest
	lua       *interpreter         // of scripts; nil before the first
	libraries map[string]*library

	streams     map[string]*stream // by number
	streamCount int                // ever made
	streamsKept int                // how many there may be before a sweep
}

// Start starts one on a free port of this machine. strict has it answer as Redis
// does where Upstash differs.
func Start(strict bool) (*Redis, error) {
	m := miniredis.NewMiniRedis()
	if err := m.StartAddr("127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("embedded Redis: %w", err)
	}
	e := &Redis{
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
		return nil, fmt.Errorf("embedded Redis: %w", err)
	}
	m.Server().SetPreHook(e.hook)
	return e, nil
}

// Addr is the host:port of a plain Redis connection. What comes over it must come
// between Enter and what Enter returns.
func (e *Redis) Addr() string { return e.mini.Addr() }

// Close ends it; its data are gone.
func (e *Redis) Close() {
	e.gate.Lock()
	e.endExpiries()
	e.gate.Unlock()
	e.mini.Close()
}

// Enter waits until nobody else is served, lets the time pass that has gone by,
// and returns what lets the next one in.
func (e *Redis) Enter() (leave func()) {
	e.gate.Lock()
	e.tick()
	return e.gate.Unlock
}

// Ran is how many commands have run, those of scripts too, without MULTI and
// EXEC.
func (e *Redis) Ran() int64 { return e.ran }

// Knows reports whether there is a command of this name.
func (e *Redis) Knows(name string) bool { return e.server.IsRegisteredCommand(name) }

// Rehearse has the commands that follow only be queued: none is run, and none
// counts, until it is called with false.
func (e *Redis) Rehearse(on bool) { e.dry = on }

// CountTransaction notes a MULTI and its EXEC in the statistics.
func (e *Redis) CountTransaction() {
	e.calls["multi"]++
	e.calls["exec"]++
}

// tick lets the time pass that went by since the last request; miniredis by
// itself never expires a key. It looks at every key for that, so the step
// grows with their number to keep this under a twentieth of the time: at
// 10,000 keys an expiry may be early or late by some hundredths of a second.
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

// hook sees every command before miniredis does, those of scripts too. It
// returns true when it has answered.
func (e *Redis) hook(p *server.Peer, name string, args ...string) bool {
	switch {
	case p == e.inner:
		return false
	case e.dry:
		return e.native(p, name, args) || !e.server.IsRegisteredCommand(name) && e.correct(p, name, args)
	case e.server.IsRegisteredCommand(name):
		e.calls[strings.ToLower(name)]++
		e.ran++
	}
	return e.told(p, name, args) || e.native(p, name, args) || e.correct(p, name, args)
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
