package upstash

import (
	"context"
	"strings"
)

// Do sends one command and waits for its answer: one round trip. Every error is an *Error,
// also the error of the command itself.
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

// Pipeline sends the commands in one round trip. They run in order, and other clients'
// commands may run between them. The returned *Error is about the call as a whole; the errors
// of single commands are in their replies, and Result.Err returns the first. Without commands
// it makes no round trip and returns an empty Result.
//
// Commands that together exceed MaxRequest are sent in several requests, one after the other,
// within one timeout. If a later one fails, the Result beside the error has the replies of the
// earlier ones, which were carried out: MaybeApplied is then set.
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

// MultiExec sends the commands in one round trip as one atomic transaction. An error (an
// *Error) means that it was not carried out, unless MaybeApplied is set. If one command fails
// within the transaction, the others take effect, and Result.Err returns the failure. Without
// commands it makes no round trip and returns an empty Result. A transaction is never split:
// one that exceeds MaxRequest is refused with KindTooLarge.
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

// resendScripts sends, in one more round trip, the scripts that the database did not know,
// with their source. If every command from the first such script on may be repeated, it sends
// all of these, so that commands after a script see its effect; otherwise it sends the scripts
// only.
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
		res.Attempts++ // the commands after the script have run before
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
