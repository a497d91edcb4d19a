// Package bands keeps a board that is too large for one record of Redis: as several sorted
// sets by score, its bands, which may lie in several databases.
//
// A band cannot say in which other band a player is. So beside its bands a board has homes:
// sorted sets of player and score. Each home has a share of the players, by a hash of the
// player. The score in a player's home is the player's score. The bands have the same scores in
// order, so that ranks can be read from them.
//
// Three things are true, whatever fails in between:
//
//   - A home only improves, by one conditional write. No score is lost or made worse by writes
//     that overtake each other, however many databases there are.
//   - A player is taken out of a band only after the home has a score that belongs elsewhere. The
//     home never goes back to the old score, so that is right for ever, whichever process does it
//     and however late.
//   - Anything else that a band has of a player was left there by a write that was cut off or
//     overtaken. [Bands.Settle] makes the bands agree with the home, from any state.
//
// decisions/0060 has the proof. The package knows keys, scores and databases. It must not know
// games, days, names or who is asking.
package bands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// ErrNoBands is returned for a board that is one sorted set.
var ErrNoBands = errors.New("the board has no bands")

// remembered is how many boards' layouts a process keeps.
const remembered = 256

// Settings are how a Bands works.
type Settings struct {
	Now     func() time.Time     // dates what other processes read
	Elapsed func() time.Duration // only moves forward
	// Fresh is how old a layout and the counts of bands may be; 0 means 10 s.
	Fresh time.Duration
	// Grace is how long a step of a change waits until every process knows of it:
	// Fresh and the longest that a request may take. 0 means 30 s.
	Grace time.Duration
}

// Bands keeps boards in bands. It is safe for concurrent use.
type Bands struct{ *views }

// New makes a Bands over some databases.
func New(dbs *Databases, set Settings) *Bands {
	set.Fresh = cmp.Or(set.Fresh, 10*time.Second)
	set.Grace = cmp.Or(set.Grace, 30*time.Second)
	boxes := lru.New[string, *box](remembered)
	return &Bands{&views{dbs: dbs, set: set, boxes: boxes}}
}

// Database is one Redis. Layouts contain its name, so the name must stay the same if its
// address changes.
type Database struct {
	Name  string
	Redis *upstash.Client
}

// Databases are those that bands lie in. The first one has a board before it gets bands, and
// has its layout.
type Databases struct {
	names  []string
	byName map[string]*upstash.Client
}

// NewDatabases refuses an empty list, databases without a name, and two of one name.
func NewDatabases(all ...Database) (*Databases, error) {
	if len(all) == 0 {
		return nil, errors.New("bands need one database at least")
	}
	d := &Databases{byName: map[string]*upstash.Client{}}
	for _, one := range all {
		if one.Name == "" || one.Redis == nil {
			return nil, errors.New("a database of bands needs a name and an address")
		}
		if d.byName[one.Name] != nil {
			return nil, fmt.Errorf("two databases of bands are called %q; each needs a name of its own", one.Name)
		}
		d.names = append(d.names, one.Name)
		d.byName[one.Name] = one.Redis
	}
	return d, nil
}

// All returns the databases by name; none of nil.
func (d *Databases) All() map[string]*upstash.Client {
	if d == nil {
		return nil
	}
	return maps.Clone(d.byName)
}

func (d *Databases) first() *upstash.Client { return d.byName[d.names[0]] }

func (d *Databases) named(name string) (*upstash.Client, error) {
	if redis := d.byName[name]; redis != nil {
		return redis, nil
	}
	return nil, fmt.Errorf("the layout names the database %q, which is none of %q: add its address", name, d.names)
}

// choose gives a key one of some databases, by the highest hash of name and key together: if a
// database is added, keys move to that one and to no other.
func choose(names []string, key string) (best string) {
	most := uint64(0)
	for _, name := range names {
		if h := hash64(name + "\x00" + key); best == "" || h > most {
			best, most = name, h
		}
	}
	return best
}

// hash64 is FNV-1a with the last steps of MurmurHash3: without these, names that differ only
// in their last letters would have hashes that differ little.
func hash64(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// wave collects commands to be sent together: one request to each database concerned, all at
// the same time. Commands to one database run in their order.
type wave struct {
	dbs    *Databases
	atomic bool // the commands to each database are one transaction
	names  []string
	asked  map[string]*redis.Pipeline
}

func (s *views) wave() *wave { return &wave{dbs: s.dbs, asked: map[string]*redis.Pipeline{}} }

func (w *wave) add(database string, c upstash.Command, take func(upstash.Reply) error) {
	p := w.asked[database]
	if p == nil {
		p = &redis.Pipeline{Atomic: w.atomic}
		w.asked[database] = p
		w.names = append(w.names, database)
	}
	p.Add(c, take)
}

// run sends everything and waits for all of it, even if some fails. It reports whether a
// request was sent more than once.
func (w *wave) run(ctx context.Context) (again bool, err error) {
	attempts, errs := make([]int, len(w.names)), make([]error, len(w.names))
	one := func(i int) {
		redis, err := w.dbs.named(w.names[i])
		if err == nil {
			attempts[i], err = w.asked[w.names[i]].Run(ctx, redis)
		}
		errs[i] = err
	}
	var others sync.WaitGroup
	for i := 1; i < len(w.names); i++ {
		others.Go(func() { one(i) })
	}
	if len(w.names) > 0 {
		one(0)
	}
	others.Wait()
	for _, n := range attempts {
		again = again || n > 1
	}
	return again, errors.Join(errs...)
}

// ask asks one database.
func (s *views) ask(ctx context.Context, database string, c upstash.Command, take func(upstash.Reply) error) error {
	w := s.wave()
	w.add(database, c, take)
	_, err := w.run(ctx)
	return err
}
