package costday_test

import (
	"github.com/framedle/leaderboards/lab/costday"
)

// askedOnce counts the commands that many requests of a process share: bans, names,
// totals, and those for a new board.
func askedOnce(c costday.Count) (n int64) {
	for _, name := range []string{"SMEMBERS", "HSCAN", "HMGET", "ZCARD", "EXPIRE", "HSETNX", "HSET"} {
		n += c.ByName[name]
	}
	return n
}
