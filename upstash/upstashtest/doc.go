// Package upstashtest is a local server that speaks the Upstash Redis REST protocol, for
// tests and for development without an account. Clients made for Upstash, @upstash/redis
// among them, work with it unchanged.
//
// One line starts the server inside a test; the server stops when the test ends:
//
//	s := upstashtest.Start(t, upstashtest.Options{})
//	client := newClient(s.URL(), s.Token())
//
// The engine is either the embedded one or any Redis or Valkey at [Options.Redis]. The
// embedded engine is miniredis with Lua and streams of its own, corrected where miniredis
// differs from Redis on common commands.
//
// # What it serves
//
//   - commands as a JSON array in the body of /, or in the path, with arguments in body
//     and query;
//   - many commands at /pipeline, and atomically at /multi-exec;
//   - answers in JSON, in JSON with base64 strings, or as RESP2;
//   - /subscribe, /psubscribe and /monitor as streams of server-sent events;
//   - standard and read-only tokens, in the header or as _token.
//
// Numbers and bytes arrive exactly as they were sent. SCAN takes WITHTYPE, as in Upstash
// and nowhere else. Scripts may begin with #!lua flags=allow-key-locking. No other Redis
// knows this flag, so the server takes it out; keys that Upstash would refuse, since they
// are not in KEYS, are then not refused.
//
// # What a call costs, and where it ends
//
// [Server.Usage], GET /usage and the header of [Options.TellCost] tell what Upstash would
// bill. With [Options.Plan] the server refuses what goes beyond a plan, in Upstash's
// words; commands that come too fast wait instead, as they do there. Once a month's
// commands are used up every command fails, reads too, until [Server.ResetUsage] begins
// the next month.
//
// # What can go wrong
//
// [Server.Inject] chooses for each request whether it is late, lost before or after its
// effect, or answered with an error such as [Throttled]; POST /faults does the same for
// tests in other languages. [Server.Refuse] refuses connections. [Options.ReplicaLag]
// makes reads stale unless they carry the sync token.
//
// # What it does not do
//
// The server does not encrypt, does not limit bandwidth or total storage, does not evict,
// does not replicate between regions, and knows no ACL users and no tokens of theirs.
// MONITOR shows the commands that come through this server, not those that scripts call.
// If Upstash does not publish the text of an error, the text is our own.
//
// The package knows the wire formats on both sides and nothing of the product: no key
// name, no score, no budget.
package upstashtest
