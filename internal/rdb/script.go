package rdb

import "github.com/framedle/leaderboards/upstash"

// counting begins every script. It counts what a script asks Redis by call, and puts that
// count, which is what Upstash bills, first in what the script answers by answer.
const counting = `
local calls = 0
local function call(...)
  calls = calls + 1
  return redis.call(...)
end
local function answer(...)
  return {calls, ...}
end
`

// NewScript is a script in Lua that counts what it asks of Redis:
//
//	local stands = call('ZSCORE', KEYS[1], ARGV[1])
//	return answer(stands or '')
//
// Its answer is {calls, what was answered…}. As everywhere in Redis, the answer ends
// before the first nil. A script whose answer is a long list puts calls in front of it
// and answers with that, since Lua passes some 8,000 values at the most.
func NewScript(source string) *upstash.Script { return upstash.NewScript(counting+source, firstInt) }

// firstInt is how many calls an answer says the script made, 0 where it does not say.
func firstInt(r upstash.Reply) int {
	values, err := r.Array()
	if err != nil || len(values) == 0 {
		return 0
	}
	n, err := values[0].Int64()
	if err != nil {
		return 0
	}
	return int(n)
}
