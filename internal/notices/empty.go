package notices

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// emptyScript notes on the indexes which boards of days that were not rolled up are empty.
//
// KEYS: for each board the board and its index. ARGV: for each board the field of its day
// Answer: {calls}
var emptyScript = rdb.NewScript(`
local empty = {}
for i = 1, #ARGV do
  local index = KEYS[2 * i]
  if call('EXISTS', KEYS[2 * i - 1]) == 0 then
    empty[index] = empty[index] or {}
    table.insert(empty[index], ARGV[i])
  end
end
for index, fields in pairs(empty) do
  local put = {'HSET', index}
  for i, state in ipairs(call('HMGET', index, unpack(fields))) do
    if state == '` + DayOpen + `' then
      put[#put + 1], put[#put + 2] = fields[i], '` + DayEmpty + `'
    end
  end
  if #put > 2 then call(unpack(put)) end
end
return answer()
`)

// emptyBoards bounds how many boards one call of emptyScript looks at.
const emptyBoards = 1000

// NoteEmpty notes on the index which of some boards nobody is on any more. The caller has removed
// an entry of each, or has found it empty while it lived.
//
// Cost: 1 billed command; if some are empty, 1 more, 1 for each board, and 2 for each index that
// has an empty one.
func (k *Keys) NoteEmpty(ctx context.Context, keys []DayKey) error {
	for some := range slices.Chunk(keys, emptyBoards) {
		if err := k.noteEmpty(ctx, some); err != nil {
			return rdb.Wrap("note which boards are empty", err)
		}
	}
	return nil
}

func (k *Keys) noteEmpty(ctx context.Context, keys []DayKey) error {
	boards, both, fields := []string{"EXISTS"}, []string{}, []string{}
	for _, key := range keys {
		index, field := key.Index()
		boards, both, fields = append(boards, key.Key()), append(both, key.Key(), index), append(fields, field)
	}
	var there int64
	if err := k.db.Ask(ctx, upstash.Cmd(boards...), rdb.IntInto(&there)); err != nil || there == int64(len(keys)) {
		return err
	}
	_, err := k.db.Redis.Do(ctx, emptyScript.Command(both, fields...).Idempotent())
	return err
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
