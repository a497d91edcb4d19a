package bands

import (
	"errors"
	"fmt"

	"github.com/framedle/leaderboards/upstash"
)

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

func (d *Databases) first() string { return d.names[0] }

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
