package notices

import (
	"context"

	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// emptyScript notes on the index that a board of a day that was not rolled up is empty.
//
// KEYS: board, index. ARGV: field of the day
// Answer: {calls}
var emptyScript = rdb.NewScript(`
if call('EXISTS', KEYS[1]) == 0 and call('HGET', KEYS[2], ARGV[1]) == '` + DayOpen + `' then
  call('HSET', KEYS[2], ARGV[1], '` + DayEmpty + `')
end
return answer()
`)

// NoteEmpty notes on the index which of some boards nobody is on any more. The caller has removed
// an entry of each, or has found it empty while it lived.
//
// Cost: 1 billed command; if some are empty, up to 4 more for each board.
func (k *Keys) NoteEmpty(ctx context.Context, keys []DayKey) error {
	if len(keys) == 0 {
		return nil
	}
	command := []string{"EXISTS"}
	for _, key := range keys {
		command = append(command, key.Key())
	}
	var there int64
	if err := k.db.Ask(ctx, upstash.Cmd(command...), rdb.IntInto(&there)); err != nil || there == int64(len(keys)) {
		return rdb.Wrap("look for empty boards", err)
	}
	var p rdb.Pipeline
	for _, key := range keys {
		index, field := key.Index()
		p.Add(emptyScript.Command([]string{key.Key(), index}, field).Idempotent(), nil)
	}
	_, err := p.Run(ctx, k.db.Redis)
	return rdb.Wrap("note which boards are empty", err)
}

// NoteFilled notes that a board has entries again. Whatever the index says of the day, the entries
// of the board are not rolled up: it was empty before.
//
// Cost: 1 billed command.
func (k *Keys) NoteFilled(ctx context.Context, key DayKey) error {
	_, err := k.db.Redis.Do(ctx, key.filled())
	return rdb.Wrap("note that a board has entries again", err)
}

func (k DayKey) filled() upstash.Command {
	index, field := k.Index()
	return upstash.Cmd("HSET", index, field, DayOpen).Idempotent()
}
