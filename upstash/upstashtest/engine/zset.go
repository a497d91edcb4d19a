package engine

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

var zsetCommands = map[string]native{
	"ZDIFF":       {-3, (*Redis).zdiff},
	"ZDIFFSTORE":  {-4, (*Redis).zdiffStore},
	"ZINTERCARD":  {-3, (*Redis).zinterCard},
	"ZINTER":      {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.zcombine(p, "ZINTER", args) }},
	"ZUNION":      {-3, func(e *Redis, p *server.Peer, args []string) bool { return e.zcombine(p, "ZUNION", args) }},
	"ZRANGE":      {-4, (*Redis).zrange},
	"ZRANGESTORE": {-5, (*Redis).zrangeStore},
	"ZRANDMEMBER": {-2, (*Redis).zrandMember},
	"ZPOPMIN":     {-2, (*Redis).zpop},
	"ZPOPMAX":     {-2, (*Redis).zpop},
}

// scored is a member of a sorted set.
type scored struct {
	member string
	score  float64
}

// sorted returns members in Redis' order: by score, then by member.
func sorted(set map[string]float64) []scored {
	list := make([]scored, 0, len(set))
	for member, score := range set {
		list = append(list, scored{member, score})
	}
	slices.SortFunc(list, func(a, b scored) int {
		switch {
		case a.score < b.score:
			return -1
		case a.score > b.score:
			return 1
		}
		return strings.Compare(a.member, b.member)
	})
	return list
}

// members are the members of a sorted set with their scores, or of a set with scores of
// 1; empty if the key does not exist.
func (e *Redis) members(key string) (set map[string]float64, problem string) {
	switch e.mini.Type(key) {
	case "":
		return nil, ""
	case "zset":
		set, err := e.mini.SortedSet(key)
		if err != nil {
			return nil, "ERR " + err.Error()
		}
		return maps.Clone(set), ""
	case "set":
		list, err := e.mini.SMembers(key)
		if err != nil {
			return nil, "ERR " + err.Error()
		}
		set = map[string]float64{}
		for _, member := range list {
			set[member] = 1
		}
		return set, ""
	}
	return nil, errWrongType
}

// keysBefore reads numkeys key …; rest are the options that follow.
func keysBefore(name string, args []string) (keys, rest []string, problem string) {
	n, ok := resp.Integer(args[0])
	switch {
	case !ok:
		return nil, nil, errInteger
	case n < 1:
		return nil, nil, "ERR at least 1 input key is needed for '" + strings.ToLower(name) + "' command"
	case n > int64(len(args)-1):
		return nil, nil, errSyntax
	}
	return args[1 : 1+n], args[1+n:], ""
}

// replaceSorted replaces the value at key by set.
func (e *Redis) replaceSorted(p *server.Peer, key string, set []scored) bool {
	e.ask(p, "DEL", key)
	if len(set) > 0 {
		args := []string{"ZADD", key}
		for _, s := range set {
			args = append(args, formatScore(s.score), s.member)
		}
		e.ask(p, args...)
	}
	return e.answer(p, len(set))
}

func (e *Redis) answerSorted(p *server.Peer, set []scored, withScores bool) bool {
	items := []string{}
	for _, s := range set {
		items = append(items, s.member)
		if withScores {
			items = append(items, formatReplyScore(s.score))
		}
	}
	return e.answer(p, items)
}

func (e *Redis) difference(keys []string) (set map[string]float64, problem string) {
	for i, key := range keys {
		members, problem := e.members(key)
		if problem != "" {
			return nil, problem
		}
		if i == 0 {
			set = members
		}
		for member := range members {
			if i > 0 {
				delete(set, member)
			}
		}
	}
	return set, ""
}

func (e *Redis) zdiff(p *server.Peer, args []string) bool {
	keys, options, problem := keysBefore("ZDIFF", args)
	withScores := len(options) == 1 && strings.EqualFold(options[0], "WITHSCORES")
	if problem == "" && len(options) > 0 && !withScores {
		problem = errSyntax
	}
	if problem != "" {
		return e.refuse(p, problem)
	}
	set, problem := e.difference(keys)
	if problem != "" {
		return e.refuse(p, problem)
	}
	return e.answerSorted(p, sorted(set), withScores)
}

func (e *Redis) zdiffStore(p *server.Peer, args []string) bool {
	keys, options, problem := keysBefore("ZDIFFSTORE", args[1:])
	if problem == "" && len(options) > 0 {
		problem = errSyntax
	}
	if problem != "" {
		return e.refuse(p, problem)
	}
	set, problem := e.difference(keys)
	if problem != "" {
		return e.refuse(p, problem)
	}
	return e.replaceSorted(p, args[0], sorted(set))
}

