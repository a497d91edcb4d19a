// Package limit decides which callers have asked too often. It knows rates, pauses and callers.
// Every process counts each caller itself, and asks Redis only if the answer could change the
// decision. A refusal costs nothing.
//
// # What holds
//
// Under a rule of N requests in a window W, one process lets at most N requests of a caller
// pass in any W. It counts exactly to W/32, and never too low. P processes together let at most
//
//	N + P × (N/4 + 1)
//
// pass, since each keeps at most N/4 + 1 requests to itself before it reports to Redis. A caller
// with up to N/4 requests in a window costs no command. Above that, every (N/4 + 1)th request
// costs one command, or two if it is the process's first question in a sixth of the window.
// Once the limit is reached, a process asks nothing until the count can have fallen.
//
// A process reports requests to Redis by its own clock. If clocks differ by d, the bound holds
// for windows of W − d, and a process whose clock is behind sees requests that were reported in
// the next sixth of the window up to d later.
//
// Limits by address are never shared: an attacker gets addresses for nothing, so an address
// must not cost a command. Their bound is P × N. Limits on writes by player and by signing key
// are shared, since these callers have been verified.
//
// # In commands
//
// A request of any class also counts in commands: before its first command as the most that it
// can cost, and afterwards as what it has cost. Commands count by player, those of strangers by
// address, in each process alone: telling Redis would cost commands, and the bound P × N is
// cheap. How many processes there are, the host bounds.
//
// Strangers also share a bucket in each process; those who ask seldom are served first. See
// [Limiter.Spend].
//
// # Without Redis
//
// While Redis does not answer, an open rule has the bound P × N.
//
// # What it keeps
//
// Each rule remembers the 8,192 callers seen last, with some hundred bytes each and at most two
// KiB. The 8,192 addresses of strangers seen last are remembered too. In Redis only verified
// callers with more than N/4 requests have keys; the command that creates a key sets its
// expiry.
//
// It must not know routes, HTTP statuses or boards.
package limit
