package board

import (
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// rankCommand is the board's reading direction, as Redis spells it.
func rankCommand(b Board) string {
	if b.Mode.Order == game.Asc {
		return "ZRANK"
	}
	return "ZREVRANK"
}

// rangeCommand reads positions first to last (zero-based, best first, inclusive).
func rangeCommand(b Board, first, last int64) upstash.Command {
	if b.Mode.Order == game.Asc {
		return upstash.Cmd("ZRANGE", b.Key, itoa(first), itoa(last), "WITHSCORES")
	}
	return upstash.Cmd("ZRANGE", b.Key, itoa(first), itoa(last), "REV", "WITHSCORES")
}

// aheadCommand counts the entries whose true score is better than s.
func aheadCommand(b Board, s game.Score) upstash.Command {
	if b.Mode.Order == game.Asc {
		return upstash.Cmd("ZCOUNT", b.Key, "-inf", "("+itoa(int64(s)))
	}
	return upstash.Cmd("ZCOUNT", b.Key, itoa(int64(s)+1), "+inf")
}

// entriesInto keeps the answer of ZRANGE … WITHSCORES, without ranks or names.
func entriesInto(b Board, entries *[]Entry) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		var members []member
		if err := membersInto(&members)(r); err != nil {
			return err
		}
		read := make([]Entry, len(members))
		for i, m := range members {
			read[i] = Entry{Player: m.player, stored: m.stored, Score: b.Mode.Decode(m.stored)}
		}
		*entries = read
		return nil
	}
}
