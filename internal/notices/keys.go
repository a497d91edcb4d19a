package notices

import "github.com/framedle/leaderboards/internal/rdb"

// Keys remembers the keys of days for which this process has set the expiry and the place on
// the index. After a loss of Redis the process sets them again. It is safe for concurrent use.
type Keys struct {
	db      *rdb.DB
	notices *Notices
	epoch   *epoch
}
