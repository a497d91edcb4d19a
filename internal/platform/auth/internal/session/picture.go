package session

import (
	"net/url"
	"strings"
)

const maxPicture = 512 // bytes

// Picture returns the canonical form of an absolute https URL of printable ASCII, up to 512
// bytes: the host in lower case, without port 443 and without fragment. It returns "" for
// everything else, and for a URL with a user or with a host that cannot be public: the browser of
// every player who looks at a board asks it, from within that player's network.
func Picture(s string) string {
	if len(s) > maxPicture {
		return ""
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return ""
		}
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" || u.User != nil || u.Opaque != "" {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	if !public(host) {
		return ""
	}
	if port := u.Port(); port != "" && port != "443" {
		host += ":" + port
	}
	u.Host, u.Fragment, u.RawFragment = host, "", ""
	if s = u.String(); len(s) > maxPicture {
		return ""
	}
	return s
}

// public reports whether a host, in lower case, is a name of at least two labels, and none that
// RFC 6761, 6762 and 8375 and ICANN keep for local networks. The last label begins with a letter:
// browsers read a name that ends in a number, as 127.1 and 1.2.3.0x4 do, as an IPv4 address.
func public(host string) bool {
	labels := strings.Split(host, ".")
	for _, label := range labels {
		if len(label) < 1 || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
	}
	switch last := labels[len(labels)-1]; last {
	case "localhost", "local", "internal":
		return false
	default:
		return len(labels) > 1 && last[0] >= 'a' && !strings.HasSuffix("."+host, ".home.arpa")
	}
}
