package webhookstore

import (
	"net/netip"

	"github.com/framedle/leaderboards/internal/feature/webhook"
)

// Public reports whether messages may be sent to an address.
func Public(address string) bool { return public.SafeAddr(netip.MustParseAddr(address)) == nil }

// Dialer is dialer.
func Dialer(w webhook.Endpoint) Dial { return dialer(w) }
