package leaderboard

import (
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// A level's board of a day has what its players reached at that level, by the mode's
// policy: an entry that the day's board does not take may still be their best there.

// ownBoard is the board of a level on a day, and the writes to it, in order.
type ownBoard struct {
	key    string
	writes []*write
}

// ownBoards sorts writes of one day by the boards of levels that they go to.
func ownBoards(writes []*write) (boards []*ownBoard) {
	byKey := map[string]*ownBoard{}
	for _, w := range writes {
		for _, key := range w.own {
			if byKey[key] == nil {
				byKey[key] = &ownBoard{key: key}
				boards = append(boards, byKey[key])
			}
			byKey[key].writes = append(byKey[key].writes, w)
		}
	}
	return boards
}

// putOwn queues entries of one day for the boards of levels, by the mode's policy. It does so
// whatever this process knows of the day's board, which says nothing of a level's board. The
// commands may be sent again.
//
// Cost: 1 billed command for each board.
func putOwn(p *redis.Pipeline, writes ...*write) {
	for _, at := range ownBoards(writes) {
		pairs := make([]string, 0, 2*len(at.writes))
		for _, w := range at.writes {
			pairs = append(pairs, game.FormatStored(w.stored), w.Player)
		}
		p.Add(zadd(replacing(at.writes[0].Mode), at.key, pairs...), nil)
	}
}
