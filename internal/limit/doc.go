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
// over all processes; or by address. Of a player each process keeps at most 40
// commands to itself, requests under way included, so that P of them together
// spend at most N + 40 × P in any W. That holds since a process spends no more
// than it has told and 40, and the one that was let through last had been told of
// what all others told. A process asks before a player's 41st command, at 3
// commands for its first question in a sixth of the window and 1 for others, and
// tells of as much ahead as it has served, so that its questions become few. What
// it told ahead and did not spend counts for the player until it leaves the window.
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
