package client

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// signature makes the header Framedle-Signature: HMAC-SHA256 over the time, with v2 also
// method and path, and the body, separated by full stops. path begins at /v1, is not
// percent-encoded, and has no query.
func (c *Client) signature(method, path string, body []byte) string {
	t := strconv.FormatInt(c.now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(c.signingKey))
	mac.Write([]byte(t + "."))
	if c.scheme == "v2" {
		mac.Write([]byte(method + "." + path + "."))
	}
	mac.Write(body)
	return "t=" + t + "," + c.scheme + "=" + hex.EncodeToString(mac.Sum(nil))
}

// who returns which credentials a path needs: the operator's, a game server's, or none. Public
// routes carry no credential, so that caches may keep the answers. Scores carry both if the
// client has both, as the operator's import requires.
func (c *Client) who(path string) (operator, server bool) {
	switch {
	case strings.HasPrefix(path, "/v1/ops/"):
		return true, false
	case strings.HasPrefix(path, "/v1/scores"):
		return true, true
	case strings.HasPrefix(path, "/v1/duels"), strings.HasPrefix(path, "/v1/live/duels/"), path == "/v1/plays", path == "/v1/events", strings.HasPrefix(path, "/v1/me/wallets/"):
		return false, true
	}
	return false, false
}
