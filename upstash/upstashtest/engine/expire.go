package engine

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

var expireCommands = map[string]native{
	"EXPIRE":     {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.expire(p, "EXPIRE", args) }},
	"PEXPIRE":    {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.expire(p, "PEXPIRE", args) }},
	"EXPIREAT":   {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.expire(p, "EXPIREAT", args) }},
	"PEXPIREAT":  {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.expire(p, "PEXPIREAT", args) }},
	"EXPIRETIME": {2, func(e *Redis, p *server.Peer, args []string) bool { return e.expireTime(p, args[0], time.Second) }},
	"PEXPIRETIME": {2, func(e *Redis, p *server.Peer, args []string) bool {
		return e.expireTime(p, args[0], time.Millisecond)
	}},
	"TTL":    {2, (*Redis).ttl},
	"SET":    {-3, (*Redis).set},
	"SETEX":  {4, func(e *Redis, p *server.Peer, args []string) bool { return e.setEx(p, "SETEX", "EX", args) }},
	"PSETEX": {4, func(e *Redis, p *server.Peer, args []string) bool { return e.setEx(p, "PSETEX", "PX", args) }},
	"GETEX":  {-2, (*Redis).getEx},
	"TIME":   {1, (*Redis).time},
}

// maxTTL is the longest time to live that miniredis can count; a later expiry comes after
// maxTTL.
const maxTTL = 290 * 365 * 24 * time.Hour

// now is the time that expiries count from, in Unix milliseconds.
func (e *Redis) now() int64 { return e.lastTick.UnixMilli() }

// moment reads a time to live or a point in time, and returns it in Unix milliseconds.
// unit is EX, PX, EXAT or PXAT. With positive it refuses values that are not positive,
// with the error of the command called name.
func (e *Redis) moment(name, unit, text string, positive bool) (ms int64, problem string) {
	ms, ok := resp.Integer(text)
	if !ok {
		return 0, errInteger
	}
	if positive && ms <= 0 {
		return 0, invalidExpiry(name)
	}
	if strings.HasPrefix(unit, "EX") {
		if ms > math.MaxInt64/1000 || ms < math.MinInt64/1000 {
			return 0, invalidExpiry(name)
		}
		ms *= 1000
	}
	if !strings.HasSuffix(unit, "AT") {
		if ms > math.MaxInt64-e.now() {
			return 0, invalidExpiry(name)
		}
		ms += e.now()
	}
	return ms, ""
}

// isExpiry reports whether an option is EX, PX, EXAT or PXAT.
func isExpiry(option string) bool {
	return option == "EX" || option == "PX" || option == "EXAT" || option == "PXAT"
}

// until is the time from now to a moment, at most maxTTL.
func (e *Redis) until(ms int64) time.Duration {
	left := ms - e.now()
	return time.Duration(min(left, maxTTL.Milliseconds())) * time.Millisecond
}

// expireAt sets the expiry of a key, and deletes the key if the moment has passed.
func (e *Redis) expireAt(p *server.Peer, key string, ms int64) {
	if ms <= e.now() {
		e.ask(p, "DEL", key)
		return
	}
	e.mini.SetTTL(key, e.until(ms))
}

// expiry is the moment, in Unix milliseconds, at which a time to live ends.
func (e *Redis) expiry(left time.Duration) int64 { return e.lastTick.Add(left).UnixMilli() }

// condition is the option NX, XX, GT or LT, which compares a new expiry with the one
// before it (0 for none).
type condition struct{ nx, xx, gt, lt bool }

func (c condition) holds(before, after int64) bool {
	switch {
	case c.nx && before != 0, c.xx && before == 0:
		return false
	case c.gt && (before == 0 || after <= before), c.lt && before != 0 && after >= before:
		return false
	}
	return true
}

func parseCondition(options []string) (c condition, problem string) {
	for _, option := range options {
		switch strings.ToUpper(option) {
		case "NX":
			c.nx = true
		case "XX":
			c.xx = true
		case "GT":
			c.gt = true
		case "LT":
			c.lt = true
		default:
			return c, "ERR Unsupported option " + option
		}
	}
	switch {
	case c.nx && (c.xx || c.gt || c.lt):
		return c, "ERR NX and XX, GT or LT options at the same time are not compatible"
	case c.gt && c.lt:
		return c, "ERR GT and LT options at the same time are not compatible"
	}
	return c, ""
}

// expireUnit is the option of SET that means the same as a command: EX for EXPIRE.
func expireUnit(name string) string {
	unit := "EX"
	if name[0] == 'P' {
		unit = "PX"
	}
	if strings.HasSuffix(name, "AT") {
		unit += "AT"
	}
	return unit
}

