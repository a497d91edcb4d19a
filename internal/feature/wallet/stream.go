package wallet

import (
	"context"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// Spends reads the spends that are not in the archive yet, oldest first, and the ids of their
// entries, for [Books.Drop].
//
// Cost: 1 billed command.
func (w Books) Spends(ctx context.Context) (all []game.Spend, entries []string, err error) {
	read, err := w.db.Oldest(ctx, SpendsKey)
	if err != nil {
		return nil, nil, redis.Wrap("read what was spent", err)
	}
	for _, entry := range read {
		s, err := spendOf(entry.Fields)
		if err != nil {
			return nil, nil, redis.Wrap("read what was spent", err)
		}
		entries, all = append(entries, entry.ID), append(all, s)
	}
	return all, entries, nil
}

// spendOf parses an entry.
func spendOf(of map[string]string) (s game.Spend, err error) {
	s = game.Spend{ID: of["id"], Player: of["player"], Currency: of["currency"], Item: of["item"]}
	if s.Amount, err = strconv.ParseInt(of["amount"], 10, 64); err != nil {
		return s, err
	}
	ms, err := strconv.ParseInt(of["at"], 10, 64)
	s.At = time.UnixMilli(ms).UTC()
	return s, err
}

// Drop deletes the entries of spends that the archive has. 1 billed command.
func (w Books) Drop(ctx context.Context, entries []string) error {
	return redis.Wrap("drop what was spent", w.db.DropEntries(ctx, SpendsKey, entries))
}
