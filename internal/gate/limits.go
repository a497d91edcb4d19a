package gate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/limit"
	"github.com/framedle/leaderboards/internal/problem"
)

// Limits knows who has asked too often, and who has cost too much.
type Limits interface {
	Take(ctx context.Context, class limit.Class, who limit.Caller) (limit.Decision, error)
	Spend(ctx context.Context, who limit.Caller, most int) (limit.Decision, error)
}

// Take counts a request as one of a class, or refuses it with 429.
func (k *Keeper) Take(w http.ResponseWriter, r *http.Request, class limit.Class, who limit.Caller) (limit.Decision, error) {
	if k.limits == nil {
		return limit.Decision{Allowed: true}, nil
	}
	d, err := k.limits.Take(r.Context(), class, who)
	if err != nil {
		return d, fmt.Errorf("hold the request against its limits: %w", err)
	}
	if !d.Allowed {
		return d, problem.TooMany(d)
	}
	// Answers that many callers may share say nothing of one of them.
	if d.Rule.Name != "" && class != limit.Boards {
		answers.ShowLimit(w.Header(), d)
	}
	return d, nil
}

// Count counts a request that has passed every check, by the limit of its route.
// Those on boards are counted before the endpoint begins.
func (k *Keeper) Count(w http.ResponseWriter, r *Request) error {
	_, err := k.Take(w, r.Request, r.limit, k.counted(r))
	return err
}

// CountScore is Count for scores, which devices send under a rule of their own; one that
// repeats another cannot change a board.
func (k *Keeper) CountScore(w http.ResponseWriter, r *Request, repeats bool) (limit.Decision, error) {
	who := k.counted(r)
	who.Anonymous, who.Repeat = r.Caller.IsDevice(), repeats
	return k.Take(w, r.Request, r.limit, who)
}

// CountLook counts a request as one more look at boards. A game server's are not counted,
// as its scores are not.
func (k *Keeper) CountLook(ctx context.Context, r *Request) error {
	if k.limits == nil || r.Caller.IsServer() {
		return nil
	}
	who := limit.Caller{Player: r.Caller.Player.ID}
	if r.Caller.IsDevice() {
		who = limit.Caller{Address: k.Address(r.Request)}
	}
	d, err := k.limits.Take(ctx, limit.Boards, who)
	if err != nil {
		return err
	}
	if !d.Allowed {
		return problem.TooMany(d)
	}
	return nil
}

// counted is whom a request of a player, of a device or of a game server is counted
// for; of nobody by address.
func (k *Keeper) counted(r *Request) limit.Caller {
	if r.Caller.IsServer() {
		return limit.Caller{Key: r.Caller.Server.Key}
	}
	return limit.Caller{Player: r.Caller.Player.ID, Address: k.Address(r.Request)}
}

// reader is whom a request is counted for that has no class of its own: a player
// whose token holds by the player, so that nobody at the same address is in the way;
// everybody else by address.
func (k *Keeper) reader(r *http.Request) limit.Caller {
	if r.Header.Get("Authorization") != "" {
		if player, err := k.credentials.anyone(r); err == nil && !auth.IsDevice(player.ID) {
			return limit.Caller{Player: player.ID}
		}
	}
	return limit.Caller{Address: k.Address(r)}
}

// giveBack has a read not count against the limit on boards that has told the caller
// nothing new, or that memory has answered: a page that asks again and again what it
// knows, as browsers do, is never refused for it. What it has cost in commands counts
// all the same, and one that has asked the database counts whole. Ten times the limit
// of such reads pass so; those beyond count as any others.
func (k *Keeper) giveBack(w http.ResponseWriter, r *Request) {
	commands, queries := spentBy(r.Context())
	if k.limits == nil || r.read.Rule.Name == "" || queries > 0 || commands > 0 && !answers.Unchanged(w.Header(), r.Request) {
		return
	}
	if d, err := k.limits.Take(r.Context(), limit.Free, k.reader(r.Request)); err == nil && d.Allowed {
		r.read.TakeBack()
	}
}

// afterFailure counts a credential that does not hold. Whoever shows a good one
// is never refused for what others at the same address have tried.
func (k *Keeper) afterFailure(w http.ResponseWriter, r *http.Request, err error) error {
	var refused *auth.Error
	if !errors.As(err, &refused) || refused.Code != auth.Invalid {
		return err
	}
	if _, over := k.Take(w, r, limit.Auth, limit.Caller{Address: k.Address(r)}); over != nil {
		return over
	}
	return err
}

// Address is where a request came from.
func (k *Keeper) Address(r *http.Request) netip.Prefix {
	return limit.Address(r.RemoteAddr, r.Header.Values("X-Forwarded-For"), k.proxyHops)
}
