package board

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// A game may want every submission kept by itself, as soon as it is made. Each
// write then puts what was sent into a stream in the same transaction, from
// which a scheduled job takes it to the archive. A write that was sent twice is
// there twice; telling that apart is left to who makes boards of it again.

// Outbox is written behind submissions, and read by the job that takes them to the
// archive.
type Outbox struct{ DB *rdb.DB }

// post queues a record of submissions, if the game keeps one: 1 billed command,
// and 2 for the transaction.
func (o Outbox) post(p *rdb.Pipeline, writes ...*write) {
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

// postedPage is how many entries are read at once.
const postedPage = 1000

// Read reads the oldest entries of the outbox, and answers which they are.
// Entries that cannot be read are passed over with the others: they name a mode
// that the game has no more.
//
// Cost: 1 billed command.
func (o Outbox) Read(ctx context.Context) (list []game.Posted, entries []string, err error) {
	reply, err := o.DB.Redis.Do(ctx, upstash.Cmd("XRANGE", game.OutboxKey, "-", "+", "COUNT", rdb.Itoa(postedPage)))
	if err != nil {
		return nil, nil, rdb.Wrap("read the outbox", err)
	}
	return o.decode(reply)
}

// decode reads entries of the outbox.
func (o Outbox) decode(reply upstash.Reply) (list []game.Posted, entries []string, err error) {
	rows, err := reply.Array()
	if err != nil {
		return nil, nil, rdb.Wrap("read the outbox", err)
	}
	for _, row := range rows {
		id, text, err := postedEntry(row)
		if err != nil {
			return nil, nil, rdb.Wrap("read the outbox", err)
		}
		entries = append(entries, id)
		records, err := game.DecodePosted(text)
		if err != nil {
			return nil, nil, fmt.Errorf("read the outbox: entry %s: %w", id, err)
		}
		for i, record := range records {
			sub, stored, err := game.DecodeSubmission(o.DB.Game, record)
			if errors.Is(err, game.ErrNoMode) {
				continue
			}
			if err != nil {
				return nil, nil, fmt.Errorf("read the outbox: entry %s: %w", id, err)
			}
			own, err := postedID(id, i)
			if err != nil {
				return nil, nil, err
			}
			list = append(list, game.Posted{
				StreamID: own, Mode: sub.Mode.Name, Date: sub.Date, Player: sub.Player, Stored: stored,
				Scopes: sub.Scopes, Details: sub.Details, At: sub.At, Once: sub.Idempotency.ID,
				By: sub.By, Queued: sub.Queued,
			})
		}
	}
	return list, entries, nil
}

func postedEntry(row upstash.Reply) (id, text string, err error) {
	parts, err := row.Array()
	if err != nil {
		return "", "", err
	}
	if len(parts) != 2 {
		return "", "", rdb.WrongShape("an id and its fields", len(parts))
	}
	if id, err = parts[0].Text(); err != nil {
		return "", "", err
	}
	fields, err := parts[1].Strings()
	if err != nil {
		return "", "", err
	}
	if len(fields) != 2 {
		return "", "", rdb.WrongShape("one field", len(fields))
	}
	return id, fields[1], nil
}

// postedID numbers the submissions of one entry: batches have up to a thousand.
func postedID(entry string, i int) (string, error) {
	ms, seq, _ := strings.Cut(entry, "-")
	n, err := strconv.ParseInt(seq, 10, 64)
	if err != nil {
		return "", fmt.Errorf("read the outbox: %q is no id of an entry", entry)
	}
	return ms + "-" + rdb.Itoa(n*10_000+int64(i)), nil
}

// Drop takes entries out of the outbox that are kept elsewhere.
//
// Cost: 1 billed command.
func (o Outbox) Drop(ctx context.Context, entries []string) error {
	if len(entries) == 0 {
		return nil
	}
	_, err := o.DB.Redis.Do(ctx, upstash.Cmd(append([]string{"XDEL", game.OutboxKey}, entries...)...).Idempotent())
	return rdb.Wrap("take entries out of the outbox", err)
}
