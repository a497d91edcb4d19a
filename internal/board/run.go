package board

import (
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Run is a part of a board that was read in one step, best first. The zero value means that
// nothing was read.
type Run struct {
	Entries []game.Entry
	reading
}

// reading is a run of positions to read.
type reading struct {
	first, last int64
	total       bool // whether to ask for the total if it is not fresh
	upwards     bool // positions count from the worst, and the run goes towards the best
	toEnd       bool // the run is meant to reach the board's end, and so to show the total
}

func (r reading) command(b game.Board) upstash.Command {
	if r.upwards {
		return rdb.RangeUpCommand(b, r.first, r.last)
	}
	return rdb.RangeCommand(b, r.first, r.last)
}

// end is the position at which a run ended, and whether the board ends there.
func (r reading) end(run []game.Entry) (end int64, toEnd bool) {
	end = r.first + int64(len(run))
	return end, end <= r.last && (len(run) > 0 || r.first == 0)
}

// bestFirst turns a run that was read upwards to the board's best into board order, and
// returns its positions in that order.
func (r reading) bestFirst(run []game.Entry) reading {
	if !r.upwards {
		return r
	}
	slices.Reverse(run)
	if r.first == 0 { // it is all of the board
		return reading{last: int64(len(run))}
	}
	return reading{last: int64(len(run)) - 1}
}

// apart copies a few entries of a run, so that keeping them keeps neither the whole run in
// memory nor the text that it was read from.
func apart(few []game.Entry) []game.Entry {
	few = slices.Clone(few)
	for i, e := range few {
		few[i].Player = strings.Clone(e.Player)
	}
	return few
}

// placeOf is the player's place in a run; not found if the run does not have the player.
func (r reading) placeOf(player string, run []game.Entry) rdb.Place {
	i := slices.IndexFunc(run, func(e game.Entry) bool { return e.Player == player })
	if i < 0 {
		return rdb.Place{}
	}
	return rdb.Place{Position: r.first + int64(i), Stored: run[i].Stored, Found: true}
}
