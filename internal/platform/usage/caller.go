package usage

import "context"

// Caller is who made a call: the kind of caller and, for a game server, its signing key.
// Counts name nobody else.
type Caller struct {
	Kind Kind
	ID   string // of a game server's signing key
}

// Kind is a kind of caller.
type Kind string

// The kinds of callers.
const (
	Player    Kind = "player" // one who has signed in
	Server    Kind = "server" // a game server that signs
	Operator  Kind = "operator"
	Clerk     Kind = "clerk"     // sends webhooks
	Anonymous Kind = "anonymous" // callers without a credential, and devices
	Schedule  Kind = "schedule"
	Queue     Kind = "queue"   // the function that writes the queue's scores
	Viewers   Kind = "viewers" // of live boards, all together
	// itself is the caller of what counting spends.
	itself Kind = "counters"
)

// Unknown is the route and the caller of counts that an earlier version has written.
const Unknown = "unknown"

// label is how counts name the caller. It has no colon, since colons separate the parts of a
// field's name.
func (c Caller) label() string {
	if c.Kind == Server {
		return string(Server) + " " + c.ID
	}
	return string(c.Kind)
}

// CalledBy tells the Watch of this context who has made the call. Without a Watch it does
// nothing.
func CalledBy(ctx context.Context, c Caller) {
	if t, ok := ctx.Value(tallyKey{}).(*tally); ok {
		t.caller.Store(&c)
	}
}
