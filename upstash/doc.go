// Package upstash is a client of Upstash Redis over REST, on net/http alone. It knows the wire
// format, the database's errors, what may be sent twice and what a command costs. It does not
// know keys, boards or scores: no other package builds a request to Redis, and this one builds
// no key.
//
//	client, err := upstash.New(upstash.Config{URL: url, Token: token})
//
// Keep one Client for the life of the process: it is safe for concurrent use and reuses its
// connections.
//
// # Calls
//
// A call is one round trip. Do sends one command, Pipeline several in one round trip,
// MultiExec several as one atomic step:
//
//	res, err := client.Pipeline(ctx,
//		upstash.Cmd("ZADD", board, "NX", "800", player).Idempotent(),
//		upstash.Cmd("ZREVRANK", board, player, "WITHSCORE"),
//	)
//	if err == nil {
//		err = res.Err()
//	}
//
// The first error is the call's, res.Err the first error of its commands. A Script is sent by
// its digest and, if the database does not know it, by its source. A pipeline above MaxRequest
// is sent in parts; nothing else is ever split. Every call has a deadline, and if the context
// ends, its request ends too.
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
// errors.Is(err, upstash.KindThrottled) asks for the kind only. The commands of a pipeline
// fail one by one; Result.ErrOf returns the error of each.
//
// # Sending again
//
// After a lost answer it is unknown whether the command was applied. The client repeats by
// itself only what can do no harm: calls whose every command reads or was declared Idempotent,
// calls that surely reached no connection, and calls that the server refused as a whole
// because of their rate or because it takes no writes for the moment. For everything else it
// returns an error with MaybeApplied, and the caller decides. The waits between attempts are
// random and doubling, and end with the deadline.
//
// A connection can die silently, above all while a serverless process is frozen. An attempt
// that may be repeated is given up after 1.2 s of silence: the client closes its connection
// and all idle ones, and the next attempt opens a new one. Every other call waits until its
// own timeout, 5 s.
//
// The client does not keep asking a database that is down, or whose commands for the month are
// used up: see Breaker. Calls then fail at once with ErrCircuitOpen, and now and then one goes
// through to find out whether the database is back.
//
// # What it costs
//
// Upstash bills commands. Client.Meter counts what the client sent, WithMeter what one context
// sent: put a Meter around a request's handler to check its budget. Usage documents how
// everything is counted.
//
// # Reading own writes
//
// Reads may be stale unless they carry the token of the write before them. WithSync gives a
// caller's context a memory for that token. Use one Sync for each player's request; never one
// for all, or everybody waits for everybody.
//
// # Listening
//
// Client.Subscribe and Client.PSubscribe loop over published messages, and over events of the
// connection itself:
//
//	for event, err := range client.Subscribe(ctx, "scores") {
//		switch {
//		case err != nil: // refused, or the context has ended; the last turn
//		case event.Kind == upstash.EventSubscribed: // read the state again
//		case event.Kind == upstash.EventMessage: // event.Message
//		}
//	}
//
// A connection that breaks is made again; what was published meanwhile is lost. Subscribe says
// exactly what can be missed.
//
// # Bytes and numbers
//
// Words travel as JSON strings, so they must be valid UTF-8. Answers come as base64, so any
// bytes arrive unchanged. A server that ignores the request for base64 is refused, since its
// strings could not be distinguished from base64. If every word of a database is valid UTF-8,
// Config.TextAnswers saves a quarter of the bytes. Integers keep all 64 bits: a number becomes
// a float only in Reply.Float64.
//
// # Plain Redis
//
// With Config.Transport the same client talks to any other Redis; package redistransport does
// so over the Redis protocol. Package upstashtest is a server of this protocol, for tests and
// for development without an account.
package upstash
