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
// The zero Prefix is not counted. It stands for the machine itself, where nothing
// is in front of the process and the connection comes from 127.0.0.1 or ::1; and
// for requests within the process, which have no address. Behind proxies
// everybody is counted: what a header says opens nothing.
func Address(remote string, forwarded []string, hops int) netip.Prefix {
	if hops > 0 {
		entries := strings.Split(strings.Join(forwarded, ","), ",")
		if at := len(entries) - hops; at >= 0 {
			if p := caller64(entries[at]); p.IsValid() {
				return p
			}
		}
	}
	p := caller64(remote)
	if hops <= 0 && p.IsValid() && isLocal(p.Addr()) {
		return netip.Prefix{}
	}
	return p
}

// isLocal reports whether a connection comes from the machine's own tools. ::1
// is known by its network, of which no other address is in use.
func isLocal(ip netip.Addr) bool {
	return ip == netip.AddrFrom4([4]byte{127, 0, 0, 1}) || ip == netip.IPv6Unspecified()
}

// caller64 reads an address with or without a port; what is none gives the zero
// Prefix.
func caller64(text string) netip.Prefix {
	text = strings.TrimSpace(text)
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	ip, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}
	}
	ip = ip.Unmap().WithZone("")
	bits := ip.BitLen()
	if ip.Is6() {
		bits = ipv6Bits
	}
	p, _ := ip.Prefix(bits) // fails for more bits than there are only
	return p
}
