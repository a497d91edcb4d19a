package host

import (
	"context"
	"net/http"
	"time"
)

// unbounded is what a request had before it was given its time.
type unbounded struct {
	client context.Context // ends when the client goes
	stop   context.Context // ends when the server is told to stop
}

type unboundedKey struct{}

// Stream frees a request of the time that requests have, for an answer that goes on
// for minutes: the context it returns ends when the client goes, when the server is
// told to stop, or by release, which is to be called. How long each of its writes may
// take is for the handler to say, by [http.ResponseController.SetWriteDeadline].
//
// Where no server of this package runs the request, its own context bounds it.
func Stream(w http.ResponseWriter, r *http.Request) (ctx context.Context, release func()) {
	given, ok := r.Context().Value(unboundedKey{}).(unbounded)
	if !ok {
		return context.WithCancel(r.Context())
	}
	// A server that has no such deadlines needs none moved.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	left, stopped := context.AfterFunc(given.client, cancel), context.AfterFunc(given.stop, cancel)
	return ctx, func() { left(); stopped(); cancel() }
}

// withTimeout bounds each request, but for those that are freed by [Stream].
func withTimeout(stop context.Context, h http.Handler, timeout time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(context.WithValue(r.Context(), unboundedKey{}, unbounded{r.Context(), stop}), timeout)
		defer cancel()
		h.ServeHTTP(w, r.WithContext(ctx))
	})
}
