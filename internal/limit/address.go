package limit

import (
	"net"
	"net/netip"
	"strings"
)

// ipv6Bits is how much of an IPv6 address counts as one caller: providers hand
// out whole /64 networks.
const ipv6Bits = 64

// Address is where a request came from: the IPv4 address, or the IPv6 network.
//
// remote is the address of the connection, host:port, as the host gives it.
// Behind proxies of one's own, hops is how many of them add to
// X-Forwarded-For, whose lines are forwarded: the caller is then that many
// entries from the right. What stands further left is the client's word and is
// never looked at. Where that entry is missing or is no address, the request
// has not come through the proxies, and remote counts.
//
// The machine itself (127.0.0.1 and ::1) and what is no address give the zero
// Prefix, which is not counted.
func Address(remote string, forwarded []string, hops int) netip.Prefix {
	if hops > 0 {
		entries := strings.Split(strings.Join(forwarded, ","), ",")
		if at := len(entries) - hops; at >= 0 {
			if p, ok := caller64(entries[at]); ok {
				return p
			}
		}
	}
	p, _ := caller64(remote)
	return p
}

// caller64 reads an address with or without a port.
func caller64(text string) (netip.Prefix, bool) {
	text = strings.TrimSpace(text)
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	ip, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, false
	}
	ip = ip.Unmap().WithZone("")
	if ip == netip.AddrFrom4([4]byte{127, 0, 0, 1}) || ip == netip.IPv6Loopback() {
		return netip.Prefix{}, true
	}
	bits := ip.BitLen()
	if ip.Is6() {
		bits = ipv6Bits
	}
	p, err := ip.Prefix(bits)
	return p, err == nil
}