func (e *Redis) expire(p *server.Peer, name string, args []string) bool {
	c, problem := parseCondition(args[2:])
	if problem != "" {
		return e.refuse(p, problem)
	}
	ms, problem := e.moment(name, expireUnit(name), args[1], false)
	if problem != "" {
		return e.refuse(p, problem)
	}
	if !e.mini.Exists(args[0]) {
		return e.answer(p, 0)
	}
	before := int64(0)
	if left := e.mini.TTL(args[0]); left > 0 {
		before = e.expiry(left)
	}
	if !c.holds(before, ms) {
		return e.answer(p, 0)
	}
	e.expireAt(p, args[0], ms)
	return e.answer(p, 1)
}

func (e *Redis) expireTime(p *server.Peer, key string, unit time.Duration) bool {
	if !e.mini.Exists(key) {
		return e.answer(p, -2)
	}
	left := e.mini.TTL(key)
	if left == 0 {
		return e.answer(p, -1)
	}
	per := unit.Milliseconds()
	return e.answer(p, (e.expiry(left)+per/2)/per)
}

// ttl rounds to the nearest second; miniredis rounds down.
func (e *Redis) ttl(p *server.Peer, args []string) bool {
	left, ok := e.value(p, "PTTL", args[0]).(int64)
	if ok && left > 0 {
		left = (left + 500) / 1000
	}
	return e.answer(p, left)
}

// setOptions are the options of SET.
type setOptions struct {
	nx, xx, get, keep bool
	unit, when        string
}

func parseSet(options []string) (o setOptions, problem string) {
	for ; len(options) > 0; options = options[1:] {
		switch option := strings.ToUpper(options[0]); {
		case option == "NX" && !o.xx:
			o.nx = true
		case option == "XX" && !o.nx:
			o.xx = true
		case option == "GET":
			o.get = true
		case option == "KEEPTTL" && o.unit == "":
			o.keep = true
		case isExpiry(option) && o.unit == "" && !o.keep && len(options) > 1:
			o.unit, o.when, options = option, options[1], options[1:]
		default:
			return o, errSyntax
		}
	}
	return o, ""
}

func (e *Redis) set(p *server.Peer, args []string) bool {
	o, problem := parseSet(args[2:])
	ms := int64(0)
	if problem == "" && o.unit != "" {
		ms, problem = e.moment("SET", o.unit, o.when, true)
	}
	if problem != "" {
		return e.refuse(p, problem)
	}
	var before any
	exists := e.mini.Exists(args[0])
	if o.get && exists {
		text, _, problem := e.text(args[0])
		if problem != "" {
			return e.refuse(p, problem)
		}
		before = text
	}
	var done any = status("OK")
	if o.nx && exists || o.xx && !exists {
		done = nil
	} else {
		e.write(p, args[0], args[1], o.keep, ms)
	}
	if o.get {
		return e.answer(p, before)
	}
	return e.answer(p, done)
}

// write sets a string that expires at ms, or never if ms is 0.
func (e *Redis) write(p *server.Peer, key, text string, keep bool, ms int64) {
	if keep {
		e.setText(p, key, text)
		return
	}
	e.ask(p, "SET", key, text)
	if ms != 0 {
		e.expireAt(p, key, ms)
	}
}

func (e *Redis) setEx(p *server.Peer, name, unit string, args []string) bool {
	ms, problem := e.moment(name, unit, args[1], true)
	if problem != "" {
		return e.refuse(p, problem)
	}
	e.write(p, args[0], args[2], false, ms)
	return e.answer(p, status("OK"))
}

func (e *Redis) getEx(p *server.Peer, args []string) bool {
	unit, ms, problem := "", int64(0), ""
	if options := args[1:]; len(options) > 0 {
		unit = strings.ToUpper(options[0])
		switch {
		case unit == "PERSIST" && len(options) == 1:
		case isExpiry(unit) && len(options) == 2:
			ms, problem = e.moment("GETEX", unit, options[1], true)
		default:
			problem = errSyntax
		}
	}
	if problem != "" {
		return e.refuse(p, problem)
	}
	text, exists, problem := e.text(args[0])
	switch {
	case problem != "":
		return e.refuse(p, problem)
	case !exists:
		return e.answer(p, nil)
	case unit == "PERSIST":
		e.ask(p, "PERSIST", args[0])
	case unit != "":
		e.expireAt(p, args[0], ms)
	}
	return e.answer(p, text)
}

// time answers with the current time; miniredis would answer with the time of the last
// tick.
func (e *Redis) time(p *server.Peer, _ []string) bool {
	now := time.Now().UnixMicro()
	return e.answer(p, []any{strconv.FormatInt(now/1e6, 10), strconv.FormatInt(now%1e6, 10)})
}
