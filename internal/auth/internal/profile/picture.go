package profile

import (
	"net/url"
	"strings"
)

const maxPicture = 512 // bytes

// Picture returns the canonical form of an absolute https URL of printable ASCII, up to 512
// bytes: the host in lower case, without port 443 and without fragment. It returns "" for
// everything else, and for a URL with a user or with a host that is not a name.
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
	if host == "" || strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" || strings.ContainsAny(host, "[]:%@") {
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
