package engine

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
)

// streamID orders the entries of a stream.
type streamID struct{ ms, seq uint64 }

var (
	firstID = streamID{}
	lastID  = streamID{math.MaxUint64, math.MaxUint64}
)

func (id streamID) String() string {
	return strconv.FormatUint(id.ms, 10) + "-" + strconv.FormatUint(id.seq, 10)
}

func (id streamID) compare(other streamID) int {
	return cmp.Or(cmp.Compare(id.ms, other.ms), cmp.Compare(id.seq, other.seq))
}

func (id streamID) less(other streamID) bool { return id.compare(other) < 0 }

// next is the least ID above id; ok is false if none exists.
func (id streamID) next() (after streamID, ok bool) {
	if id.seq < math.MaxUint64 {
		return streamID{id.ms, id.seq + 1}, true
	}
	return streamID{id.ms + 1, 0}, id.ms < math.MaxUint64
}

func (id streamID) previous() (before streamID, ok bool) {
	if id.seq > 0 {
		return streamID{id.ms, id.seq - 1}, true
	}
	return streamID{id.ms - 1, math.MaxUint64}, id.ms > 0
}

const errStreamID = "ERR Invalid stream ID specified as stream command argument"

// parseStreamID reads ms-seq, or ms alone with the given seq.
func parseStreamID(text string, seq uint64) (id streamID, ok bool) {
	ms, rest, full := strings.Cut(text, "-")
	id.seq = seq
	var err1, err2 error
	id.ms, err1 = strconv.ParseUint(ms, 10, 64)
	if full {
		id.seq, err2 = strconv.ParseUint(rest, 10, 64)
	}
	return id, err1 == nil && err2 == nil
}

// streamEntry is one entry; its fields alternate names and values.
type streamEntry struct {
	id     streamID
	node   int // number of the Redis node that would hold the entry
	fields []string
}

// stream is the value of a stream key. In miniredis the key holds a stream with one
// entry, which names the number of this one. So whatever happens to the key (DEL, RENAME,
// EXPIRE) also applies to the stream.
type stream struct {
	entries    []streamEntry // in order
	last       streamID      // highest ID ever added
	maxDeleted streamID
	added      int64 // entries ever added
	node       int   // number of the node that is being filled
	filled     int   // entries ever put into that node
}

// find returns the index at which id is, or would be inserted.
func (s *stream) find(id streamID) (at int, ok bool) {
	return slices.BinarySearchFunc(s.entries, id, func(e streamEntry, id streamID) int { return e.id.compare(id) })
}

// between are the entries from first to last, both included.
func (s *stream) between(first, last streamID) []streamEntry {
	from, _ := s.find(first)
	to, ok := s.find(last)
	to += boolInt(ok)
	if from >= to {
		return nil
	}
	return s.entries[from:to]
}

// add appends an entry.
func (s *stream) add(id streamID, fields []string) {
	if n := len(s.entries); s.filled >= nodeEntries || n == 0 || s.entries[n-1].node != s.node {
		s.node, s.filled = s.node+1, 0
	}
	s.filled++
	s.entries = append(s.entries, streamEntry{id, s.node, slices.Clone(fields)})
	s.last = id
	s.added++
}

func (s *stream) delete(id streamID) bool {
	at, ok := s.find(id)
	if !ok {
		return false
	}
	s.entries = slices.Delete(s.entries, at, at+1)
	if s.maxDeleted.less(id) {
		s.maxDeleted = id
	}
	return true
}

func (s *stream) clone() *stream {
	c := *s
	c.entries = slices.Clone(s.entries)
	return &c
}

// stream finds the stream at key, nil if there is no key.
func (e *Redis) stream(key string) (s *stream, problem string) {
	switch e.mini.Type(key) {
	case "":
		return nil, ""
	case "stream":
		entries, err := e.mini.Stream(key)
		if err == nil && len(entries) == 1 && len(entries[0].Values) == 2 {
			return e.streams[entries[0].Values[1]], ""
		}
	}
	return nil, errWrongType
}

// newStream stores s at key.
func (e *Redis) newStream(key string, s *stream) *stream {
	e.sweepStreams()
	e.streamCount++
	number := strconv.Itoa(e.streamCount)
	if _, err := e.mini.XAdd(key, "1-1", []string{"stream", number}); err == nil {
		e.streams[number] = s
	}
	return s
}

// sweepStreams forgets streams whose keys no longer exist. It runs each time the number
// of streams has doubled.
func (e *Redis) sweepStreams() {
	if len(e.streams) < e.streamsKept {
		return
	}
	live := map[string]*stream{}
	for _, key := range e.mini.Keys() {
		if e.mini.Type(key) != "stream" {
			continue
		}
		if entries, err := e.mini.Stream(key); err == nil && len(entries) == 1 {
			live[entries[0].Values[1]] = e.streams[entries[0].Values[1]]
		}
	}
	e.streams = live
	e.streamsKept = max(minStreamsKept, 2*len(live))
}

// minStreamsKept is how many streams there may be before the first sweep.
const minStreamsKept = 64

// copyStream makes the copy of a stream independent of the original.
func (e *Redis) copyStream(p *server.Peer, key string) {
	s, problem := e.stream(key)
	if s == nil || problem != "" {
		return
	}
	left := e.mini.TTL(key)
	e.ask(p, "DEL", key)
	e.newStream(key, s.clone())
	if left > 0 {
		e.mini.SetTTL(key, left)
	}
}

// shown is an entry in the form that replies have.
func shown(entry streamEntry) any { return []any{entry.id.String(), entry.fields} }

func shownAll(entries []streamEntry) []any {
	list := make([]any, len(entries))
	for i, entry := range entries {
		list[i] = shown(entry)
	}
	return list
}
