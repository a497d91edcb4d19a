package notices

import "github.com/framedle/leaderboards/internal/rdb"

// Keys are those that this process has seen to since it knows its Redis: their
// expiry, and their place on the index of days. Whoever finds that Redis is another
// one sees to them anew. It is safe for concurrent use.
type Keys struct {
	db      *rdb.DB
	notices *Notices
	epoch   *epoch
}
