package gate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"

	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// Take counts a request against the limit of a class, or refuses it with 429.
func (k *Guard) Take(w http.ResponseWriter, r *http.Request, class limit.Class, who limit.Caller) (limit.Decision, error) {
	d, err := k.limits.Take(r.Context(), class, who)
	if err != nil {
		return d, fmt.Errorf("hold the request against its limits: %w", err)
	}
	if !d.Allowed {
		return d, problem.TooMany(d)
	}
	// An answer that callers share through caches must not show one caller's count.
	if d.Rule.Name != "" && class != limit.Boards {
		respond.ShowLimit(w.Header(), d)
	}
	return d, nil
}

// Count counts a request that has passed every check against the limit of its route. Reads of
// boards were counted before the endpoint began.
func (k *Guard) Count(w http.ResponseWriter, r *Request) error {
	_, err := k.Take(w, r.Request, r.limit, k.counted(r))
	return err
}

// CountScore is Count for scores. Devices have a limit of their own for them; scores of the
// operator's tools are not counted.
func (k *Guard) CountScore(w http.ResponseWriter, r *Request) (limit.Decision, error) {
	if r.Caller.IsOperator() {
		return limit.Decision{Allowed: true}, nil
	}
	who := k.counted(r)
	who.Anonymous = r.Caller.IsDevice()
	return k.Take(w, r.Request, r.limit, who)
}

// CountLook counts a request as one more look at boards. Requests of game servers are not
// counted.
func (k *Guard) CountLook(ctx context.Context, r *Request) error {
	if r.Caller.IsServer() {
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

// counted is who is charged for a request: a game server by its key, a player or a device by
// id, and anybody else by address.
func (k *Guard) counted(r *Request) limit.Caller {
	if r.Caller.IsServer() {
		return limit.Caller{Key: r.Caller.Server.Key}
	}
	return limit.Caller{Player: r.Caller.Player.ID, Address: k.Address(r.Request)}
}

// reader is who is charged for a read of boards: a signed-in player with a valid token by id,
// so that others at the same address are not in the way, and anybody else by address.
func (k *Guard) reader(r *http.Request) limit.Caller {
	if r.Header.Get("Authorization") != "" {
		if player, err := k.credentials.anyCaller(r); err == nil && !auth.IsDevice(player.ID) {
			return limit.Caller{Player: player.ID}
		}
	}
	return limit.Caller{Address: k.Address(r)}
}

// expectRefusal counts a request as one that is refused until it is known not to be: reading
// and checking it costs work, which no other limit counts. Reads of boards have been counted
// already. A request with a signature may be a game server's, of which refusals do not count;
// without one, routes for game servers and Clerk refuse it before they look at its body.
func (k *Guard) expectRefusal(r *http.Request, p Route) (limit.Decision, error) {
	if p.Auth == GameServer || p.Auth == Clerk || p.Auth.Role() != auth.NoRole {
		return limit.Decision{}, nil
	}
	if p.Limit == limit.Boards || r.Header.Get(SignatureHeader) != "" {
		return limit.Decision{}, nil
	}
	d, err := k.limits.Take(r.Context(), limit.Refused, k.reader(r))
	if err == nil && !d.Allowed {
		err = problem.TooMany(d)
	}
	return d, err
}

// isRefusal reports whether an error says that the request was wrong, and not that it came too
// often.
func isRefusal(err error) bool {
	if err == nil {
		return false
	}
	status := problem.Of(err).Status
	return status >= http.StatusBadRequest && status < http.StatusInternalServerError && status != http.StatusTooManyRequests
}

// giveBack takes back the count of a read of boards if the answer was unchanged for its
// caller, or if memory answered it. So a page that revalidates again and again, as browsers
// do, is never refused for that. The commands of such a read still count, and a read that has
// asked the database keeps its count. Up to ten times the limit of such reads are given back;
// further ones count like any other.
func (k *Guard) giveBack(w http.ResponseWriter, r *Request) {
	commands, queries := spentBy(r.Context())
	if r.read.Rule.Name == "" || queries > 0 || commands > 0 && !respond.Unchanged(w.Header(), r.Request) {
		return
	}
	if d, err := k.limits.Take(r.Context(), limit.Free, k.reader(r.Request)); err == nil && d.Allowed {
		r.read.TakeBack()
	}
}

// afterFailure counts an invalid credential against its address. Valid credentials are never
// refused because of it.
func (k *Guard) afterFailure(w http.ResponseWriter, r *http.Request, err error) error {
	var refused *auth.Error
	if !errors.As(err, &refused) || refused.Code != auth.Invalid {
		return err
	}
	if _, over := k.Take(w, r, limit.Auth, limit.Caller{Address: k.Address(r)}); over != nil {
		return over
	}
	return err
}

// RefuseInvalid counts an invalid credential that was checked elsewhere, as of every route. It
// reports whether its address has sent too many, and has then answered so.
func (k *Guard) RefuseInvalid(w http.ResponseWriter, r *http.Request) bool {
	_, over := k.Take(w, r, limit.Auth, limit.Caller{Address: k.Address(r)})
	if over != nil {
		k.problems.Write(w, r, over)
	}
	return over != nil
}

// Address is where a request came from.
func (k *Guard) Address(r *http.Request) netip.Prefix {
	return limit.Address(r.RemoteAddr, r.Header.Values("X-Forwarded-For"), k.proxyHops)
}
