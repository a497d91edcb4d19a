package board

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// newestEntries is how many entries of the outbox are read for a feed. Each is one
// submission, or a batch of them.
const newestEntries = 50

// Newest reads the latest submissions to a day's board that are in the outbox, newest first.
// Whole reports whether these are all that the outbox has of the board; if not, there may be
// older ones.
//
// Cost: 1 billed command.
func (o Outbox) Newest(ctx context.Context, b game.Board) (list []game.Posted, whole bool, err error) {
	var entries []rdb.StreamEntry
	if err := o.DB.Ask(ctx, upstash.Cmd("XREVRANGE", game.OutboxKey, "+", "-", "COUNT", rdb.Itoa(newestEntries)), rdb.StreamInto(&entries)); err != nil {
		return nil, false, rdb.Wrap("read the newest of the outbox", err)
	}
	all, err := o.decode(entries)
	for _, one := range all {
		if one.Mode == b.Mode.Name && one.Date == b.Period.First() {
			list = append(list, one)
		}
	}
	slices.SortStableFunc(list, func(a, b game.Posted) int { return b.At.Compare(a.At) })
	return list, len(entries) < newestEntries, err
}
