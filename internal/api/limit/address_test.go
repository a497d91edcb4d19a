package limit_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/limit"
)

func TestAnAddressComesFromTrustedSourcesOnly(t *testing.T) {
	for name, c := range map[string]struct {
		remote    string
		forwarded []string
		hops      int
		want      string
	}{
		"the connection":                   {"192.0.2.7:4711", nil, 0, "192.0.2.7/32"},
		"a header that nobody vouches for": {"192.0.2.7:4711", []string{"198.51.100.1"}, 0, "192.0.2.7/32"},
		"one proxy":                        {"10.0.0.1:80", []string{"198.51.100.1"}, 1, "198.51.100.1/32"},
		"the client's own words before it": {"10.0.0.1:80", []string{"203.0.113.9, 198.51.100.1"}, 1, "198.51.100.1/32"},
		"in a line of their own":           {"10.0.0.1:80", []string{"203.0.113.9", "198.51.100.1"}, 1, "198.51.100.1/32"},
		"two proxies":                      {"10.0.0.1:80", []string{"203.0.113.9, 198.51.100.1, 10.9.9.9"}, 2, "198.51.100.1/32"},
		"past the proxies":                 {"192.0.2.7:4711", []string{"198.51.100.1"}, 2, "192.0.2.7/32"},
		"no header":                        {"192.0.2.7:4711", nil, 1, "192.0.2.7/32"},
		"rubbish where the proxy writes":   {"192.0.2.7:4711", []string{"198.51.100.1, unknown"}, 1, "192.0.2.7/32"},
		"a port beside it":                 {"10.0.0.1:80", []string{"198.51.100.1:9999"}, 1, "198.51.100.1/32"},
		"IPv6 by network":                  {"[2001:db8:1:2:3:4:5:6]:0", nil, 0, "2001:db8:1:2::/64"},
		"IPv6 in brackets":                 {"10.0.0.1:80", []string{"[2001:db8::1]"}, 1, "2001:db8::/64"},
		"IPv4 as IPv6":                     {"[::ffff:192.0.2.7]:1", nil, 0, "192.0.2.7/32"},
		"a zone":                           {"[fe80::1%eth0]:1", nil, 0, "fe80::/64"},
		"this machine":                     {"127.0.0.1:4711", nil, 0, ""},
		"this machine, as a header says":   {"192.0.2.7:4711", []string{"127.0.0.1"}, 0, "192.0.2.7/32"},
		"this machine, as a proxy says":    {"10.0.0.1:80", []string{"127.0.0.1"}, 1, "127.0.0.1/32"},
		"over IPv6, as a proxy says":       {"10.0.0.1:80", []string{"::1"}, 1, "::/64"},
		"a proxy on this machine":          {"127.0.0.1:80", []string{"198.51.100.1"}, 1, "198.51.100.1/32"},
		"past a proxy on this machine":     {"127.0.0.1:4711", nil, 1, "127.0.0.1/32"},
		"this machine over IPv6":           {"[::1]:4711", nil, 0, ""},
		"another loopback address":         {"127.3.2.1:4711", nil, 0, "127.3.2.1/32"},
		"none":                             {"", nil, 0, ""},
		"no address":                       {"unix", nil, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := limit.Address(c.remote, c.forwarded, c.hops)
			if c.want == "" {
				require.Equal(t, netip.Prefix{}, got)
				return
			}
			require.Equal(t, c.want, got.String())
		})
	}
}

func FuzzAddress(f *testing.F) {
	f.Add("192.0.2.7:4711", "203.0.113.9, 198.51.100.1", 1)
	f.Add("[2001:db8::1]:0", "[::1]:80,,", 2)
	f.Fuzz(func(t *testing.T, remote, forwarded string, hops int) {
		got := limit.Address(remote, []string{forwarded}, hops)
		require.Equal(t, got.Masked(), got)
		if hops > 0 && !strings.Contains(forwarded, ",") {
			// Whatever the client writes before what a proxy adds changes nothing.
			require.Equal(t, limit.Address(remote, []string{"198.51.100.1"}, 1), limit.Address(remote, []string{forwarded, "198.51.100.1"}, 1))
		}
	})
}
