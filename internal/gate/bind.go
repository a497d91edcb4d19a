package gate

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/limit"
)

// Terms are what holds of every request of one route before its endpoint begins.
type Terms struct {
	May     Access      // who may call it
	Friends bool        // there is a database of friends
	Limit   limit.Class // what it counts as, see Keeper.Count; empty: its callers are not counted
	Body    BodyRule    // what is read of it
	Held    int         // commands that are held for it before its first
	Keyed   bool        // it takes an Idempotency-Key
	Waits   bool        // while nothing may be written
}

// Request is one that has been let in.
type Request struct {
	*http.Request
	Caller Caller
	Sent   []byte // its body, or what stands for an empty one
	Key    string // its idempotency key; empty: none

	limit limit.Class
	read  limit.Decision // that it may read boards
}

// Endpoint answers one route. It writes its own success; an error it returns
// is written as a problem.
type Endpoint func(w http.ResponseWriter, r *Request) error

// bind has a route's endpoint begin where its terms end. What stands against a request
// is found in one order, whatever the route:
//
//  1. maintenance, as far as this process knows of it without asking;
//  2. the operator's token, before anything else of the request is read;
//  3. the limit on boards: reads are counted as they come, see reader;
//  4. the body: its size, type and encoding, for signatures are made of it;
//  5. who is calling;
//  6. the form of the idempotency key;
//  7. whatever the endpoint finds, with the limits of what has passed all that.
func (k *Keeper) bind(on Terms, serve Endpoint) func(w http.ResponseWriter, r *http.Request) error {
	return func(w http.ResponseWriter, plain *http.Request) (err error) {
		r := &Request{Request: plain, limit: on.Limit}
		if on.Waits {
			if err := k.halts.Halted(); err != nil {
				return err
			}
		}
		if on.May == Operator {
			if err := k.credentials.admitOperator(plain); err != nil {
				return err
			}
		}
		if on.Limit == limit.Boards {
			if r.read, err = k.Take(w, plain, limit.Boards, k.reader(plain)); err != nil {
				return err
			}
		}
		sent, err := on.Body.read(w, plain)
		if err != nil {
			return err
		}
		if r.Caller, err = k.credentials.admit(plain, on.May, sent, on.Friends); err != nil {
			return err
		}
		r.Sent = on.Body.meant(sent)
		if on.Keyed {
			if r.Key, err = idempotencyKey(plain.Header); err != nil {
				return err
			}
		}
		told := k.see(r)
		if err = serve(w, r); err == nil {
			k.giveBack(w, r)
		}
		told()
		return err
	}
}

// Handler serves one route: what it costs is held against whoever pays, and what
// goes wrong is answered with a problem.
func (k *Keeper) Handler(on Terms, serve Endpoint) http.Handler {
	bound := k.bind(on, serve)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, spent := k.spend(r, on.Held)
		defer spent.returned()
		if err := bound(w, r); err != nil {
			k.problems.Write(w, r, k.afterFailure(w, r, err))
		}
	})
}
