package engine

import (
	"path"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

var configCommands = map[string]native{
	"CONFIG": {-2, (*Redis).config},
}

// notifyOption is the one setting that CONFIG knows in this engine.
const notifyOption = "notify-keyspace-events"

// allClasses are the flags that A represents: every class except m and n.
const allClasses = "g$lshzxetd"

// expiryTick is how often the engine looks for expired keys when no request comes, if
// it has to publish expiries. Redis also looks 10 times a second.
const expiryTick = 100 * time.Millisecond

// notify says which changes of keys are published, and how: the flags of Redis'
// notify-keyspace-events. With the zero notify nothing is published.
type notify struct {
	flags   string        // without A, each flag once
	expires chan struct{} // closed to end expireUntil; nil if it does not run
}

func (n notify) has(flag byte) bool { return strings.IndexByte(n.flags, flag) >= 0 }

// on reports whether anything is published: the flags name a class and a channel.
func (n notify) on() bool {
	return (n.has('K') || n.has('E')) && strings.ContainsAny(n.flags, "gzhx")
}

// parseNotify reads flags as CONFIG SET takes them.
func parseNotify(text string) (flags string, ok bool) {
	given := strings.ReplaceAll(text, "A", allClasses)
	if strings.Trim(given, allClasses+"KEmn") != "" {
		return "", false
	}
	for _, flag := range allClasses + "nKEm" {
		if strings.ContainsRune(given, flag) {
			flags += string(flag)
		}
	}
	return flags, true
}

// String returns the flags as CONFIG GET writes them.
func (n notify) String() string {
	if rest, all := strings.CutPrefix(n.flags, allClasses); all {
		return "A" + strings.Replace(rest, "n", "", 1)
	}
	return n.flags
}

func (e *Redis) config(p *server.Peer, args []string) bool {
	switch sub := strings.ToLower(args[0]); {
	case sub == "get" && len(args) > 1:
		found := []string{}
		for _, pattern := range args[1:] {
			if ok, err := path.Match(strings.ToLower(pattern), notifyOption); ok && err == nil {
				found = []string{notifyOption, e.notify.String()}
			}
		}
		return e.answer(p, found)
	case sub == "set" && len(args) > 1:
		return e.configSet(p, args[1:])
	case sub == "get", sub == "set":
		return e.refuse(p, wrongNumber("config|"+sub))
	}
	return e.refuse(p, "ERR unknown subcommand '"+args[0]+"'. Try CONFIG HELP.")
}

func (e *Redis) configSet(p *server.Peer, args []string) bool {
	if len(args)%2 != 0 {
		return e.refuse(p, wrongNumber("config|set"))
	}
	flags := ""
	for i := 0; i < len(args); i += 2 {
		if !strings.EqualFold(args[i], notifyOption) {
			return e.refuse(p, "ERR Unknown option or number of arguments for CONFIG SET - '"+args[i]+"'")
		}
		if i > 0 {
			return e.refuse(p, "ERR CONFIG SET failed (possibly related to argument '"+args[i]+"') - duplicate parameter")
		}
		var ok bool
		if flags, ok = parseNotify(args[i+1]); !ok {
			return e.refuse(p, "ERR CONFIG SET failed (possibly related to argument '"+args[i]+"') - Invalid event class character. Use 'Ag$lshzxeKEtmdn'.")
		}
	}
	e.endExpiries()
	if e.notify.flags = flags; e.notify.on() && e.notify.has('x') {
		e.notify.expires = make(chan struct{})
		go e.expireUntil(e.notify.expires)
	}
	return e.answer(p, status("OK"))
}

// expireUntil moves the clock on until ended is closed, so that keys expire while no
// request comes.
func (e *Redis) expireUntil(ended chan struct{}) {
	round := time.NewTicker(expiryTick)
	defer round.Stop()
	for {
		select {
		case <-ended:
			return
		case <-round.C:
			e.Enter()()
		}
	}
}

func (e *Redis) endExpiries() {
	if e.notify.expires != nil {
		close(e.notify.expires)
		e.notify.expires = nil
	}
}

// tell publishes events, if the flags include their classes.
func (e *Redis) tell(happened ...event) {
	for _, h := range happened {
		if !e.notify.has(h.class) {
			continue
		}
		if e.notify.has('K') {
			e.mini.Publish("__keyspace@0__:"+h.key, h.name)
		}
		if e.notify.has('E') {
			e.mini.Publish("__keyevent@0__:"+h.name, h.key)
		}
	}
}

// forward moves miniredis' clock forward, and publishes which keys expired by that.
func (e *Redis) forward(elapsed time.Duration) {
	if !e.notify.on() || !e.notify.has('x') {
		e.mini.FastForward(elapsed)
		return
	}
	var due []string
	for _, key := range e.mini.Keys() {
		if left := e.mini.TTL(key); left > 0 && left <= elapsed {
			due = append(due, key)
		}
	}
	e.mini.FastForward(elapsed)
	for _, key := range due {
		e.tell(event{'x', "expired", key})
	}
}

// runAndPublish runs a command that may have effects to publish, and publishes them. For every
// other command it does nothing and returns false.
func (e *Redis) runAndPublish(p *server.Peer, name string, args []string) bool {
	if !e.notify.on() {
		return false
	}
	rule, ok := tellers[name]
	if !ok {
		return false
	}
	after := rule(e, args)
	if after == nil {
		return false
	}
	handled := true
	reply := e.rawReply(p, func(p *server.Peer) { handled = e.native(p, name, args) || e.correct(p, name, args) })
	if !handled {
		reply = e.ask(p, append([]string{name}, args...)...)
	}
	p.WriteRaw(string(reply))
	v := readReply(reply)
	if _, refused := v.(resp.Error); !refused {
		e.tell(after(v)...)
	}
	return true
}
