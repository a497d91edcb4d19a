// Package upstash is the client of Upstash Redis over REST: commands in,
// replies out, over net/http alone. It knows the wire format, which errors the
// database gives, what may be sent twice and what a command costs. It must not
// know keys, boards or scores: no other package builds a request to Redis, and
// this one builds no key.
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
// The first error is that of the call, res.Err the first of its commands. All
// are *Error; errors.Is(err, upstash.KindThrottled) and its like sort them.
//
// # Sending again
//
// A lost answer leaves open whether the command was applied. The client sends
// again by itself only what cannot do harm: calls whose every command reads
// or was declared Idempotent, calls that surely reached no connection, and
// calls the server refused as a whole because of their rate. Everything else
// comes back with MaybeApplied, for the caller to decide. The waits between
// attempts are random, doubling, and end with the deadline, which every call
// has.
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
// # Bytes and numbers
//
// Words travel as JSON strings, so they must be valid UTF-8; answers come as
// base64, so any bytes arrive unharmed. A server that ignores the request for
// base64 is refused, since its strings could not be told apart. Integers keep
// all 64 bits: no number passes through a float on its way.
package upstash
