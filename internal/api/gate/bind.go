package gate

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// Request is a request that the gate has let in.
type Request struct {
	*http.Request
	Caller Caller
	Sent   []byte // its body, or the text that replaces an empty one
	Key    string // its idempotency key; empty: none

	limit limit.Class
	read  limit.Decision // the count against the limit on boards
}

// Counts makes a read of boards count whatever it has cost. It is for answers that took work
// all the same, such as that of a query which is refused.
func (r *Request) Counts() { r.read = limit.Decision{} }

// Endpoint answers one route. It writes a success itself; an error that it returns is written
// as a problem.
type Endpoint func(w http.ResponseWriter, r *Request) error

// bind checks a route's policy and then calls its endpoint. The checks run in the same order on
// every route:
//
//  1. maintenance, as far as this process knows of it without asking Redis;
//  2. the operator's token and role, before anything else of the request is read;
//  3. the limit on boards: reads count before anything else is known of them, see reader; or,
//     on other routes, the limit on refused requests;
//  4. the body's size, type and encoding, because signatures are made of the body;
//  5. who is calling;
//  6. the form of the idempotency key;
//  7. whatever the endpoint checks, and the limits on requests that have passed all that.
func (k *Guard) bind(p Route) func(w http.ResponseWriter, r *http.Request) error {
	return func(w http.ResponseWriter, plain *http.Request) (err error) {
		r := &Request{Request: plain, limit: p.Limit}
		if p.BlockedInMaintenance {
			if err := k.notices.Halted(); err != nil {
				return err
			}
		}
		var operator auth.Operator
		if needed := p.Auth.Role(); needed != auth.NoRole {
			if operator, err = k.credentials.admitOperator(plain, needed); err != nil {
				return err
			}
		}
		if p.Limit == limit.Boards {
			if r.read, err = k.Take(w, plain, limit.Boards, k.reader(plain)); err != nil {
				return err
			}
		}
		refused, err := k.expectRefusal(plain, p)
		if err != nil {
			return err
		}
		defer func() {
			if !isRefusal(err) {
				refused.TakeBack()
			}
		}()
		sent, err := p.Body.read(w, plain)
		if err != nil {
			return err
		}
		if r.Caller, err = k.credentials.admit(plain, p.Auth, sent); err != nil {
			return err
		}
		if operator.Role != auth.NoRole {
			r.Caller = Caller{Operator: operator}
		}
		r.Sent = p.Body.meant(sent)
		if p.Keyed {
			if r.Key, err = idempotencyKey(plain.Header); err != nil {
				return err
			}
		}
		noted := k.see(r)
		if err = p.Serve(w, r); err == nil {
			k.giveBack(w, r)
		}
		noted()
		return err
	}
}

// NoQuery makes an endpoint refuse every parameter in the query string.
func NoQuery(serve Endpoint) Endpoint {
	return func(w http.ResponseWriter, r *Request) error {
		if err := decode.OpenQuery(r.URL).Done(); err != nil {
			return err
		}
		return serve(w, r)
	}
}

// Handler serves one route. It reserves the route's price for the caller, and writes errors
// as problems.
func (k *Guard) Handler(p Route) http.Handler {
	bound := k.bind(p)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, spent := k.spend(r, p.Price.Reserved)
		defer spent.settle()
		if err := bound(w, r); err != nil {
			k.problems.Write(w, r, k.afterFailure(w, r, err))
		}
	})
}
