package upstashtest

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/framedle/leaderboards/upstash/upstashtest/engine"
)

// maxKinds bounds the catalog, since names come from clients. All further names share one
// kind.
const maxKinds = 1024

// kind is what the server knows about all commands of one name, and how many of them it
// has seen.
type kind struct {
	name    string // lower case
	refused bool
	read    bool // changes nothing
	free    bool // not billed
	script  bool // runs code
	grows   bool // makes its first key larger
	blocks  bool // would block with the option BLOCK
	differs bool // Upstash takes or answers it differently from Redis

	billed atomic.Int64 // commands, without what scripts called
	sent   atomic.Int64 // commands given to the engine to run
}

// catalog finds the kind of a command. Safe for concurrent use.
type catalog struct {
	mu    sync.RWMutex
	kinds map[string]*kind
	other *kind
}

func newCatalog() *catalog {
	c := &catalog{kinds: map[string]*kind{}, other: &kind{name: "other"}}
	mark := func(names string, set func(*kind)) {
		for name := range strings.FieldsSeq(names) {
			k := c.kinds[name]
			if k == nil {
				k = &kind{name: name}
				c.kinds[name] = k
			}
			set(k)
		}
	}
	mark(refused, func(k *kind) { k.refused = true })
	mark(engine.Reads, func(k *kind) { k.read = true })
	mark(frees, func(k *kind) { k.free = true })
	mark(scripts, func(k *kind) { k.script = true })
	mark(grows, func(k *kind) { k.grows = true })
	mark(differs, func(k *kind) { k.differs = true })
	mark("xread xreadgroup", func(k *kind) { k.blocks = true })
	return c
}

func (c *catalog) kind(name []byte) *kind {
	var buf [32]byte
	lower := appendLower(buf[:0], name)
	c.mu.RLock()
	k := c.kinds[string(lower)]
	c.mu.RUnlock()
	if k == nil {
		k = c.add(string(lower))
	}
	return k
}

func (c *catalog) add(name string) *kind {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.kinds[name]; k != nil {
		return k
	}
	if len(c.kinds) >= maxKinds || len(name) > 64 {
		return c.other
	}
	k := &kind{name: name}
	c.kinds[name] = k
	return k
}

// each calls f with every kind, in no order.
func (c *catalog) each(f func(*kind)) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, k := range c.kinds {
		f(k)
	}
	f(c.other)
}
