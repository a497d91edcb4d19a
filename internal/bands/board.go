package bands

import (
	"cmp"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Board is what a board's bands have in common.
type Board struct {
	Key   string
	Order game.Order
	// First keeps a player's first score; else the best one is kept.
	First bool
	// Ends is when the board's keys expire; zero: never.
	Ends time.Time
}

// Entry is a player's stored score.
type Entry struct {
	Player string
	Stored float64
}

// Better reports whether a score comes before another in the board's order.
func (b Board) Better(s, than float64) bool {
	if b.Order == game.Asc {
		return s < than
	}
	return s > than
}

// reaches reports whether a score is at least as good as the edge of a band.
func (b Board) reaches(s, edge float64) bool { return !b.Better(edge, s) }

// replaces reports whether a score takes the place of the one that the player has.
func (b Board) replaces(s, current float64) bool { return !b.First && b.Better(s, current) }

// compare is the order of Redis: by score, and if scores are equal by player, both in the
// board's direction.
func (b Board) compare(a, c Entry) int {
	up := cmp.Or(cmp.Compare(a.Stored, c.Stored), strings.Compare(a.Player, c.Player))
	if b.Order == game.Asc {
		return up
	}
	return -up
}

// put is a conditional write of entries. It may be sent any number of times.
func (b Board) put(key string, entries ...Entry) upstash.Command {
	how := "GT"
	switch {
	case b.First:
		how = "NX"
	case b.Order == game.Asc:
		how = "LT"
	}
	args := make([]string, 0, 4+2*len(entries))
	args = append(args, "ZADD", key, how, "CH")
	for _, e := range entries {
		args = append(args, game.FormatStored(e.Stored), e.Player)
	}
	return upstash.Cmd(args...).Idempotent()
}

// rank reads a player's place in a band.
func (b Board) rank(key, player string) upstash.Command {
	command := "ZREVRANK"
	if b.Order == game.Asc {
		command = "ZRANK"
	}
	return upstash.Cmd(command, key, player, "WITHSCORE")
}

// positions reads a run of a band, best first.
func (b Board) positions(key string, first, last int64) upstash.Command {
	args := []string{"ZRANGE", key, redis.Itoa(first), redis.Itoa(last)}
	if b.Order != game.Asc {
		args = append(args, "REV")
	}
	return upstash.Cmd(append(args, "WITHSCORES")...)
}

// bounds are the worst and the best score of a band, as Redis takes a range; the worst may be
// nil.
func (b Board) bounds(from *float64) (low, high string) {
	low, high = "-inf", "+inf"
	switch {
	case from == nil:
	case b.Order == game.Asc:
		high = game.FormatStored(*from)
	default:
		low = game.FormatStored(*from)
	}
	return low, high
}

// count counts the players of a band. It leaves out entries below the band's worst score: they
// belong to another band.
func (b Board) count(band Band) upstash.Command {
	low, high := b.bounds(band.From)
	return upstash.Cmd("ZCOUNT", band.Key, low, high)
}

// ahead counts the entries of a band that are better than a score.
func (b Board) ahead(key string, stored float64) upstash.Command {
	score := "(" + game.FormatStored(stored)
	if b.Order == game.Asc {
		return upstash.Cmd("ZCOUNT", key, "-inf", score)
	}
	return upstash.Cmd("ZCOUNT", key, score, "+inf")
}

// take removes players from a band.
func take(key string, players ...string) upstash.Command {
	return upstash.Cmd(append([]string{"ZREM", key}, players...)...).Idempotent()
}

// entriesInto keeps the answer of ZRANGE … WITHSCORES.
func entriesInto(entries *[]Entry) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		var members []redis.Member
		if err := redis.MembersInto(&members)(r); err != nil {
			return err
		}
		*entries = make([]Entry, len(members))
		for i, m := range members {
			(*entries)[i] = Entry(m)
		}
		return nil
	}
}
