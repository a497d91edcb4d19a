package upstash

// Result is the result of a pipeline or transaction.
type Result struct {
	// Replies are the answers in the order of the commands. Beside an error of the call they
	// are the answers to the first commands, which were carried out before it failed: see
	// Client.Pipeline.
	Replies []Reply
	// Attempts is 1 if the answer is that of the only attempt. Above 1, Attempts-1 earlier
	// attempts may have taken effect before it. Attempts that surely had no effect (never
	// written, or refused as a whole) do not count.
	Attempts int

	op   op
	cmds []Command
}

// only returns the Result of the commands that have a reply.
func (r Result) only() Result {
	if len(r.Replies) == 0 {
		return Result{}
	}
	return r
}

// Err returns the first error among the replies, as *Error, with its index, the command's name
// and key, and none of its other arguments; nil if every command succeeded.
func (r Result) Err() error {
	for i := range r.Replies {
		if err := r.ErrOf(i); err != nil {
			return err
		}
	}
	return nil
}

// ErrOf is Err for the command at one index, among those that have a reply: nil if it
// succeeded. Commands fail one by one: some may be throttled or out of quota while others were
// carried out.
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
