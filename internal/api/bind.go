package api

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/limit"
)

// terms are what holds of every request of one route before its handler begins.
type terms struct {
	may     access      // who may call it
	friends bool        // there is a database of friends
	limit   limit.Class // what it counts as, see counted; empty: its callers are not counted
	body    bodyRule    // what is read of it
	held    int         // commands that are held for it before its first
	keyed   bool        // it takes an Idempotency-Key
	waits   bool        // while nothing may be written
}

// request is one that has been let in.
type request struct {
	*http.Request
	caller caller
	sent   []byte // its body, or what stands for an empty one
	key    string // its idempotency key; empty: none

	limit limit.Class
	read  limit.Decision // that it may read boards
}

// endpoint answers one route. It writes its own success; an error it returns
// is written as a problem.
type endpoint func(w http.ResponseWriter, r *request) error

// bind has a route's endpoint begin where its terms end. What stands against a request
// is found in one order, whatever the route:
//
//  1. maintenance, as far as this process knows of it without asking;
//  2. the operator's token, before anything else of the request is read;
//  3. the limit on boards: reads are counted as they come, see counted;
//  4. the body: its size, type and encoding, for signatures are made of it;
//  5. who is calling;
//  6. the form of the idempotency key;
//  7. whatever the endpoint finds, with the limits of what has passed all that.
func (k *keeper) bind(on terms, serve endpoint) func(w http.ResponseWriter, r *http.Request) error {
	return func(w http.ResponseWriter, plain *http.Request) (err error) {
		r := &request{Request: plain, limit: on.limit}
		if on.waits {
			if err := k.halts.Halted(); err != nil {
				return err
			}
		}
		if on.may == theOperator {
			if err := k.credentials.admitOperator(plain); err != nil {
				return err
			}
		}
		if on.limit == limit.Boards {
			if r.read, err = k.take(w, plain, limit.Boards, k.reader(plain)); err != nil {
				return err
			}
		}
		sent, err := on.body.read(w, plain)
		if err != nil {
			return err
		}
		if r.caller, err = k.credentials.admit(plain, on.may, sent, on.friends); err != nil {
			return err
		}
		r.sent = on.body.meant(sent)
		if on.keyed {
			if r.key, err = idempotencyKey(plain.Header); err != nil {
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

// handler serves one route: what it costs is held against whoever pays, and what
// goes wrong is answered with a problem.
func (k *keeper) handler(on terms, serve endpoint) http.Handler {
	bound := k.bind(on, serve)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, spent := k.spend(r, on.held)
		defer spent.returned()
		if err := bound(w, r); err != nil {
			k.problems.Write(w, r, k.afterFailure(w, r, err))
		}
	})
}
