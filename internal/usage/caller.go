package usage

import (
	"context"
	"net/netip"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// Caller is who made a call. Counts name only the kind of caller and, for game servers, the
// signing key. Players and networks are named only in the day's records of the dearest callers.
type Caller struct {
	Kind    Kind
	ID      string       // of the player, or of a game server's signing key
	Network netip.Prefix // where an anonymous call came from: see limit.Address; zero: this machine
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

// ipv4Bits makes a network of 256 addresses of an IPv4 address. That is enough to see where a
// load comes from and to block it, and it does not identify a household.
const ipv4Bits = 24

// label is how counts name the caller. It has no colon, since colons separate the parts of a
// field's name.
func (c Caller) label() string {
	if c.Kind == Server {
		return serverLabel + c.ID
	}
	return string(c.Kind)
}

// serverLabel begins the label of a game server; the key's id comes next.
const serverLabel = string(Server) + " "

// ServerKey is the id of the signing key in the label of a game server.
func ServerKey(label string) (key string, is bool) { return strings.CutPrefix(label, serverLabel) }

// What names in records of callers begin with.
const (
	playerName  = "player:"
	networkName = "network:"
)

// name is how a record of callers names the caller; "" if it does not.
func (c Caller) name() string {
	switch {
	case c.Kind == Player && game.ValidPlayer(c.ID) == nil: // a valid id has no space, so a record can hold it
		return playerName + c.ID
	case c.Kind != Anonymous || !c.Network.IsValid():
		return ""
	}
	bits := c.Network.Bits()
	if c.Network.Addr().Is4() {
		bits = min(bits, ipv4Bits)
	}
	network, _ := c.Network.Addr().Prefix(bits) // fails only for more bits than the address has
	return networkName + network.String()
}

// CalledBy tells the Watch of this context who has made the call. Without a Watch it does
// nothing.
func CalledBy(ctx context.Context, c Caller) {
	if t, ok := ctx.Value(tallyKey{}).(*tally); ok {
		t.caller.Store(&c)
	}
}
