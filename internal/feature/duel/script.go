package duel

import (
	"fmt"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// header begins every script about one duel. It has the duel's fields by name, empty if
// absent; functions that change them; and a function answer that saves the changes first.
// That one replaces the answer that [redis.NewScript] gives to every script, and returns
// {calls, verdict, fields…}.
const header = `
local fields = {` + quotedNames + `}
local duel, changes = {}, {'HSET', KEYS[1]}
local stored = call('HMGET', KEYS[1], unpack(fields))
for i = 1, #fields do duel[fields[i]] = stored[i] or '' end
local function set(field, value)
  duel[field] = value
  changes[#changes + 1] = field
  changes[#changes + 1] = value
end
local function save()
  if #changes > 2 then call(unpack(changes)) end
  changes = {'HSET', KEYS[1]}
end
local function answer(verdict)
  save()
  local says = {calls, verdict}
  for i = 1, #fields do says[i + 2] = duel[fields[i]] end
  return says
end
`

// stake is for scripts that make a duel ready: it counts the duel for both players and sets
// what is at stake. Its arguments are the key of duels played and those of [stakeOf].
const stake = `
local function stake(played, usual, duels, provisional)
  if tonumber(duels) == 0 then
    set('k', usual)
    return
  end
  local counts = call('HMGET', played, duel.a, duel.b)
  local k = 0
  for i = 1, 2 do
    local n = tonumber(counts[i] or 0)
    k = k + tonumber(n < tonumber(duels) and provisional or usual) / 2
    counts[i] = string.format('%.0f', n + 1)
  end
  call('HSET', played, duel.a, counts[1], duel.b, counts[2])
  set('k', string.format('%.17g', k))
end
`

// stakeOf are the last arguments of a script that makes a duel ready.
func stakeOf(rules Rules) []string {
	return []string{
		game.FormatStored(rules.K), strconv.Itoa(rules.Provisional.Duels), game.FormatStored(rules.Provisional.K),
	}
}

// answer is the verdict of a script about one duel, and the duel after it; the zero Duel if
// there is no such duel.
type answer struct {
	verdict string
	duel    Duel
}

// answered reads the answer of a script that begins with header.
func answered(id string, r upstash.Reply) (a answer, err error) {
	texts, err := r.Strings()
	if err != nil {
		return a, err
	}
	if len(texts) < 2 {
		return a, fmt.Errorf("a script answered %d values", len(texts))
	}
	a.verdict = texts[1]
	h, err := hashOf(texts[2:])
	if err == nil && h.state != "" {
		a.duel, err = h.duel(id)
	}
	return a, err
}
