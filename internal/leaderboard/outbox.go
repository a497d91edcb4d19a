package leaderboard

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// A game may want every submission kept by itself, as soon as it is made. Each write then adds
// what was sent to a stream, in the same transaction; a scheduled job takes it from there to
// the archive. A write that was sent twice is in the stream twice: the code that makes boards
// from it again has to notice that.

// Outbox is written behind submissions, and read by the job that takes them to the
// archive.
type Outbox struct{ DB *redis.DB }

// post queues a record of submissions, if the game keeps one: 1 billed command,
// and 2 for the transaction.
func (o Outbox) post(p *redis.Pipeline, writes ...*write) {
	if !o.DB.Game.Outbox {
		return
	}
	list := make([]game.Submission, 0, len(writes))
	for _, w := range writes {
		if !w.Posted {
			sub := w.Submission
			sub.Queued = w.queued
			list = append(list, sub)
		}
	}
	if len(list) == 0 {
		return
	}
	entry, err := game.EncodePosted(o.DB.Game, list)
	if err != nil {
		return // details have been checked to be JSON
	}
	p.Atomic = true
	p.Add(upstash.Cmd("XADD", game.OutboxKey, "*", "s", entry).Idempotent(), nil)
}

// Read reads the oldest entries of the outbox, and returns their ids in entries. The list
// leaves out submissions of a mode that the game no longer has; entries has their ids all the
// same.
//
// Cost: 1 billed command.
func (o Outbox) Read(ctx context.Context) (list []game.Posted, entries []string, err error) {
	read, err := o.DB.Oldest(ctx, game.OutboxKey)
	if err != nil {
		return nil, nil, redis.Wrap("read the outbox", err)
	}
	entries = make([]string, len(read))
	for i, entry := range read {
		entries[i] = entry.ID
	}
	list, err = o.decode(read)
	return list, entries, err
}

// decode reads the submissions in entries of the outbox. It leaves out those of modes that the
// game no longer has.
func (o Outbox) decode(entries []redis.StreamEntry) (list []game.Posted, err error) {
	for _, entry := range entries {
		records, err := game.DecodePosted(entry.Fields["s"])
		if err != nil {
			return nil, fmt.Errorf("read the outbox: entry %s: %w", entry.ID, err)
		}
		for i, record := range records {
			sub, stored, err := game.DecodeSubmission(o.DB.Game, record)
			if errors.Is(err, game.ErrNoMode) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("read the outbox: entry %s: %w", entry.ID, err)
			}
			own, err := postedID(entry.ID, i)
			if err != nil {
				return nil, err
			}
			list = append(list, game.Posted{
				StreamID: own, Mode: sub.Mode.Name, Date: sub.Date, Player: sub.Player, Stored: stored,
				Scopes: sub.Scopes, Details: sub.Details, At: sub.At, Once: sub.Idempotency.ID,
				By: sub.By, Queued: sub.Queued,
			})
		}
	}
	return list, nil
}

// postedID gives each submission of an entry an id of its own: a batch has up to a thousand.
func postedID(entry string, i int) (string, error) {
	ms, seq, _ := strings.Cut(entry, "-")
	n, err := strconv.ParseInt(seq, 10, 64)
	if err != nil {
		return "", fmt.Errorf("read the outbox: %q is no id of an entry", entry)
	}
	return ms + "-" + redis.Itoa(n*10_000+int64(i)), nil
}

// Drop deletes entries from the outbox, once they are kept elsewhere.
//
// Cost: 1 billed command.
func (o Outbox) Drop(ctx context.Context, entries []string) error {
	return redis.Wrap("take entries out of the outbox", o.DB.DropEntries(ctx, game.OutboxKey, entries))
}

// newestEntries is how many entries of the outbox are read for a feed. Each is one
// submission, or a batch of them.
const newestEntries = 50

// Newest reads the latest submissions to a day's board that are in the outbox, newest first.
// Whole reports whether these are all that the outbox has of the board; if not, there may be
// older ones.
//
// Cost: 1 billed command.
func (o Outbox) Newest(ctx context.Context, b game.Board) (list []game.Posted, whole bool, err error) {
	var entries []redis.StreamEntry
	if err := o.DB.Ask(ctx, upstash.Cmd("XREVRANGE", game.OutboxKey, "+", "-", "COUNT", redis.Itoa(newestEntries)), redis.StreamInto(&entries)); err != nil {
		return nil, false, redis.Wrap("read the newest of the outbox", err)
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
