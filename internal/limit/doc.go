// Package limit decides who has asked too often. It knows rates, pauses and
// callers; every process counts each caller itself, and Redis is asked only
// where its answer could change the decision. What is refused costs nothing.
//
// # What holds
//
// Under a rule of N requests in a window W, one process lets a caller have at
// most N in any W, counted exactly to W/32 and never too low. P processes
// together let the caller have at most
//
//	N + P × (N/4 + 1)
//
// since each keeps at most N/4 + 1 requests to itself before it tells them. A
// caller who stays at or below N/4 requests in a window costs no command. Above
// that, every (N/4 + 1)th request costs one command, or two when it is the
// process's first in a sixth of the window. Once the limit is reached nothing is
// asked until the count can have fallen.
//
// Clocks: requests are told under the time of the process that saw them. Where
// clocks differ by d, the bound holds for windows of W − d, and what is told
// under the next sixth of the window is not seen for up to d.
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
// Whatever its class, a request is counted as the commands that it can cost at
// most from before its first one, and as what it did cost afterwards: by player,
// over all processes; or by address.
//
// What a player costs is told to Redis by lot: when a request is over, each of its
// commands with a chance of 1 in N/10, and then as N/10 commands. So what is told is
// what was spent, on average, however many processes serve the player and however
// short each lives; and since the lot has no memory, nobody gains by leaving a
// process before it tells, or after. The first draw of a day costs one command. With
// the second the player is watched: that stands among the notices that all processes
// read, and from then on the chance is 1 in N/200. Who has reached N stands there as
// refused, and costs no process anything.
//
// A process serves 26 commands of a player before it asks what the others have
// served, or 40 with what is held for requests under way. What could cost more is
// told before, for all that it can cost, and given back after. So fifty processes at
// once cost N, 40 each, and what the lot was off by: docs/limits.md has the sum.
//
// Strangers, for whom no credential speaks, share a bucket besides, in each
// process; whoever asks seldom goes first there. See Limiter.Spend.
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
