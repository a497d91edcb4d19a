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
// pass, since each keeps at most N/4 + 1 requests to itself before it tells Redis. A caller
// with up to N/4 requests in a window costs no command. Above that, every (N/4 + 1)th request
// costs one command, or two if it is the process's first question in a sixth of the window.
// Once the limit is reached, a process asks nothing until the count can have fallen.
//
// A process tells Redis of requests by its own clock. If clocks differ by d, the bound holds
// for windows of W − d, and a process whose clock is behind sees requests that were told in the
// next sixth of the window up to d later.
//
// Limits by address are never shared: an attacker gets addresses for nothing, so an address
// must not cost a command. Their bound is P × N. Limits by player and by signing key are
// shared, since these callers have been verified.
//
// Scores that cannot change a board have one bound for all callers of a process together: a
// second play if the first counts, a worse one if the best counts. They cost commands and are
// of no use, so under attack they are refused first. Plays that count are not under that bound.
//
// # In commands
//
// A request of any class also counts in commands: before its first command as the most that it
// can cost, and afterwards as what it has cost. Commands of a player are counted over all
// processes, those of strangers by address.
//
// A process tells Redis by lot what a player costs: when a request is over, it draws each of
// its commands with a chance of 1 in N/10, and tells a drawn one as N/10 commands. So on
// average Redis counts what was spent, however many processes serve the player and however
// short each lives. The lot has no memory, so a player gains nothing by leaving a process
// before or after it tells. The first draw of a day costs one command. With the second draw a
// notice, which all processes read, makes the player watched; from then on the chance is 1 in
// N/200. For a player who has reached N the notice says so: every process then refuses the
// player without a command.
//
// A process serves 26 commands of a player before it asks what the others have served, or 40
// with those that it reserves for requests in progress. If a request could cost more, the
// process tells Redis before the request runs the most that it can cost, and takes the rest
// back afterwards. So fifty processes at once cost N, 40 each, and the error of the lot:
// docs/limits.md has the sum.
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
