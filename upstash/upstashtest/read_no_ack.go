package upstashtest

import (
	"bytes"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// noAckScript replaces XREADGROUP … NOACK. With NOACK Redis creates a missing consumer
// and Upstash does not, so the script deletes the consumers that the command created.
// KEYS are the streams of which new entries are read, ARGV the group, the consumer, and
// the words of the command. Answer: the command's reply, and how many consumers the
// script deleted.
const noAckScript = `local function known(stream)
  local consumers = redis.pcall('XINFO', 'CONSUMERS', stream, ARGV[1])
  if consumers.err then return true end
  for _, consumer in ipairs(consumers) do
    if consumer[2] == ARGV[2] then return true end
  end
  return false
end
local new = {}
for _, stream in ipairs(KEYS) do
  if not known(stream) then new[#new + 1] = stream end
end
local reply = redis.pcall(unpack(ARGV, 3))
if reply and reply.err then return reply end
for _, stream in ipairs(new) do
  redis.call('XGROUP', 'DELCONSUMER', stream, ARGV[1], ARGV[2])
end
return {reply, #new}`

// readWithoutConsumer returns the stand-in for an XREADGROUP with NOACK. It returns nil
// for any other command, and for one that is malformed, so that the engine reports
// the error.
func readWithoutConsumer(args [][]byte) *standIn {
	var group, consumer []byte
	noAck := false
	for i := 1; i < len(args); i++ {
		switch {
		case is(args[i], "GROUP") && i+2 < len(args):
			group, consumer = args[i+1], args[i+2]
			i += 2
		case is(args[i], "COUNT"):
			i++
		case is(args[i], "NOACK"):
			noAck = true
		case is(args[i], "STREAMS"):
			streams := args[i+1:]
			if !noAck || consumer == nil || len(streams) == 0 || len(streams)%2 != 0 {
				return nil
			}
			return noAckStandIn(args, group, consumer, ofNewEntries(streams))
		default:
			return nil
		}
	}
	return nil
}

// ofNewEntries picks the streams that are read with the ID >. A read of the history
// creates a consumer in Upstash too.
func ofNewEntries(streams [][]byte) (keys [][]byte) {
	n := len(streams) / 2
	for i, id := range streams[n:] {
		if string(id) == ">" {
			keys = append(keys, streams[i])
		}
	}
	return keys
}

func noAckStandIn(args [][]byte, group, consumer []byte, streams [][]byte) *standIn {
	ran := map[string]int64{"eval": 1, "xinfo": int64(len(streams))}
	return &standIn{
		words: eval("EVAL", noAckScript, streams, append([][]byte{group, consumer}, args...)),
		answer: func(reply []byte) ([]byte, map[string]int64) {
			pair, ok := bytes.CutPrefix(reply, []byte("*2\r\n"))
			if !ok {
				return reply, ran // an error
			}
			at := bytes.LastIndex(pair, []byte("\r\n:")) // where the command's reply ends
			removed, _ := resp.Integer(string(bytes.TrimSuffix(pair[at+3:], []byte("\r\n"))))
			ran["xgroup"] = removed
			if pair = pair[:at+2]; string(pair) == "$-1\r\n" {
				pair = []byte("*-1\r\n") // Lua has one nil for both null replies
			}
			return pair, ran
		},
	}
}
