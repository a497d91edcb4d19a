package redis

import (
	"strconv"
	"time"

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

// AheadCommand counts the entries whose true score is better than s.
func AheadCommand(b game.Board, s game.Score) upstash.Command {
	if b.Mode.Order == game.Asc {
		return upstash.Cmd("ZCOUNT", b.Key, "-inf", "("+Itoa(int64(s)))
	}
	return upstash.Cmd("ZCOUNT", b.Key, Itoa(int64(s)+1), "+inf")
}

// BetterCommand counts the entries that are better than one that is stored so.
func BetterCommand(b game.Board, stored float64) upstash.Command {
	if b.Mode.Order == game.Asc {
		return upstash.Cmd("ZCOUNT", b.Key, "-inf", "("+game.FormatStored(stored))
	}
	return upstash.Cmd("ZCOUNT", b.Key, "("+game.FormatStored(stored), "+inf")
}

// FirstOf is the bound of a ZCOUNT at which a true score begins.
func FirstOf(b game.Board, s game.Score) string {
	if b.Mode.Name == game.DuelMode { // ratings are rounded, other scores cut off
		return game.FormatStored(float64(s) - 0.5)
	}
	return Itoa(int64(s))
}

// ScoresOf reads the scores of players on a board.
func ScoresOf(key string, members []Member) upstash.Command {
	args := make([]string, 0, len(members)+2)
	args = append(args, "ZMSCORE", key)
	for _, m := range members {
		args = append(args, m.Player)
	}
	return upstash.Cmd(args...)
}

func Itoa(n int64) string { return strconv.FormatInt(n, 10) }

// Millis returns a moment in Unix milliseconds.
func Millis(t time.Time) string { return Itoa(t.UnixMilli()) }

// Seconds returns a duration in whole seconds.
func Seconds(d time.Duration) string { return Itoa(int64(d / time.Second)) }
