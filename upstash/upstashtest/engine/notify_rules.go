package engine

import (
	"reflect"
	"slices"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
)

// event is one change of a key: its class, by flag ('g', 'z', 'h', 'x'), and its name in
// Redis.
type event struct {
	class byte
	name  string
	key   string
}

// teller looks at the keys that a command is about to change. It returns a function that
// turns the command's reply into the events that happened, or nil if nothing can
// happen. The command may be malformed.
type teller func(e *Redis, args []string) func(reply any) []event

// tellers are the commands with events to publish, by upper-case name. Commands on
// strings, lists and sets publish only the deletion of a key and a new expiry: the engine
// does not publish the classes of their other events.
var tellers = map[string]teller{
	"ZADD":             tellZAdd,
	"ZINCRBY":          tellZIncrBy,
	"ZREM":             tellIfAny('z', "zrem"),
	"ZREMRANGEBYRANK":  tellIfAny('z', "zremrangebyrank"),
	"ZREMRANGEBYSCORE": tellIfAny('z', "zremrangebyscore"),
	"ZREMRANGEBYLEX":   tellIfAny('z', "zremrangebylex"),
	"ZPOPMIN":          tellIfAny('z', "zpopmin"),
	"ZPOPMAX":          tellIfAny('z', "zpopmax"),
	"ZUNIONSTORE":      tellIfAny('z', "zunionstore"),
	"ZINTERSTORE":      tellIfAny('z', "zinterstore"),
	"ZDIFFSTORE":       tellIfAny('z', "zdiffstore"),
	"ZRANGESTORE":      tellIfAny('z', "zrangestore"),

	"SUNIONSTORE": tellEnd, "SINTERSTORE": tellEnd, "SDIFFSTORE": tellEnd,
	"SREM": tellEnd, "SPOP": tellEnd, "SMOVE": tellEnd,
	"LPOP": tellEnd, "RPOP": tellEnd, "LREM": tellEnd, "LTRIM": tellEnd, "LMOVE": tellEnd, "RPOPLPUSH": tellEnd,
	"GETDEL": tellEnd,

	"HSET":         tellIfDone('h', "hset"),
	"HMSET":        tellIfDone('h', "hset"),
	"HSETNX":       tellIfAny('h', "hset"),
	"HINCRBY":      tellIfDone('h', "hincrby"),
	"HINCRBYFLOAT": tellIfDone('h', "hincrbyfloat"),
	"HDEL":         tellIfAny('h', "hdel"),

	"DEL": tellEnds, "UNLINK": tellEnds,
	"EXPIRE": tellExpire, "PEXPIRE": tellExpire, "EXPIREAT": tellExpire, "PEXPIREAT": tellExpire,
	"SET": tellSet, "SETEX": tellExpiry, "PSETEX": tellExpiry, "GETEX": tellGetEx,
	"PERSIST":  tellIfAny('g', "persist"),
	"RENAME":   tellRename,
	"RENAMENX": tellRename,
	"COPY":     tellCopy,
	"RESTORE":  tellRestore,
}

// something reports whether a reply means that the command changed anything.
func something(reply any) bool {
	switch v := reply.(type) {
	case int64:
		return v > 0
	case []any:
		return len(v) > 0
	case nil:
		return false
	}
	return true
}

// ending returns a function that returns the event del if the key existed before and
// does not afterwards.
func (e *Redis) ending(key string) func() []event {
	existed := e.mini.Exists(key)
	return func() []event {
		if existed && !e.mini.Exists(key) {
			return []event{{'g', "del", key}}
		}
		return nil
	}
}

// tellIfAny returns the event for the first key if the reply means that the command
// changed anything, and then the event del if that left the key empty.
func tellIfAny(class byte, name string) teller {
	return func(e *Redis, args []string) func(any) []event {
		if len(args) == 0 {
			return nil
		}
		end := e.ending(args[0])
		return func(reply any) (answer []event) {
			if something(reply) {
				answer = append(answer, event{class, name, args[0]})
			}
			return append(answer, end()...)
		}
	}
}

