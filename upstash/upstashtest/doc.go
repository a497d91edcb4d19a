// Package upstashtest is a local server that speaks the Upstash Redis REST
// protocol, for tests and for development without an account. Clients made for
// Upstash, @upstash/redis among them, work with it unchanged.
//
// One line starts it inside a test; it ends with the test:
//
//	s := upstashtest.Start(t, upstashtest.Options{})
//	client := newClient(s.URL(), s.Token())
//
// The engine is an embedded one (miniredis with Lua and streams of its own, corrected where it differs from
// Redis on common commands), or any Redis or Valkey at [Options.Redis].
//
// # What it serves
//
// Commands as a JSON array in the body of /, in the path with arguments in body
// and query, many at /pipeline, atomically at /multi-exec; answers in JSON, with
// base64 strings, or as RESP2; /subscribe, /psubscribe and /monitor as streams
// of server-sent events; standard and read-only tokens, in the header or as
// _token. Numbers and bytes arrive exactly as they were sent. SCAN knows
// WITHTYPE, as Upstash alone does. Scripts may begin
// with #!lua flags=allow-key-locking; the line is taken out, since no other
// Redis knows it, and keys that it would have refused are not.
//
// # What a call costs, and where it ends
//
// [Server.Usage], GET /usage and the header of [Options.TellCost] tell what
// Upstash would bill. [Options.Plan] makes the server refuse what goes beyond a
// plan, in Upstash's words; commands that come too fast wait instead, as they
// do there. An exhausted month fails every command, reads too, until
// [Server.ResetUsage] begins the next.
//
// # What can go wrong
//
// [Server.Inject] chooses for each request whether it is late, lost before or
// after its effect, or answered with an error such as [Throttled]; POST /faults
// does the same for tests in other languages. [Server.Refuse] refuses
// connections. [Options.ReplicaLag] makes reads stale until the sync token is
// sent.
//
// # What it does not do
//
// It does not encrypt, limit bandwidth or storage as a whole, evict, replicate
// between regions, or know ACL users and their tokens. MONITOR shows what comes
// through this server and not what scripts call. Texts of errors that Upstash
// does not publish are our own.
//
// The package knows the wire formats on both sides and nothing of the product:
// no key name, no score, no budget.
package upstashtest
