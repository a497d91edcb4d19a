// Package upstash is the client of Upstash Redis over REST: commands in,
// replies out, over net/http alone. It knows the wire format, which errors the
// database gives, what may be sent twice and what a command costs. It must not
// know keys, boards or scores: no other package builds a request to Redis, and
// this one builds no key.
//
//	client, err := upstash.New(upstash.Config{URL: url, Token: token})
//
// Keep one Client for the life of the process: it is safe for concurrent use
// and reuses its connections.
//
// # Calls
//
// A call is one round trip. Do sends one command, Pipeline several at the
// price of one wait, MultiExec several as one atomic step:
//
//	res, err := client.Pipeline(ctx,
//		upstash.Cmd("ZADD", board, "NX", "800", player).Idempotent(),
//		upstash.Cmd("ZREVRANK", board, player, "WITHSCORE"),
//	)
//	if err == nil {
//		err = res.Err()
//	}
//
// The first error is that of the call, res.Err the first of its commands. A
// Script goes out by its digest and, where the database does not know it, by
// its source. A pipeline above MaxRequest is sent in parts; nothing else is
// ever split. Every call has a deadline, and a context that ends takes its
// request with it.
//
// # Errors
//
// All errors of calls are *Error:
//
//	var e *upstash.Error
//	if errors.As(err, &e) {
//		e.Kind()         // what went wrong, for what can be done about it
//		e.Index()        // which command of the call, from 0; -1: all of them
//		e.Command()      // its name
//		e.MaybeApplied() // may it have taken effect all the same?
//		e.SafeToRetry()  // can the same call do harm when made again?
//		e.RetryAfter()   // how long to wait before that
//	}
//
// errors.Is(err, upstash.KindThrottled) and its like ask for the kind alone.
// Commands of a pipeline fail one by one, Result.ErrOf tells of each.
//
// # Sending again
//
// A lost answer leaves open whether the command was applied. The client sends
// again by itself only what cannot do harm: calls whose every command reads
// or was declared Idempotent, calls that surely reached no connection, and
// calls the server refused as a whole because of their rate, or because it
// takes no writes for the moment. Everything else comes back with MaybeApplied,
// for the caller to decide. The waits between attempts are random, doubling,
// and end with the deadline.
//
// A connection can die without a word, above all while a serverless process is
// frozen. An attempt that may be repeated is given up after 1.2 s of silence,
// its connection and all idle ones are closed, and the next makes a new one.
// Every other call waits until its own timeout, 5 s.
//
// A database that is down, or has its month's commands used up, is not asked
// over and over: see Breaker. Calls then fail at once with ErrCircuitOpen, and
// one now and then finds out whether it is back.
//
// # What it costs
//
// Upstash bills commands. Client.Meter counts what the client sent, WithMeter
// what one context sent: a request's budget is asserted by putting a Meter
// around its handler. Usage documents how each thing is counted.
//
// # Reading own writes
//
// Reads may be stale unless they carry the token of the write before them.
// WithSync gives one caller's context a memory for it. One Sync for each
// player's request; never one for all, or everybody waits for everybody.
//
// # Listening
//
// Client.Subscribe and Client.PSubscribe loop over messages as they are
// published, and over the news of the connection itself:
//
//	for event, err := range client.Subscribe(ctx, "scores") {
//		switch {
//		case err != nil: // refused, or the context has ended; the last turn
//		case event.Kind == upstash.EventSubscribed: // read the state anew
//		case event.Kind == upstash.EventMessage: // event.Message
//		}
//	}
//
// A connection that breaks is made again; what was published meanwhile is lost.
// Subscribe says exactly what can be missed.
//
// # Bytes and numbers
//
// Words travel as JSON strings, so they must be valid UTF-8; answers come as
// base64, so any bytes arrive unharmed. A server that ignores the request for
// base64 is refused, since its strings could not be told apart. Where every word of
// a database is valid UTF-8, Config.TextAnswers saves a quarter of the bytes. Integers keep
// all 64 bits: no number passes through a float on its way, and becomes one
// only where Reply.Float64 asks for it.
//
// # Plain Redis
//
// With Config.Transport the same client talks to any other Redis; package
// redistransport does so over the Redis protocol. For tests and for
// development without an account, package upstashtest is a server of this
// protocol.
package upstash
