package move

import (
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/upstash"
)

// pageSize is the number of fields or members that are asked for at a time. Redis answers
// small hashes and sets as a whole, with at most 512.
const pageSize = 500

const firstCursor = "0"

// kind describes one of Redis' types: how to read a key in pages, write it, and look up its
// entries in the other Redis.
type kind struct {
	scan, size string // commands; a string has neither
	width      int    // elements of a page for each entry: 2 are a name and a value
	write      string
	valueFirst bool   // as ZADD takes it
	look       string // command that looks up many names at once
	score      bool   // values are compared as numbers: servers write them differently
	ending     bool   // fields may expire by themselves
	stream     bool   // entries have ids that grow, and are read in their order
	list       bool   // one page: a player's open challenges are few
}

// kinds are the types that the product keeps, by the name that TYPE gives them.
var kinds = map[string]kind{
	"string": {},
	"hash":   {scan: "HSCAN", size: "HLEN", width: 2, write: "HSET", look: "HMGET", ending: true},
	"list":   {scan: "LRANGE", size: "LLEN", list: true},
	"set":    {scan: "SSCAN", size: "SCARD", width: 1, write: "SADD", look: "SMISMEMBER"},
	"stream": {scan: "XRANGE", size: "XLEN", width: 2, write: "XADD", look: "XRANGE", stream: true},
	"zset":   {scan: "ZSCAN", size: "ZCARD", width: 2, write: "ZADD", valueFirst: true, look: "ZMSCORE", score: true},
}

func (k kind) isString() bool { return k.scan == "" }

// read returns the command that reads a page of a key. It reads a stream only up to the last
// id found earlier, since the stream may grow meanwhile.
func (k kind) read(of key, cursor string) upstash.Command {
	switch {
	case k.isString():
		return upstash.Cmd("GET", of.name)
	case k.list:
		return readList(of.name)
	case k.stream:
		return upstash.Cmd(k.scan, of.name, cursor, of.last, "COUNT", strconv.Itoa(streamPage))
	}
	return upstash.Cmd(k.scan, of.name, cursor, "COUNT", strconv.Itoa(pageSize))
}

func readList(key string) upstash.Command { return upstash.Cmd("LRANGE", key, "0", "-1") }

// putList replaces a list. A plain RPUSH that is sent again after a lost answer would double
// it.
const putList = `redis.call('DEL', KEYS[1])
for i = 1, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end`

// entry is a field and its value, a member and its score, a member alone, or the
// value of a string or of a place in a list, which have no name.
type entry struct{ name, value string }

// entries parses the answer to read, and returns the cursor of the next page; "" at the end.
func (k kind) entries(r upstash.Reply) (all []entry, next string, err error) {
	if k.isString() {
		if r.IsNil() {
			return nil, "", nil
		}
		text, err := r.Text()
		return []entry{{value: text}}, "", err
	}
	if k.stream {
		if all, err = streamEntries(r); err == nil && len(all) == streamPage {
			next = "(" + all[len(all)-1].name
		}
		return all, next, err
	}
	if k.list {
		texts, err := r.Strings()
		for _, text := range texts {
			all = append(all, entry{value: text})
		}
		return all, "", err
	}
	parts, err := r.Array()
	if err != nil || len(parts) != 2 {
		return nil, "", unexpected(k.scan, err)
	}
	if next, err = parts[0].Text(); err != nil {
		return nil, "", unexpected(k.scan, err)
	}
	texts, err := parts[1].Strings()
	if err != nil || len(texts)%k.width != 0 {
		return nil, "", unexpected(k.scan, err)
	}
	for i := 0; i < len(texts); i += k.width {
		e := entry{name: texts[i]}
		if k.width == 2 {
			e.value = texts[i+1]
		}
		all = append(all, e)
	}
	if next == firstCursor {
		next = ""
	}
	return all, next, nil
}

// put returns the commands that write a page of at least one entry.
func (k kind) put(key string, page []entry) ([]upstash.Command, error) {
	switch {
	case k.isString():
		return []upstash.Command{upstash.Cmd("SET", key, page[0].value).Idempotent()}, nil
	case k.stream:
		return putEntries(key, page)
	}
	words := []string{k.write, key}
	if k.list {
		words = []string{"EVAL", putList, "1", key}
	}
	for _, e := range page {
		switch {
		case k.list:
			words = append(words, e.value)
		case k.width == 1:
			words = append(words, e.name)
		case k.valueFirst:
			words = append(words, e.value, e.name)
		default:
			words = append(words, e.name, e.value)
		}
	}
	return []upstash.Command{upstash.Cmd(words...).Idempotent()}, nil
}

// find returns the command that looks up the entries of a page by name.
func (k kind) find(key string, page []entry) upstash.Command {
	if k.isString() {
		return upstash.Cmd("GET", key)
	}
	if k.list {
		return readList(key)
	}
	if k.stream {
		return upstash.Cmd(k.look, key, page[0].name, page[len(page)-1].name, "COUNT", strconv.Itoa(len(page)+1))
	}
	words := []string{k.look, key}
	for _, e := range page {
		words = append(words, e.name)
	}
	return upstash.Cmd(words...)
}

// same reports whether the answer to find equals the entries of a page.
func (k kind) same(page []entry, r upstash.Reply) (bool, error) {
	if k.isString() {
		if r.IsNil() {
			return false, nil
		}
		text, err := r.Text()
		return text == page[0].value, err
	}
	if k.list {
		texts, err := r.Strings()
		return slices.EqualFunc(page, texts, func(e entry, text string) bool { return e.value == text }), err
	}
	if k.stream {
		found, err := streamEntries(r)
		return slices.Equal(page, found), err
	}
	found, err := r.Array()
	if err != nil || len(found) != len(page) {
		return false, unexpected(k.look, err)
	}
	for i, e := range page {
		if ok, err := k.sameValue(e, found[i]); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

func (k kind) sameValue(e entry, r upstash.Reply) (bool, error) {
	if r.IsNil() {
		return false, nil
	}
	switch {
	case k.width == 1:
		n, err := r.Int64()
		return n == 1, err
	case k.score:
		want, err := strconv.ParseFloat(e.value, 64)
		if err != nil {
			return false, err
		}
		got, err := r.Float64()
		return got == want, err
	}
	text, err := r.Text()
	return text == e.value, err
}