// tellIfDone returns the event for the first key unless the command was refused.
func tellIfDone(class byte, name string) teller {
	return func(_ *Redis, args []string) func(any) []event {
		if len(args) == 0 {
			return nil
		}
		return func(any) []event { return []event{{class, name, args[0]}} }
	}
}

func tellEnd(e *Redis, args []string) func(any) []event {
	if len(args) == 0 {
		return nil
	}
	end := e.ending(args[0])
	return func(any) []event { return end() }
}

func tellEnds(e *Redis, args []string) func(any) []event {
	var ends []func() []event
	for i, key := range args {
		if !slices.Contains(args[:i], key) {
			ends = append(ends, e.ending(key))
		}
	}
	return func(any) (answer []event) {
		for _, end := range ends {
			answer = append(answer, end()...)
		}
		return answer
	}
}

// scores are the scores of the members, nil for a member that does not exist.
func (e *Redis) scores(key string, members []string) any {
	return e.value(new(server.Peer), append([]string{"ZMSCORE", key}, members...)...)
}

// tellScores returns the event if any member's score has changed.
func tellScores(e *Redis, name, key string, members []string) func(any) []event {
	before := e.scores(key, members)
	return func(any) []event {
		if reflect.DeepEqual(before, e.scores(key, members)) {
			return nil
		}
		return []event{{'z', name, key}}
	}
}

func tellZAdd(e *Redis, args []string) func(any) []event {
	if len(args) < 3 {
		return nil
	}
	flags, _, pairs, problem := parseZAdd(args[1:])
	if problem != "" {
		return nil
	}
	var members []string
	for i := 1; i < len(pairs); i += 2 {
		members = append(members, pairs[i])
	}
	name := "zadd"
	if flags.incr {
		name = "zincr"
	}
	return tellScores(e, name, args[0], members)
}

func tellZIncrBy(e *Redis, args []string) func(any) []event {
	if len(args) != 3 {
		return nil
	}
	return tellScores(e, "zincr", args[0], args[2:])
}

// tellExpire returns del instead of expire if the new expiry has already passed.
func tellExpire(e *Redis, args []string) func(any) []event {
	if len(args) == 0 {
		return nil
	}
	return func(reply any) []event {
		switch {
		case !something(reply):
			return nil
		case e.mini.Exists(args[0]):
			return []event{{'g', "expire", args[0]}}
		}
		return []event{{'g', "del", args[0]}}
	}
}

func tellSet(e *Redis, args []string) func(any) []event {
	if len(args) < 3 {
		return nil
	}
	o, problem := parseSet(args[2:])
	existed := e.mini.Exists(args[0])
	if problem != "" || o.unit == "" || o.nx && existed || o.xx && !existed {
		return nil
	}
	return tellExpiry(e, args)
}

// tellExpiry is for commands that always give their key an expiry.
func tellExpiry(_ *Redis, args []string) func(any) []event {
	if len(args) == 0 {
		return nil
	}
	return func(any) []event { return []event{{'g', "expire", args[0]}} }
}

func tellGetEx(e *Redis, args []string) func(any) []event {
	if len(args) < 2 || !e.mini.Exists(args[0]) {
		return nil
	}
	if !strings.EqualFold(args[1], "PERSIST") {
		return tellExpire(e, args)
	}
	ends := e.mini.TTL(args[0]) > 0
	return func(any) []event {
		if !ends {
			return nil
		}
		return []event{{'g', "persist", args[0]}}
	}
}

func tellRename(_ *Redis, args []string) func(any) []event {
	if len(args) != 2 || args[0] == args[1] {
		return nil
	}
	return func(reply any) []event {
		if !something(reply) {
			return nil
		}
		return []event{{'g', "rename_from", args[0]}, {'g', "rename_to", args[1]}}
	}
}

func tellCopy(e *Redis, args []string) func(any) []event {
	if len(args) < 2 {
		return nil
	}
	return func(reply any) []event {
		if !something(reply) {
			return nil
		}
		return []event{{'g', "copy_to", args[1]}}
	}
}

func tellRestore(_ *Redis, args []string) func(any) []event {
	if len(args) == 0 {
		return nil
	}
	return func(any) []event { return []event{{'g', "restore", args[0]}} }
}
