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

func SignInFirst() *Problem { return Forbidden("not available to anonymous players; sign in first") }

func Forbidden(detail string) *Problem { return New("forbidden", detail) }

func NoSuchPath() *Problem { return New("not-found", "no such endpoint") }

func WrongMethod(allowed []string) *Problem {
	return New("method-not-allowed", "allowed methods: "+strings.Join(allowed, ", "))
}

func WrongMediaType() *Problem {
	return New("unsupported-media-type", "Content-Type must be application/json, in UTF-8")
}

func TooLarge(limit int64) *Problem {
	return New("too-large", "body exceeds "+SizeText(limit))
}

func TooMany(d limit.Decision) *Problem {
	return RateLimited(d, fmt.Sprintf("rate limit %s: %s per %s; retry in %s", d.Rule.Name, d.Rule.Quota(), windowText(d.Rule.Window), waitText(d.Wait)))
}

// waitText rounds up, so that a caller who waits as long is not refused again.
func waitText(wait time.Duration) string {
	unit, name := time.Second, "s"
	switch {
	case wait > 2*time.Hour:
		unit, name = time.Hour, "h"
	case wait > 2*time.Minute:
		unit, name = time.Minute, "min"
	}
	return fmt.Sprintf("%d %s", max((wait+unit-1)/unit, 1), name)
}

func windowText(window time.Duration) string {
	switch window {
	case time.Minute:
		return "minute"
	case time.Hour:
		return "hour"
	case 24 * time.Hour:
		return "day"
	}
	return strconv.Itoa(int(window.Seconds())) + " s"
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

// Refusals of requests for what the game does not have.

func UnknownMode(name string) *Problem {
	return New("unknown-mode", fmt.Sprintf("unknown mode %.40q; GET /v1/game lists them", name))
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

// Refusals by whom a request is from.

func NoDevices() *Problem {
	return New("not-found", "anonymous play is off; sign in to play")
}

func NoFriends() *Problem {
	return New("no-database", "friends require a database")
}
