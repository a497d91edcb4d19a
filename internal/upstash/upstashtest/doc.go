// Package upstashtest is a local server that speaks the Upstash Redis REST
// protocol, for tests and for development without an account.
//
// It translates HTTP and JSON to the Redis protocol and back, for an engine
// behind it: an embedded one (miniredis) or any Redis-compatible address. It
// knows the wire formats on both sides, how to fail on request (see
// [Server.Inject]), and where the embedded engine differs from a real one. It
// knows nothing of the product: no key name, no score, no budget.
package upstashtest
