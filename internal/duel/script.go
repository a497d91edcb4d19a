package duel

import (
	"fmt"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// header begins every script: the fields, how to read and change them, and what
// is answered: {calls, verdict, fields…}.
const header = `
local names = {'state', 'a', 'b', 'mode', 'at', 'until', 'k', 'said_a', 'said_b', 'outcome', 'by',
  'before_a', 'after_a', 'rank_a', 'before_b', 'after_b', 'rank_b', 'decided',
  'points_a', 'xp_a', 'points_b', 'xp_b'}
local f = redis.call('HMGET', KEYS[1], unpack(names))
local calls, changes = 1, {'HSET', KEYS[1]}
for i = 1, #names do f[i] = f[i] or '' end
local function set(i, value)
  f[i] = value
  changes[#changes + 1] = names[i]
  changes[#changes + 1] = value
end
local function call(...)
  calls = calls + 1
  return redis.call(...)
end
local function answer(verdict)
  if #changes > 2 then call(unpack(changes)) end
  return {calls, verdict, unpack(f)}
end
`

// stake is for scripts that make a duel ready: it counts for both players and
// sets what is at stake. Its keys and arguments are those of [Store.stake].
const stake = `
local function stake(played, usual, duels, provisional)
  if tonumber(duels) == 0 then
    set(7, usual)
    return
  end
  local counts = call('HMGET', played, f[2], f[3])
  local k = 0
  for i = 1, 2 do
    local n = tonumber(counts[i] or 0)
    k = k + tonumber(n < tonumber(duels) and provisional or usual) / 2
    counts[i] = string.format('%.0f', n + 1)
  end
  call('HSET', played, f[2], counts[1], f[3], counts[2])
  set(7, string.format('%.17g', k))
end
`

// stake are the last arguments of a script that makes a duel ready.
func (s *Store) stake() []string {
	return []string{
		game.FormatStored(s.rules.K), strconv.Itoa(s.rules.Provisional.Duels), game.FormatStored(s.rules.Provisional.K),
	}
}

// innerCalls is what a script of this package says it has cost.
func innerCalls(r upstash.Reply) int {
	items, err := r.Array()
	if err != nil || len(items) == 0 {
		return 0
	}
	n, err := items[0].Int64()
	if err != nil {
		return 0
	}
	return int(n)
}

// answered reads a script's verdict and the duel as it is now.
func answered(id string, r upstash.Reply) (verdict string, d game.Duel, err error) {
	texts, err := r.Strings()
	if err != nil {
		return "", d, err
	}
	if len(texts) != 2+len(fields) {
		return "", d, fmt.Errorf("a script answered %d values, not %d", len(texts), 2+len(fields))
	}
	if texts[2] == "" {
		return texts[1], d, nil
	}
	d, err = parse(id, texts[2:])
	return texts[1], d, err
}
