package upstash

// Result is what a pipeline or transaction brought back.
type Result struct {
	// Replies are the answers in the order of the commands. Beside an error of
	// the call they are those of the first commands, which were carried out
	// before it failed: see Client.Pipeline.
	Replies []Reply
	// Attempts is 1 when the answer is that of the only send; above 1, this
	// many less one earlier sends may have taken effect before it. Sends that
	// surely had none (never written, or refused whole) do not count.
	Attempts int

	op   op
	cmds []Command
}

// only is the Result of the commands that have a reply.
func (r Result) only() Result {
	if len(r.Replies) == 0 {
		return Result{}
	}
	return r
}

// Err is the first error among the replies, as *Error, with its index, the
// command's name and key, and none of its other arguments; nil when every
// command succeeded.
func (r Result) Err() error {
	for i := range r.Replies {
		if err := r.ErrOf(i); err != nil {
			return err
		}
	}
	return nil
}

// ErrOf is Err for the command of one index, of those that have a reply: nil
// when it succeeded. Commands fail one by one: some may be throttled or out of
// quota while others were carried out.
func (r Result) ErrOf(i int) error {
	reply := r.Replies[i]
	if reply.kind != replyError {
		return nil
	}
	e := itemError(reply.text)
	if i < len(r.cmds) {
		e.Op = itemName(r.op, i, r.cmds[i])
		e.place, e.command = i+1, r.cmds[i].name()
		e.safe = r.cmds[i].safe()
		e.maybeApplied = r.Attempts > 1 || partlyApplied(reply.text, r.cmds[i].runsCode())
	}
	return e
}
