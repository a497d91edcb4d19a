package api

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/limit"
)

// request is one that its route has let in.
type request struct {
	*http.Request
	route  route
	caller caller
	body   []byte
	key    string // its idempotency key; empty: none

	read limit.Decision // that it may read boards
}

// endpoint answers one route. It writes its own success; an error it returns
// is written as a problem.
type endpoint func(w http.ResponseWriter, r *request) error

// bind has a route's handler begin where its row in the table ends. What stands
// against a request is found in one order, whatever the route:
//
//  1. maintenance, as far as this process knows of it without asking;
//  2. the operator's token, before anything else of the request is read;
//  3. the limit on boards: reads are counted as they come, see counted;
//  4. the body: its size, type and encoding, for signatures are made of it;
//  5. who is calling;
//  6. the form of the idempotency key;
//  7. whatever the handler finds, with the limits of what has passed all that.
func (a *API) bind(row route, befriending bool) func(w http.ResponseWriter, r *http.Request) error {
	return func(w http.ResponseWriter, plain *http.Request) (err error) {
		r := &request{Request: plain, route: row}
		if row.while == waits {
			if err := a.config.Notices.Halted(); err != nil {
				return err
			}
		}
		if row.may == theOperator {
			if err := a.credentials.admitOperator(plain); err != nil {
				return err
			}
		}
		if row.limit == limit.Boards {
			if r.read, err = a.take(w, plain, limit.Boards, a.reader(plain)); err != nil {
				return err
			}
		}
		sent, err := row.body.read(w, plain)
		if err != nil {
			return err
		}
		if r.caller, err = a.credentials.admit(plain, row.may, sent, befriending); err != nil {
			return err
		}
		r.body = row.body.meant(sent)
		if row.key == keyed {
			if r.key, err = idempotencyKey(plain.Header); err != nil {
				return err
			}
		}
		told := see(a.kernel, a.config.Presence, r)
		if err = row.serve(w, r); err == nil {
			a.giveBack(w, r)
		}
		told()
		return err
	}
}

// handler serves one route: what it costs is held against whoever pays, and what
// goes wrong is answered with a problem.
func (a *API) handler(row route, befriending bool) http.Handler {
	serve := a.bind(row, befriending)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, spent := a.spend(r, row.held(a.game))
		defer spent.returned()
		if err := serve(w, r); err != nil {
			a.problems.Write(w, r, a.afterFailure(w, r, err))
		}
	})
}
