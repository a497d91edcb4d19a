package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"time"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/limit"
)

// Limits knows who has asked too often, and who has cost too much.
type Limits interface {
	Take(ctx context.Context, class limit.Class, who limit.Caller) (limit.Decision, error)
	Spend(ctx context.Context, who limit.Caller, most int) (limit.Decision, error)
}

// take counts a request, or refuses it with 429.
func (a *API) take(w http.ResponseWriter, r *http.Request, class limit.Class, who limit.Caller) (limit.Decision, error) {
	if a.Limits == nil {
		return limit.Decision{Allowed: true}, nil
	}
	d, err := a.Limits.Take(r.Context(), class, who)
	if err != nil {
		return d, fmt.Errorf("hold the request against its limits: %w", err)
	}
	if !d.Allowed {
		return d, tooMany(d)
	}
	// Answers that many callers may share say nothing of one of them.
	if d.Rule.Name != "" && class != limit.Boards {
		tellLimit(w.Header(), d)
	}
	return d, nil
}

func tellLimit(header http.Header, d limit.Decision) {
	header.Set(limit.PolicyHeader, d.Policy())
	header.Set(limit.LimitHeader, d.Limit())
}

func tooMany(d limit.Decision) *problem {
	return &problem{
		Status: http.StatusTooManyRequests, kind: "rate-limited", wait: d.Wait, limit: &d,
		Detail: fmt.Sprintf("the limit %s is %s in %s; wait %s", d.Rule.Name, d.Rule.Quota(), d.Rule.Window,
			max(d.Wait.Round(time.Second), time.Second)),
	}
}

// takeSubmit counts a submission that has passed every check: sub is a player's
// own. The operator's tools are not counted.
func (a *API) takeSubmit(w http.ResponseWriter, r *http.Request, who caller, sub board.Submission) (limit.Decision, error) {
	if who.operator {
		return limit.Decision{Allowed: true}, nil
	}
	by := a.counted(r, who)
	by.Anonymous = who.isDevice()
	if !who.isServer() {
		by.Repeat = a.isRepeat(sub)
	}
	return a.take(w, r, limit.Submit, by)
}

// counted is whom a request of a player or of a game server is counted for.
func (a *API) counted(r *http.Request, who caller) limit.Caller {
	if who.isServer() {
		return limit.Caller{Key: who.server.Key}
	}
	return limit.Caller{Player: who.player.ID, Address: a.address(r)}
}

// standing is what this process knows of one player's entry on a day's board.
type standing struct {
	mode   string
	date   game.Date
	player string
}

// rememberStandings bounds what is known, in entries of about 200 bytes.
const rememberStandings = 16_384

// freeRepeat is how often a player may repeat a play without being counted
// among all repeats: whoever sends once more what got lost is never refused for
// what others do.
const freeRepeat = time.Minute

// isRepeat tells whether a player's submission is to be counted as a repeat: it
// cannot change the board, as far as this process knows, and it is not the
// player's one in a minute.
func (a *API) isRepeat(sub board.Submission) bool {
	if !a.changesNothing(sub) {
		return false
	}
	last, known := a.repeats.Get(sub.Player)
	if now := a.Now(); !known || now.Sub(last) >= freeRepeat || now.Before(last) {
		a.repeats.Add(sub.Player, now)
		return false
	}
	return true
}

// changesNothing tells of a play where the first one counts and there is one,
// and of one where the best does and it is no better.
func (a *API) changesNothing(sub board.Submission) bool {
	stands, known := a.standings.Get(standing{sub.Mode.Name, sub.Date, sub.Player})
	switch {
	case !known:
		return false
	case sub.Mode.Policy == game.First:
		return true
	case sub.Mode.Policy == game.Best && sub.Mode.Order == game.Asc:
		return sub.Score >= stands
	}
	return sub.Mode.Policy == game.Best && sub.Score <= stands
}

// settleSubmit remembers what stands, and uncounts a play that was the day's
// first: on boards where the first one counts, only attempts to repeat it do. Of
// devices it counts: each new one of them has a first play.
func (a *API) settleSubmit(who caller, taken limit.Decision, sub board.Submission, o board.Outcome) {
	a.standings.Add(standing{sub.Mode.Name, sub.Date, sub.Player}, o.Score)
	if sub.Mode.Policy == game.First && o.Status == board.Accepted && !who.isDevice() {
		taken.TakeBack()
	}
}

// limited counts what has no class of its own: of a player whose token holds by
// the player, so that nobody at the same address is in the way; else by address.
func (a *API) limited(serve endpoint) endpoint {
	return func(w http.ResponseWriter, r *http.Request) error {
		who := limit.Caller{Address: a.address(r)}
		if r.Header.Get("Authorization") != "" {
			if player, err := a.authenticateAnyone(r); err == nil && !auth.IsDevice(player.ID) {
				who = limit.Caller{Player: player.ID}
			}
		}
		if _, err := a.take(w, r, limit.Boards, who); err != nil {
			return err
		}
		return serve(w, r)
	}
}

// afterFailure counts a credential that does not hold. Whoever shows a good one
// is never refused for what others at the same address have tried.
func (a *API) afterFailure(w http.ResponseWriter, r *http.Request, err error) error {
	var refused *auth.Error
	if !errors.As(err, &refused) || refused.Code != auth.Invalid {
		return err
	}
	if _, over := a.take(w, r, limit.Auth, limit.Caller{Address: a.address(r)}); over != nil {
		return over
	}
	return err
}

func (a *API) address(r *http.Request) netip.Prefix {
	return limit.Address(r.RemoteAddr, r.Header.Values("X-Forwarded-For"), a.ProxyHops)
}
