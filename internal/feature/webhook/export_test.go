package webhook

import (
	"net/netip"

	"github.com/framedle/leaderboards/internal/game"
)

// Public reports whether messages may be sent to an address.
func Public(address string) bool { return public.SafeAddr(netip.MustParseAddr(address)) == nil }

// Dialer is dialer.
func Dialer(w game.Webhook) Dial { return dialer(w) }
