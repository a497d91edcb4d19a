package upstash

import (
	"context"
	"fmt"
)

// longestEscape is the largest size of one byte in JSON; framing is what a word or command
// adds at most: quotes, a comma, brackets.
const (
	longestEscape = 6
	framing       = 8
)

// inParts sends a pipeline in as many requests as its length needs. lost is the number of
// attempts that may have taken effect without an answer. Beside an error, replies are those of
// the parts before the failed one.
func (c *Client) inParts(ctx context.Context, r request) (replies []Reply, lost int, failure *Error) {
	if c.transport != nil || r.surelyShort(c.maxRequest) {
		reply, lost, failure := c.call(ctx, r)
		return reply.items, lost, failure
	}
	parts, failure := r.split(c.maxRequest)
	if failure != nil {
		return nil, 0, failure
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeoutOf(ctx))
	defer cancel()
	from := 0
	for _, to := range parts {
		part := request{op: r.op, cmds: r.cmds[from:to], source: r.source}
		reply, again, failure := c.call(ctx, part)
		lost += again
		if failure != nil {
			if len(parts) > 1 {
				failure.Op = fmt.Sprintf("%s, from item %d on", r.describe(), from)
				failure.place, failure.command = 0, ""
				failure.maybeApplied = failure.maybeApplied || from > 0 || lost > 0
				failure.safe = r.safe()
			}
			return replies, lost, failure
		}
		if replies == nil {
			replies = reply.items
		} else {
			replies = append(replies, reply.items...)
		}
		from = to
	}
	return replies, lost, nil
}

// surelyShort reports, without looking at every byte, that the body is within the limit.
func (r request) surelyShort(limit int) bool {
	size := framing
	for i := range r.cmds {
		size += framing
		if s := r.cmds[i].script; s != nil {
			size += len("EVALSHA") + longestEscape*max(len(s.source), digestLength) + 2*framing
		}
		for _, arg := range r.cmds[i].args {
			size += longestEscape*len(arg) + framing
		}
	}
	return size <= limit
}

// split returns where to part the commands so that no body exceeds the limit: the index at
// which each part ends. Like encode, it refuses what cannot be sent; and a transaction that
// needs more than one part.
func (r request) split(limit int) (parts []int, failure *Error) {
	if r.op == opMultiExec && r.surelyShort(limit) {
		return []int{len(r.cmds)}, nil
	}
	var one []byte
	size := len("[")
	for i := range r.cmds {
		if one, failure = appendCommand(one[:0], r, i); failure != nil {
			return nil, failure
		}
		if len(one)+len("[]") > limit {
			return nil, r.refused(i, KindTooLarge, fmt.Sprintf("command has %d bytes as JSON, want at most %d here: send it alone or in parts", len(one), limit-len("[]")))
		}
		// Each command is followed by a comma or the closing bracket.
		if size+len(one)+1 > limit {
			parts = append(parts, i)
			size = len("[")
		}
		size += len(one) + 1
	}
	if r.op == opMultiExec && len(parts) > 0 {
		return nil, &Error{
			Op: r.describe(), kind: KindTooLarge,
			Message: fmt.Sprintf("transaction exceeds %d bytes as JSON and cannot be split: send less in one", limit),
		}
	}
	return append(parts, len(r.cmds)), nil
}
