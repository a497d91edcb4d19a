package rdb

import (
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// RankCommand is the command that ranks a player in the board's order.
func RankCommand(b game.Board) string {
	if b.Mode.Order == game.Asc {
		return "ZRANK"
	}
	return "ZREVRANK"
}

// RangeCommand reads positions first to last (zero-based, best first, inclusive).
func RangeCommand(b game.Board, first, last int64) upstash.Command {
	if b.Mode.Order == game.Asc {
		return upstash.Cmd("ZRANGE", b.Key, Itoa(first), Itoa(last), "WITHSCORES")
	}
	return upstash.Cmd("ZRANGE", b.Key, Itoa(first), Itoa(last), "REV", "WITHSCORES")
}

// RangeUpCommand reads positions first to last counted from the worst, worst first.
func RangeUpCommand(b game.Board, first, last int64) upstash.Command {
	if b.Mode.Order == game.Asc {
		return upstash.Cmd("ZRANGE", b.Key, Itoa(first), Itoa(last), "REV", "WITHSCORES")
	}
	return upstash.Cmd("ZRANGE", b.Key, Itoa(first), Itoa(last), "WITHSCORES")
}

// AheadCommand counts the entries whose true score is better than s.
func AheadCommand(b game.Board, s game.Score) upstash.Command {
	if b.Mode.Order == game.Asc {
		return upstash.Cmd("ZCOUNT", b.Key, "-inf", "("+Itoa(int64(s)))
	}
	return upstash.Cmd("ZCOUNT", b.Key, Itoa(int64(s)+1), "+inf")
}

// FirstOf is the bound of a ZCOUNT at which a true score begins.
func FirstOf(b game.Board, s game.Score) string {
	if b.Mode.Name == game.DuelMode { // ratings are rounded, other scores cut off
		return game.FormatStored(float64(s) - 0.5)
	}
	return Itoa(int64(s))
}

// EntriesInto keeps the answer of ZRANGE … WITHSCORES, without ranks or names.
func EntriesInto(b game.Board, entries *[]game.Entry) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		var members []Member
		if err := MembersInto(&members)(r); err != nil {
			return err
		}
		read := make([]game.Entry, len(members))
		for i, m := range members {
			read[i] = game.Entry{Player: m.Player, Stored: m.Stored, Score: b.Mode.Decode(m.Stored)}
		}
		*entries = read
		return nil
	}
}
