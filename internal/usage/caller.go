package usage

import (
	"context"
	"net/netip"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// Caller is who had a call made. Only the day's records of the dearest callers name players
// and networks; the counts name the kind of caller and, for game servers, the key.
type Caller struct {
	Kind    Kind
	ID      string       // of the player, or of a game server's signing key
	Network netip.Prefix // where an anonymous call came from: see limit.Address; zero: this machine
}

// Kind is a kind of caller.
type Kind string

// The kinds of callers.
const (
	Player    Kind = "player" // who has signed in
	Server    Kind = "server" // a game server that signs
	Operator  Kind = "operator"
	Clerk     Kind = "clerk"     // a webhook
	Anonymous Kind = "anonymous" // callers without a credential, and devices
	Schedule  Kind = "schedule"
	Queue     Kind = "queue"   // the function that writes what has gathered
	Viewers   Kind = "viewers" // of live boards, all together
	// itself is the product counting what it spends.
	itself Kind = "counters"
)

// Unknown is what counts of an earlier version have in place of route and caller.
const Unknown = "unknown"

// IPv4 addresses are noted as networks of 256: enough to see where a load comes
// from and to block it, and less than a household.
const ipv4Bits = 24

// label is how counts name the caller. It holds no colon.
func (c Caller) label() string {
	if c.Kind == Server {
		return serverLabel + c.ID
	}
	return string(c.Kind)
}

// serverLabel is what the label of a game server has before its key.
const serverLabel = string(Server) + " "

// ServerKey is the signing key that a count's caller names, if it is a game server.
func ServerKey(label string) (key string, is bool) { return strings.CutPrefix(label, serverLabel) }

// The two kinds of names in records of callers.
const (
	playerName  = "player:"
	networkName = "network:"
)

// name is how a record of callers names the caller; "": not at all.
func (c Caller) name() string {
	switch {
	case c.Kind == Player && game.ValidPlayer(c.ID) == nil: // which a record can hold
		return playerName + c.ID
	case c.Kind != Anonymous || !c.Network.IsValid():
		return ""
	}
	bits := c.Network.Bits()
	if c.Network.Addr().Is4() {
		bits = min(bits, ipv4Bits)
	}
	network, _ := c.Network.Addr().Prefix(bits) // fails for more bits than there are only
	return networkName + network.String()
}

// CalledBy reports who had the call made to the Watch of this context, if it has one.
func CalledBy(ctx context.Context, c Caller) {
	if t, ok := ctx.Value(tallyKey{}).(*tally); ok {
		t.caller.Store(&c)
	}
}
