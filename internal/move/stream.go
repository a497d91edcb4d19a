package move

import (
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/upstash"
)

// A stream is the outbox of a game that has one. Its entries keep their ids: the
// archive knows by them which it has. One that has been emptied is left behind.
func (k kind) isStream() bool { return k.scan == "XRANGE" }

// putStream adds the entries that are not there yet, each as its id, the number of
// its words, and these. XADD refuses an id that is not above the last one, so a page
// that is sent again after a lost answer is held against what is there.
const putStream = `local i = 1
while i <= #ARGV do
  local last = i + 1 + tonumber(ARGV[i+1])
  if #redis.call('XRANGE', KEYS[1], ARGV[i], ARGV[i]) == 0 then
    redis.call('XADD', KEYS[1], ARGV[i], unpack(ARGV, i + 2, last))
  end
  i = last + 1
end`

func readStream(key, from, to string) upstash.Command {
	return upstash.Cmd("XRANGE", key, from, to, "COUNT", strconv.Itoa(pageSize))
}

func findStream(key string, page []entry) upstash.Command {
	return readStream(key, page[0].name, page[len(page)-1].name)
}

func writeStream(key string, page []entry) upstash.Command {
	words := []string{"EVAL", putStream, "1", key}
	for _, e := range page {
		words = append(append(words, e.name, strconv.Itoa(len(e.words))), e.words...)
	}
	return upstash.Cmd(words...).Idempotent()
}

// streamEntries reads the answer to readStream, and where to go on; "" is nowhere.
func streamEntries(r upstash.Reply) (all []entry, next string, err error) {
	parts, err := r.Array()
	if err != nil {
		return nil, "", unexpected("XRANGE", err)
	}
	for _, part := range parts {
		pair, err := part.Array()
		if err != nil || len(pair) != 2 {
			return nil, "", unexpected("XRANGE", err)
		}
		id, err := pair[0].Text()
		if err != nil {
			return nil, "", unexpected("XRANGE", err)
		}
		words, err := pair[1].Strings()
		if err != nil {
			return nil, "", unexpected("XRANGE", err)
		}
		all = append(all, entry{name: id, words: words})
	}
	if len(all) == pageSize {
		next = "(" + all[len(all)-1].name
	}
	return all, next, nil
}

func sameStream(page []entry, r upstash.Reply) (bool, error) {
	found, _, err := streamEntries(r)
	return slices.EqualFunc(page, found, func(a, b entry) bool { return a.name == b.name && slices.Equal(a.words, b.words) }), err
}
