package s3test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"regexp"
	"strings"
)

// The only valid credentials.
const (
	keyID  = "AKIATEST"
	secret = "secret"
	region = "eu-west-1"
)

var authorization = regexp.MustCompile(`^AWS4-HMAC-SHA256 Credential=` + keyID + `/(\d{8})/` + region + `/s3/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$`)

// signed reports whether a request has the signature that S3 requires, computed here from the
// rules themselves.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
func signed(r *http.Request) bool {
	parts := authorization.FindStringSubmatch(r.Header.Get("Authorization"))
	if parts == nil {
		return false
	}
	day, names := parts[1], strings.Split(parts[2], ";")
	var headers strings.Builder
	for _, name := range names {
		value := r.Header.Get(name)
		switch name {
		case "host":
			value = r.Host
		case "content-length":
			value = strings.TrimSpace(value)
		}
		headers.WriteString(name + ":" + value + "\n")
	}
	canonical := strings.Join([]string{
		r.Method, r.URL.EscapedPath(), strings.ReplaceAll(r.URL.Query().Encode(), "+", "%20"),
		headers.String(), parts[2], r.Header.Get("X-Amz-Content-Sha256"),
	}, "\n")
	sum := sha256.Sum256([]byte(canonical))
	text := strings.Join([]string{"AWS4-HMAC-SHA256", r.Header.Get("X-Amz-Date"), day + "/" + region + "/s3/aws4_request", hex.EncodeToString(sum[:])}, "\n")
	key := []byte("AWS4" + secret)
	for _, part := range []string{day, region, "s3", "aws4_request"} {
		key = mac(key, part)
	}
	return hex.EncodeToString(mac(key, text)) == parts[3]
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
