package upstash

import "errors"

// Result is what a pipeline or transaction brought back.
type Result struct {
	// Replies are the answers in the order of the commands.
	Replies []Reply
	// Attempts is 1 when the answer is that of the only send; above 1, this
	// many less one earlier sends may have taken effect before it. Sends that
	// surely had none (never written, or refused whole) do not count.
	Attempts int

	op   op
	cmds []Command
}

// Err is the first error among the replies, as *Error, with its index, the
// command's name and key, and none of its other arguments; nil when every
// command succeeded.
func (r Result) Err() error {
	for i, reply := range r.Replies {
		err := reply.Err()
		if err == nil {
			continue
		}
		var e *Error
		if errors.As(err, &e) && i < len(r.cmds) {
			e.Op = itemName(r.op, i, r.cmds[i])
			e.safe = r.cmds[i].safe()
			e.maybeApplied = r.Attempts > 1 || partlyApplied(reply.text, r.cmds[i].runsCode())
		}
		return err
	}
	return nil
}
