package problem

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/game"
)

// Refusals of any kind of request.

func BadRequest(detail string, errs ...Field) *Problem {
	p := New("invalid-request", detail)
	p.Errors = errs
	return p
}

func badField(pointer, detail string) *Problem {
	return BadRequest(pointer+": "+detail, Field{pointer, detail})
}

func SignInFirst() *Problem { return Forbidden("an anonymous player may not do this; sign in first") }

func Forbidden(detail string) *Problem { return New("forbidden", detail) }

func UnknownCurrency(name string) *Problem {
	return New("not-found", fmt.Sprintf("the game has no currency %.50q; GET /v1/me/wallets has those that there are", name))
}

func NobodyCounted() *Problem {
	return New("not-found", "this game does not count who is there; presence: true in its file turns it on")
}

func NoWorld() *Problem {
	return New("not-found", "this game has one site; world in its file has boards of several merged")
}

func NotMerged(b game.Board) *Problem {
	return New("not-found", fmt.Sprintf("boards of %s for period %s are not merged; world in the game file names those that are", b.Mode.Called(), b.Period.Kind()))
}

func NoFeed() *Problem {
	return New("not-found", "this game keeps no feed; outbox: true in its file turns it on")
}

func NoAudit() *Problem {
	return New("not-found", "this game records nothing of what submissions do; audit in its file turns it on")
}

func NoLeagues() *Problem {
	return New("not-found", "this game has no leagues; leagues: {} in its file turns them on")
}

func LeaguesUnkept() *Problem {
	return New("no-database", "this deployment has no database, so it keeps no leagues")
}

func NoSuchPath() *Problem { return New("not-found", "no resource has this path") }

func WrongMethod(allowed []string) *Problem {
	return New("method-not-allowed", "this resource takes "+strings.Join(allowed, ", "))
}

func WrongMediaType() *Problem {
	return New("unsupported-media-type", "send the body as Content-Type: application/json, in UTF-8")
}

func TooLarge(limit int64) *Problem {
	return New("too-large", "the body may have at most "+SizeText(limit))
}

func TooMany(d limit.Decision) *Problem {
	return RateLimited(d, fmt.Sprintf("the limit %s is %s in %s; wait %s", d.Rule.Name, d.Rule.Quota(), d.Rule.Window,
		max(d.Wait.Round(time.Second), time.Second)))
}

func RateLimited(d limit.Decision, detail string) *Problem {
	p := New("rate-limited", detail)
	p.Wait, p.Limit = d.Wait, &d
	return p
}

// SizeText writes a bound in bytes for people.
func SizeText(limit int64) string {
	if limit >= 1<<20 {
		return strconv.FormatInt(limit>>20, 10) + " MiB"
	}
	return strconv.FormatInt(limit>>10, 10) + " KiB"
}

func Unavailable(detail string, wait time.Duration) *Problem {
	p := New("temporarily-unavailable", detail)
	if p.Wait = wait; wait <= 0 {
		p.Wait = retryAfter
	}
	return p
}

func QueryTooLarge(detail string) *Problem { return New("too-large", detail) }

func NoGraph() *Problem {
	return New("not-found", "this deployment serves no GraphQL; GRAPHQL=on turns it on")
}

func UnknownQuery() *Problem {
	return New("not-found", "this deployment keeps no query with this hash: it is the SHA-256 of a file in api/queries, byte for byte, in small hexadecimal digits; send any other query as POST")
}

func NoLiveBoards() *Problem {
	return New("no-live-boards", "no process here can keep a stream open; ask GET /v1/leaderboards/{mode} every few seconds instead, it has the same pages")
}

// NoSeat refuses a viewer of a stream. The viewer can read the board meanwhile.
func NoSeat() *Problem {
	p := New("no-seat", "as many streams are open here, or from your address, as there may be; try again after Retry-After, and ask GET /v1/leaderboards/{mode} meanwhile")
	p.Wait = seatWait
	return p
}

// Refusals of requests for what the game does not have.

func UnknownMode(name string) *Problem {
	return New("unknown-mode", fmt.Sprintf("the game has no mode %.40q; GET /v1/game has those that there are", name))
}

// seasonsNamed bounds how many seasons a problem names.
const seasonsNamed = 8

// UnknownSeason names the seasons of the game; if there are many, the newest ones.
func UnknownSeason(g *game.Game, d game.Date) *Problem {
	all := g.AllSeasons()
	detail := fmt.Sprintf("%s is in no season", d)
	for i, p := range all[max(0, len(all)-seasonsNamed):] {
		detail += fmt.Sprintf("%s %s (%s to %s)", []string{"; there is", ","}[min(i, 1)], p.Key(), p.First(), p.Last())
	}
	return New("unknown-season", detail)
}

// Refusals of scores.

func ScoreOutOfBounds(pointer, detail string) *Problem {
	p := New("score-out-of-bounds", detail)
	p.Errors = []Field{{pointer, detail}}
	return p
}

// ValuesOutOfBounds names each value that is outside its bounds.
func ValuesOutOfBounds(beyond []Field) *Problem {
	p := New("score-out-of-bounds", beyond[0].Pointer+": "+beyond[0].Detail)
	p.Errors = beyond
	return p
}

// Refusals of requests by devices and about friends.

func NoScoreQueue() *Problem {
	return New("not-found", "this deployment has no queue of scores, so there is nothing to send back")
}

func NoDevices() *Problem {
	return New("not-found", "this game has no anonymous players; sign in to play")
}

func DeviceClaimed() *Problem {
	return New("device-claimed", "a player has claimed this device; play as that player")
}

func NoFriends() *Problem {
	return New("no-database", "this deployment has no database, so it keeps no friends")
}

func NoActivity() *Problem {
	return New("not-found", "this game has no activity: nothing that players do beside playing counts")
}

func NoRequest() *Problem {
	return New("no-request", "there is no request of this player to accept")
}

func NoInvite() *Problem {
	return New("no-invite", "this invite is not good: it is unknown, used up, has expired, or is your own")
}
