// Package limit decides who has asked too often. It knows rates, pauses and callers. Every
// process counts each caller itself, and asks Redis only where the answer could change the
// decision. A refusal costs nothing.
//
// # What holds
//
// Under a rule of N requests in a window W, one process lets a caller have at
// most N in any W, counted exactly to W/32 and never too low. P processes
// together let the caller have at most
//
//	N + P × (N/4 + 1)
//
// since each keeps at most N/4 + 1 requests to itself before it tells Redis of them. A caller
// who stays at or below N/4 requests in a window costs no command. Above that, every
// (N/4 + 1)th request costs one command, or two when it is the process's first in a sixth of
// the window. Once the limit is reached, a process asks nothing until the count can have fallen.
//
// Clocks: a process tells Redis of requests under its own time. Where clocks differ by d, the
// bound holds for windows of W − d, and requests that were told under the next sixth of the
// window are not seen for up to d.
//
// Limits by address are never shared: addresses cost an attacker nothing, so
// they must not cost a command. There the bound is P × N. Limits by player and
// by signing key are shared; these callers have been verified.
//
// Scores that cannot change a board (a second play where the first counts, a
// worse one where the best does) are bounded for all callers of a process
// together: they cost commands and are of no use, so under attack they are the
// first to be refused. Plays that count are not.
//
// # In commands
//
// Besides, a request of any class counts in commands: before its first one as the most that it
// can cost, and afterwards as what it did cost. Commands count by player, over all processes;
// or by address.
//
// A process tells Redis by lot what a player costs: when a request is over, it draws each of
// its commands with a chance of 1 in N/10, and tells a drawn one as N/10 commands. So Redis
// counts what was spent, on average, however many processes serve the player and however short
// each lives; and since the lot has no memory, a player gains nothing by leaving a process
// before it tells, or after. The first draw of a day costs one command. With the second one
// the player is watched: that stands among the notices that all processes read, and from then
// on the chance is 1 in N/200. A player who has reached N stands there as refused, and costs
// no process anything.
//
// A process serves 26 commands of a player before it asks what the others have served, or 40
// with what is held for requests under way. It tells Redis of a request that could cost more
// before the request runs, as the most that it can cost, and takes the rest back after. So
// fifty processes at once cost N, 40 each, and what the lot was off by: docs/limits.md has the
// sum.
//
// Strangers, for whom no credential speaks, also share a bucket in each process, from which
// those who ask seldom are served first. See Limiter.Spend.
//
// # Without Redis
//
// While Redis does not answer, a rule that is open falls back to P × N.
//
// # What it keeps
//
// Each rule remembers the 8,192 callers seen last, some hundred bytes each and
// at most two KiB, and the 8,192 addresses of strangers seen last. Redis gets keys
// of verified callers above N/4 alone, each with an expiry from the command that
// creates it.
//
// It must not know routes, HTTP statuses or boards.
package limit
