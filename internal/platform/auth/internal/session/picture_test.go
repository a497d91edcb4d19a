package session

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPicturesHaveOneForm(t *testing.T) {
	for address, want := range map[string]string{
		"https://img.example/a.png":              "https://img.example/a.png",
		"HTTPS://IMG.Example:443/A.png?b=C#frag": "https://img.example/A.png?b=C",
		"https://img.example:8443/a":             "https://img.example:8443/a",
		"https://img.example/a\"onerror=":        "https://img.example/a%22onerror=",
		"https://img.example":                    "https://img.example",
		"http://img.example/a":                   "",
		"https://user@img.example/a":             "",
		"https://[::1]/a":                        "",
		"https:img.example":                      "",
		"https://":                               "",
		"https://img.example/ü":                  "",
		"javascript:alert(1)":                    "",
		"https://a/" + strings.Repeat("x", 512):  "",
		"https://a/" + strings.Repeat("\"", 400): "",
	} {
		require.Equal(t, want, Picture(address), address)
	}
}

func FuzzPicture(f *testing.F) {
	for _, seed := range []string{"https://IMG.example:443/a?b#c", "https://a/%2f%zz", "https://a.b//..//?#", "https://a:/x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		picture := Picture(address)
		require.Equal(t, picture, Picture(picture), "%q", address)
		require.LessOrEqual(t, len(picture), maxPicture)
		require.NotContains(t, picture, "#")
		require.True(t, picture == "" || strings.HasPrefix(picture, "https://"))
	})
}

// Every viewer's browser asks for a picture, from within the viewer's own network.
func TestPicturesComeFromNamesThatMayBePublic(t *testing.T) {
	for _, host := range []string{
		"img.example", "img.clerk.com", "images.clerk.dev", "a.b.c.example.co.uk", "xn--bcher-kva.example", "bucket.s3.eu-central-1.amazonaws.com", "cdn-1.example.net:8443",
		"10.0.0.5.example", "localhost.example", "local.example", "1.com", "mylocal.dev", "internal.io",
	} {
		require.Equal(t, "https://"+host+"/a.png", Picture("https://"+host+"/a.png"), host)
	}
	for _, host := range []string{
		"10.0.0.5", "192.168.0.1:8443", "127.0.0.1", "8.8.8.8", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "1.2.3.0x4", "10.0.0.5.", "169.254.169.254",
		"[::1]", "[fe80::1]", "[2001:db8::1]:443", "[::ffff:10.0.0.5]", "router", "nas", "localhost", "LocalHost", "app.localhost", "printer.local", "Printer.LOCAL",
		"db.internal", "metadata.google.internal", "nas.home.arpa", "localhost.", "img.example.", ".example", "img..example", "-img.example", "img-.example", ".", "..",
		strings.Repeat("a", 64) + ".example",
	} {
		require.Empty(t, Picture("https://"+host+"/a.png"), host)
	}
}

func FuzzPictureHost(f *testing.F) {
	for _, seed := range []string{"10.0.0.5", "img.example", "0x7f.1", "a.local.", "1.2.3.4:443"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, host string) {
		picture := Picture("https://" + host + "/")
		if picture == "" {
			return
		}
		u, err := url.Parse(picture)
		require.NoError(t, err)
		_, err = netip.ParseAddr(u.Hostname())
		require.Error(t, err)
		last := u.Hostname()[strings.LastIndexByte(u.Hostname(), '.')+1:]
		require.True(t, last != u.Hostname() && last[0] >= 'a' && last[0] <= 'z', picture)
	})
}
