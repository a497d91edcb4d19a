package client

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// signature is the header Framedle-Signature of a request: HMAC-SHA256 over the
// time, and with v2 method and path, and the body, a full stop between each. path
// begins at /v1, is as it reads before percent-encoding, and has no query.
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

// who says whose request a path is: the operator's, a game server's or anybody's.
// What anybody may ask for carries no credential, so that caches may keep the answer.
// Scores carry both where both are known: so does the operator's import.
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
