package webhooks

import (
	"net/netip"

	"github.com/framedle/leaderboards/internal/game"
)

// Public is public, of a text.
func Public(address string) bool { return public(netip.MustParseAddr(address).Unmap()) }

// Dialer is dialer.
func Dialer(w game.Webhook) Dial { return dialer(w) }