func (e *Redis) zinterCard(p *server.Peer, args []string) bool {
	keys, options, problem := keysBefore("ZINTERCARD", args)
	limit := int64(0)
	for ; problem == "" && len(options) > 0; options = options[2:] {
		if !strings.EqualFold(options[0], "LIMIT") || len(options) < 2 {
			problem = errSyntax
			break
		}
		var ok bool
		if limit, ok = resp.Integer(options[1]); !ok || limit < 0 {
			problem = "ERR LIMIT can't be negative"
		}
	}
	common := map[string]int{}
	for _, key := range keys {
		if problem != "" {
			break
		}
		var set map[string]float64
		set, problem = e.members(key)
		for member := range set {
			common[member]++
		}
	}
	if problem != "" {
		return e.refuse(p, problem)
	}
	n := 0
	for _, times := range common {
		n += boolInt(times == len(keys))
	}
	if limit > 0 {
		n = min(n, int(limit))
	}
	return e.answer(p, n)
}

// combineScratch is the key that holds the answer of ZINTER or ZUNION while it is read.
const combineScratch = "\x00upstashtest:combine\x00"

// zcombine answers ZINTER and ZUNION in order of the scores, with errors that name the
// command.
func (e *Redis) zcombine(p *server.Peer, name string, args []string) bool {
	_, options, problem := keysBefore(name, args)
	if problem != "" {
		return e.refuse(p, problem)
	}
	withScores := len(options) > 0 && strings.EqualFold(options[len(options)-1], "WITHSCORES")
	if withScores {
		args = args[:len(args)-1]
	}
	reply := e.captured(p, func(p *server.Peer) {
		e.zstore(p, name+"STORE", append([]string{combineScratch}, args...))
	})
	if refusal, ok := reply.(resp.Error); ok {
		return e.refuse(p, string(refusal))
	}
	set, _ := e.members(combineScratch)
	e.ask(p, "DEL", combineScratch)
	return e.answerSorted(p, sorted(set), withScores)
}

// zrange refuses WITHSCORES and LIMIT for the kinds of range that do not take them.
func (e *Redis) zrange(p *server.Peer, args []string) bool {
	if problem := rangeProblem(args[3:]); problem != "" {
		return e.refuse(p, problem)
	}
	if hasOption(args[3:], "BYSCORE") {
		return e.refuseBounds(p, args[1:3])
	}
	return false
}

func hasOption(options []string, name string) bool {
	return slices.ContainsFunc(options, func(option string) bool { return strings.EqualFold(option, name) })
}

func rangeProblem(options []string) string {
	var byLex, byScore, limit, withScores bool
	for ; len(options) > 0; options = options[1:] {
		switch strings.ToUpper(options[0]) {
		case "BYLEX":
			byLex = true
		case "BYSCORE":
			byScore = true
		case "WITHSCORES":
			withScores = true
		case "REV":
		case "LIMIT":
			if len(options) < 3 {
				return errSyntax
			}
			limit = true
			for _, n := range options[1:3] {
				if _, ok := resp.Integer(n); !ok {
					return errInteger
				}
			}
			options = options[2:]
		default:
			return errSyntax
		}
	}
	switch {
	case byLex && byScore:
		return errSyntax
	case limit && !byLex && !byScore:
		return "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX"
	case withScores && byLex:
		return "ERR syntax error, WITHSCORES not supported in combination with BYLEX"
	}
	return ""
}

func (e *Redis) zrangeStore(p *server.Peer, args []string) bool {
	dest, key, options := args[0], args[1], args[4:]
	problem := rangeProblem(options)
	if hasOption(options, "WITHSCORES") {
		problem = errSyntax
	}
	if problem != "" {
		return e.refuse(p, problem)
	}
	if hasOption(options, "BYSCORE") && e.refuseBounds(p, args[2:4]) {
		return true
	}
	members := e.value(p, append([]string{"ZRANGE"}, args[1:]...)...)
	list, ok := members.([]any)
	if !ok {
		return e.answer(p, members)
	}
	scores, _ := e.members(key)
	var set []scored
	for _, member := range list {
		name, _ := member.(string)
		set = append(set, scored{name, scores[name]})
	}
	return e.replaceSorted(p, dest, set)
}

func (e *Redis) zrandMember(p *server.Peer, args []string) bool {
	if len(args) == 1 {
		return false
	}
	n, ok := resp.Integer(args[1])
	switch {
	case !ok:
		return e.refuse(p, errInteger)
	case len(args) > 3, len(args) == 3 && !strings.EqualFold(args[2], "WITHSCORES"):
		return e.refuse(p, errSyntax)
	case n == math.MinInt64, len(args) == 3 && (n < math.MinInt64/2 || n > math.MaxInt64/2):
		return e.refuse(p, "ERR value is out of range, value must between -"+strconv.Itoa(math.MaxInt64)+" and "+strconv.Itoa(math.MaxInt64))
	}
	return false
}

// zpop takes no members if the count is 0.
func (e *Redis) zpop(p *server.Peer, args []string) bool {
	if len(args) != 2 || args[1] != "0" {
		return false
	}
	if t := e.mini.Type(args[0]); t != "" && t != "zset" {
		return e.refuse(p, errWrongType)
	}
	return e.answer(p, []any{})
}
