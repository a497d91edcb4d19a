package redis

import "github.com/framedle/leaderboards/upstash"

// counting begins every script. Its function call counts the commands of the script, since
// Upstash bills each of them. Its function answer puts that number first in the answer.
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

// NewScript is a script in Lua that counts its commands:
//
//	local stands = call('ZSCORE', KEYS[1], ARGV[1])
//	return answer(stands or '')
//
// Its answer is {calls, what was answered…}. As with all scripts of Redis, the answer ends
// before the first nil. A script with a long list as its answer does not use the function
// answer, since Lua passes some 8,000 values at most; it inserts calls at the front of the list.
func NewScript(source string) *upstash.Script { return upstash.NewScript(counting+source, firstInt) }

// firstInt is how many calls the script made according to its answer; 0 if the answer does not
// say.
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
