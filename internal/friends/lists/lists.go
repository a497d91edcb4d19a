// Package lists is the copy of every player's friends and blocks in Redis, from
// which boards and duels read them: 1 command, and no database.
//
// It knows Redis keys and records. It must not know SQL or HTTP, nor how
// friendships come about.
package lists

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// remember bounds the lists that a process holds: 500 ids of 32 characters are
// 16 KB, so 8 MB at the very most.
const remember = 512

// Lists is safe for concurrent use.
type Lists struct {
	redis *upstash.Client
	known *lru.Cache[string, known]
}

// known is a record as it was read last. It never decides an answer: each read
// holds it against Redis.
type known struct {
	record  string
	players []string // the player among them
}

// New reads and writes lists in a Redis.
func New(redis *upstash.Client) *Lists {
	remembered, _ := lru.New[string, known](remember) // fails for sizes below one only
	return &Lists{redis, remembered}
}

// Of is a player and the player's friends, to be looked up on a board. The list
// is read in the same round trip as the scores.
func (l *Lists) Of(player string) board.List {
	was, _ := l.known.Get(player)
	return board.List{
		Ask: upstash.Cmd("HGET", game.FriendsKey, player),
		Read: func(r upstash.Reply) ([]string, error) {
			record := ""
			if !r.IsNil() {
				var err error
				if record, err = r.Text(); err != nil {
					return nil, err
				}
			}
			if was.players != nil && record == was.record {
				return was.players, nil
			}
			record = strings.Clone(record) // not the answer that it came in
			_, ids, err := parse(record)
			if err != nil {
				return nil, fmt.Errorf("read the friends of %s: %w", player, err)
			}
			players := append([]string{player}, ids...)
			l.known.Add(player, known{record, players})
			return players, nil
		},
		Remembered: was.players,
	}
}

// Read reads a player and the player's friends.
//
// Cost: 1 billed command.
func (l *Lists) Read(ctx context.Context, player string) ([]string, error) {
	list := l.Of(player)
	reply, err := l.redis.Do(ctx, list.Ask)
	if err != nil {
		return nil, fmt.Errorf("read the friends of %s: %w", player, err)
	}
	return list.Read(reply)
}

// MayMeet returns friends.ErrBlocked where one of two players blocks the other.
//
// Cost: 1 billed command.
func (l *Lists) MayMeet(ctx context.Context, a, b string) error {
	reply, err := l.redis.Do(ctx, upstash.Cmd("HMGET", game.BlocksKey, a, b))
	if err != nil {
		return fmt.Errorf("read who blocks whom: %w", err)
	}
	records, err := reply.Array()
	if err == nil && len(records) != 2 {
		err = fmt.Errorf("redis answered %d records where 2 were due", len(records))
	}
	for i, other := range []string{b, a} {
		if err != nil {
			break
		}
		if records[i].IsNil() {
			continue
		}
		var record string
		if record, err = records[i].Text(); err != nil {
			break
		}
		var blocked []string
		if _, blocked, err = parse(record); err == nil && slices.Contains(blocked, other) {
			return friends.ErrBlocked
		}
	}
	if err != nil {
		return fmt.Errorf("read who blocks whom: %w", err)
	}
	return nil
}

// record is a version and ids, none of which can have a space.
func record(version int64, ids []string) string {
	return strings.Join(append([]string{strconv.FormatInt(version, 10)}, ids...), " ")
}

// parse is the inverse of record. No record is the list of nobody.
func parse(record string) (version int64, ids []string, err error) {
	if record == "" {
		return 0, nil, nil
	}
	text, rest, more := strings.Cut(record, " ")
	version, err = strconv.ParseInt(text, 10, 64)
	if err != nil || version < 0 || text != strconv.FormatInt(version, 10) {
		return 0, nil, fmt.Errorf("%.20q is not the version of a list", text)
	}
	if !more {
		return version, nil, nil
	}
	ids = strings.Split(rest, " ")
	for _, id := range ids {
		if err := game.ValidPlayer(id); err != nil {
			return 0, nil, err
		}
	}
	return version, ids, nil
}
