package webhook

import (
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

const (
	// scheme begins a signature by HMAC-SHA256.
	scheme = "v1,"
	// maxSignatures is how many signatures one delivery may carry. Svix sends one for each
	// secret while secrets are being rotated.
	maxSignatures = 8
	// maxSignature bounds the header in bytes: eight signatures take 383,
	// which leaves room for schemes to come.
	maxSignature = 2048
	maxID        = 128 // bytes
	// maxUnixDigits keeps the time far inside 64 bits (the year 5138).
	maxUnixDigits = 11
)

// delivery is the content of the headers.
type delivery struct {
	unix int64
	v1   [][]byte
}

// parseHeaders reads the headers in exactly the form that Svix writes. The id has no full
// stop, so that "id.timestamp.body" has only one reading. The time is decimal without leading
// zeros. Signatures are separated by single spaces; schemes other than v1 are ignored.
func parseHeaders(h Headers) (delivery, *auth.Error) {
	if h.ID == "" || h.Timestamp == "" || h.Signature == "" {
		return delivery{}, &auth.Error{Code: auth.Missing, Reason: "the headers svix-id, svix-timestamp and svix-signature are required"}
	}
	if !isID(h.ID) {
		return delivery{}, invalid("the header svix-id is not 1 to 128 letters, digits, - and _")
	}
	var d delivery
	var ok bool
	if d.unix, ok = parseUnix(h.Timestamp); !ok {
		return delivery{}, invalid("the header svix-timestamp is not a time in whole unix seconds")
	}
	if len(h.Signature) > maxSignature {
		return delivery{}, invalid("the header svix-signature is longer than 2048 bytes")
	}
	for item := range strings.SplitSeq(h.Signature, " ") {
		text, isV1 := strings.CutPrefix(item, scheme)
		if !isV1 {
			continue
		}
		if len(d.v1) == maxSignatures {
			return delivery{}, invalid("the header svix-signature has more than 8 v1")
		}
		sum, err := base64.StdEncoding.Strict().DecodeString(text)
		if err != nil || len(sum) != sha256.Size || strings.ContainsAny(text, "\r\n") {
			return delivery{}, invalid("the header svix-signature has a v1 that is not 32 bytes in base64")
		}
		d.v1 = append(d.v1, sum)
	}
	if len(d.v1) == 0 {
		return delivery{}, invalid("the header svix-signature has no v1")
	}
	return d, nil
}

func isID(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return len(s) <= maxID
}

func parseUnix(s string) (int64, bool) {
	if len(s) > maxUnixDigits {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n >= 0 && strconv.FormatInt(n, 10) == s
}
