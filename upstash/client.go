package upstash

import (
	"context"
	"strings"
)

// Do sends one command and waits for its answer: one round trip. Every
// failure is an *Error, that of the command itself too.
func (c *Client) Do(ctx context.Context, cmd Command) (Reply, error) {
	r := request{op: opDo, cmds: []Command{cmd}}
	reply, _, err := c.call(ctx, r)
	if err != nil && cmd.script != nil && unknownScript(err.Message) {
		maybe := err.maybeApplied
		r.source = true
		if reply, _, err = c.call(ctx, r); err != nil {
			err.maybeApplied = err.maybeApplied || maybe
		}
	}
	if err != nil {
		return Reply{}, err
	}
	return reply, nil
}

// Pipeline sends the commands in one round trip; they run in order, and
// others' commands may run between them. The error (an *Error) is that of the
// call as a whole; errors of single commands are in their replies, and
// Result.Err finds the first. No commands: no round trip, an empty Result.
//
// Commands that exceed MaxRequest together go out in several requests, one
// after the other, within one timeout. Where a later one fails, the Result
// beside the error holds the replies of those before it, which were carried
// out: the error then has MaybeApplied set.
func (c *Client) Pipeline(ctx context.Context, cmds ...Command) (Result, error) {
	if len(cmds) == 0 {
		return Result{}, nil
	}
	res := Result{Attempts: 1, op: opPipeline, cmds: cmds}
	replies, lost, err := c.inParts(ctx, request{op: opPipeline, cmds: cmds})
	res.Replies = replies
	if err != nil {
		return res.only(), err
	}
	res.Attempts += lost
	if err := c.resendScripts(ctx, &res); err != nil {
		return Result{}, err
	}
	return res, nil
}

// MultiExec sends the commands in one round trip as one atomic transaction.
// An error (an *Error) means that it was not carried out, unless MaybeApplied;
// a command that fails within leaves the others standing, and Result.Err
// finds it. No commands: no round trip, an empty Result. A transaction is never
// split: beyond MaxRequest it is refused with KindTooLarge.
func (c *Client) MultiExec(ctx context.Context, cmds ...Command) (Result, error) {
	if len(cmds) == 0 {
		return Result{}, nil
	}
	r := request{op: opMultiExec, cmds: cmds, source: true}
	if c.transport == nil {
		if _, err := r.split(c.maxRequest); err != nil {
			return Result{}, err
		}
	}
	reply, lost, err := c.call(ctx, r)
	if err != nil {
		return Result{}, err
	}
	return Result{Replies: reply.items, Attempts: 1 + lost, op: opMultiExec, cmds: cmds}, nil
}

// resendScripts sends what the database did not know the scripts for again,
// with their source, in one more round trip. Where every command from the
// first such item on may be repeated, all of them are sent, so that commands
// behind a script see its effect; otherwise the scripts alone.
func (c *Client) resendScripts(ctx context.Context, res *Result) error {
	var unknown []int
	for i, reply := range res.Replies {
		if res.cmds[i].script != nil && reply.kind == replyError && unknownScript(reply.text) {
			unknown = append(unknown, i)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	if first := unknown[0]; len(unknown) < len(res.cmds)-first && allSafe(res.cmds[first:]) {
		unknown = unknown[:0]
		for i := first; i < len(res.cmds); i++ {
			unknown = append(unknown, i)
		}
		res.Attempts++ // what stands behind the script has run before
	}
	again := make([]Command, len(unknown))
	for j, i := range unknown {
		again[j] = res.cmds[i]
	}
	replies, lost, err := c.inParts(ctx, request{op: opPipeline, cmds: again, source: true})
	if err != nil {
		if err.place > 0 {
			err.place = unknown[err.place-1] + 1
		}
		if len(again) < len(res.cmds) || res.Attempts > 1 {
			err.maybeApplied = true
		}
		err.safe = allSafe(res.cmds)
		return err
	}
	for j, i := range unknown {
		res.Replies[i] = replies[j]
	}
	res.Attempts += lost
	return nil
}

func unknownScript(message string) bool { return strings.HasPrefix(message, "NOSCRIPT") }
