package limit

import (
	"net"
	"net/netip"
	"strings"
)

// ipv6Bits is how many bits of an IPv6 address identify a caller: providers give each customer
// a whole /64 network.
const ipv6Bits = 64

// Address is where a request came from: the IPv4 address, or the IPv6 network.
//
// remote is the address of the connection, host:port, as the host gives it. hops is how many
// proxies of the deployment add to X-Forwarded-For; forwarded are the lines of that header. The
// caller is the entry that many places from the right. Entries further left come from the
// client, which may write anything there, so they are ignored. If the entry is missing or is no
// address, the request has not come through the proxies, and remote counts.
//
// The zero Prefix is not counted. It is for requests within the process, which have no address,
// and for the machine itself: a connection from 127.0.0.1 or ::1 to a process without proxies.
// Behind proxies every caller is counted, so no header can avoid a limit.
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

// isLocal reports whether a connection comes from this machine. The network of ::1 stands for
// ::1, since no other address of that network is in use.
func isLocal(ip netip.Addr) bool {
	return ip == netip.AddrFrom4([4]byte{127, 0, 0, 1}) || ip == netip.IPv6Unspecified()
}

// caller64 reads an address with or without a port. If the text is no address, it returns the
// zero Prefix.
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
	p, _ := ip.Prefix(bits) // fails only for more bits than the address has
	return p
}
