package notices

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Keys remembers the keys of days for which this process has set the expiry and the place on
// the index. After a loss of Redis the process sets them again. It is safe for concurrent use.
type Keys struct {
	db      *rdb.DB
	notices *Notices
	epoch   *epoch
}

// DayKey is a key of a day. A process sets its expiry once and, if it is a board, its place on
// the index.
type DayKey struct {
	Mode    string
	Date    game.Date
	Scope   game.Scope
	Details bool
	Plays   bool // the accepted plays
}

func (k DayKey) Key() string {
	switch {
	case k.Details:
		return game.DetailsKey(k.Mode, k.Date)
	case k.Plays:
		return game.PlaysKey(k.Mode, k.Date)
	}
	return game.BoardKey(k.Mode, game.Day.Of(k.Date), k.Scope)
}

// indexed queues adding a board to the index of its days. was is called if it was there.
func (k DayKey) indexed(p *rdb.Pipeline, was func()) {
	if k.Details || k.Plays {
		return
	}
	index, field := k.Index()
	p.Add(upstash.Cmd("HSETNX", index, field, DayOpen).Idempotent(), func(r upstash.Reply) error {
		added, err := r.Int64()
		if err == nil && added == 0 {
			was()
		}
		return err
	})
}

// Index is the key and the field of the index at which a board's day is listed.
func (k DayKey) Index() (key, field string) {
	if k.Grouped() {
		return game.ScopedDaysKey(k.Mode), game.ScopedDay(k.Date, k.Scope)
	}
	return game.DaysKey(k.Mode), k.Date.String()
}

func (k DayKey) Grouped() bool { return k.Scope != (game.Scope{}) }

// NoExpiry is how TTL answers for a key that stays for ever.
const NoExpiry = -1

// There lists those of the keys that exist in Redis.
//
// Cost: 1 billed command if none exists, which is usual; otherwise 1 more for each key.
func (k *Keys) There(ctx context.Context, keys []DayKey) (there []DayKey, err error) {
	if len(keys) == 0 {
		return nil, nil
	}
	command := []string{"EXISTS"}
	for _, key := range keys {
		command = append(command, key.Key())
	}
	var n int64
	if err := k.db.Ask(ctx, upstash.Cmd(command...), rdb.IntInto(&n)); err != nil || n == 0 {
		return nil, rdb.Wrap("look for boards", err)
	}
	each, err := k.AskEach(ctx, "EXISTS", keys)
	for i, n := range each {
		if n > 0 {
			there = append(there, keys[i])
		}
	}
	return there, err
}

// AskEach sends a command for each key whose answer is a number.
func (k *Keys) AskEach(ctx context.Context, what string, keys []DayKey) ([]int64, error) {
	answers := make([]int64, len(keys))
	var p rdb.Pipeline
	for i, key := range keys {
		p.Add(upstash.Cmd(what, key.Key()), rdb.IntInto(&answers[i]))
	}
	_, err := p.Run(ctx, k.db.Redis)
	return answers, rdb.Wrap("look at boards", err)
}

// What the index says of a day.
const (
	DayOpen     = "0"
	DayRolledUp = "1"
	// DayEmpty is for a day that is not rolled up and whose last entry was removed. Redis deletes
	// an empty board, so nothing else shows that this board is neither lost nor expired with
	// entries on it.
	DayEmpty = "empty"
)
