package bands

import (
	"cmp"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/lru"
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
