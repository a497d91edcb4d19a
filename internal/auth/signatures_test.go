package auth_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const (
	keyOne = "signing-key-one-0123456789-01234"
	keyTwo = "signing-key-two-0123456789-01234"
)

func newSignatures(t require.TestingT, keys ...string) *auth.Signatures {
	s, err := auth.NewSignatures(keys, atNoon)
	require.NoError(t, err)
	return s
}

// sum is the hex part of a header made by Sign.
func sum(header string) string {
	_, hex, _ := strings.Cut(header, "v1=")
	return hex
}

// The MAC was computed once with another implementation:
// printf '1790000000.{"score":800}' | openssl dgst -sha256 -hmac KEY
func TestSignFollowsTheDocumentedForm(t *testing.T) {
	header := auth.Sign(keyOne, time.Unix(1790000000, 999), []byte(`{"score":800}`))
	require.Equal(t, "t=1790000000,v1=baf396cf6f7fe845f86835fd1a12a776209389f6fb8f2c335bf7fd5f455639f3", header)
}

func TestGoodSignaturesAreAccepted(t *testing.T) {
	body := []byte(`{"score":800}`)
	now := auth.Sign(keyOne, noon, body)
	unix := fmt.Sprintf("t=%d", noon.Unix())
	bad := strings.Repeat("0", 64)
	tests := map[string]struct {
		keys   []string
		header string
	}{
		"now":                         {[]string{keyOne}, now},
		"300 seconds old":             {[]string{keyOne}, auth.Sign(keyOne, noon.Add(-300*time.Second), body)},
		"300 seconds ahead":           {[]string{keyOne}, auth.Sign(keyOne, noon.Add(300*time.Second), body)},
		"old key during rotation":     {[]string{keyTwo, keyOne}, now},
		"new key during rotation":     {[]string{keyOne, keyTwo}, now},
		"both keys, signed with both": {[]string{keyOne, keyTwo}, now + ",v1=" + sum(auth.Sign(keyTwo, noon, body))},
		"one good of eight":           {[]string{keyOne}, unix + strings.Repeat(",v1="+bad, 7) + ",v1=" + sum(now)},
		"upper-case hex":              {[]string{keyOne}, unix + ",v1=" + strings.ToUpper(sum(now))},
		"v1 before t":                 {[]string{keyOne}, "v1=" + sum(now) + "," + unix},
		"schemes to come":             {[]string{keyOne}, "v0=x," + now + ",v2=a=b,kid="},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, newSignatures(t, test.keys...).Verify(test.header, body))
		})
	}
}

func TestBadSignaturesAreRefused(t *testing.T) {
	body := []byte(`{"score":800}`)
	good := auth.Sign(keyOne, noon, body)
	unix := fmt.Sprintf("t=%d", noon.Unix())
	mac := ",v1=" + sum(good)
	tests := map[string]struct{ header, reason string }{
		"301 seconds old":        {auth.Sign(keyOne, noon.Add(-301*time.Second), body), "300 seconds"},
		"301 seconds ahead":      {auth.Sign(keyOne, noon.Add(301*time.Second), body), "300 seconds"},
		"far past":               {"t=0" + mac, "300 seconds"},
		"far future":             {"t=99999999999" + mac, "300 seconds"},
		"another body":           {auth.Sign(keyOne, noon, []byte(`{"score":801}`)), "does not match"},
		"empty body":             {auth.Sign(keyOne, noon, nil), "does not match"},
		"another key":            {auth.Sign(keyTwo, noon, body), "does not match"},
		"another time":           {fmt.Sprintf("t=%d", noon.Unix()+1) + mac, "does not match"},
		"time moved to the body": {auth.Sign(keyOne, noon, append([]byte("."), body...)), "does not match"},
		"missing t":              {mac[1:], "no t"},
		"missing v1":             {unix, "no v1"},
		"only another scheme":    {unix + ",v2=" + sum(good), "no v1"},
		"two t":                  {unix + "," + good, "more than one t"},
		"t empty":                {"t=" + mac, "unix seconds"},
		"t negative":             {"t=-1" + mac, "unix seconds"},
		"t with a plus":          {strings.Replace(good, "t=", "t=+", 1), "unix seconds"},
		"t with a leading zero":  {strings.Replace(good, "t=", "t=0", 1), "unix seconds"},
		"t with a fraction":      {unix + ".5" + mac, "unix seconds"},
		"t with underscores":     {"t=1_790_000" + mac, "unix seconds"},
		"t beyond 64 bits":       {"t=99999999999999999999" + mac, "unix seconds"},
		"T instead of t":         {strings.Replace(good, "t=", "T=", 1), "no t"},
		"bad hex":                {unix + ",v1=" + strings.Repeat("zz", 32), "64 hex digits"},
		"odd hex":                {good[:len(good)-1], "64 hex digits"},
		"hex too short":          {good[:len(good)-2], "64 hex digits"},
		"hex too long":           {good + "00", "64 hex digits"},
		"v1 empty":               {unix + ",v1=", "64 hex digits"},
		"a good v1 and a bad":    {good + ",v1=zz", "64 hex digits"},
		"nine v1":                {unix + strings.Repeat(mac, 9), "more than 8 v1"},
		"a thousand v1":          {unix + strings.Repeat(mac, 1000), "longer than 2048"},
		"white space":            {strings.Replace(good, ",", ", ", 1), "no v1"},
		"space before":           {" " + good, "no t"},
		"comma at the end":       {good + ",", "must look like"},
		"no pairs":               {"hello", "must look like"},
		"no name":                {"=x," + good, "must look like"},
	}
	signatures := newSignatures(t, keyOne)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			requireRefused(t, signatures.Verify(test.header, body), auth.Invalid, test.reason)
		})
	}
	requireRefused(t, signatures.Verify("", body), auth.Missing, "required")
}

func TestWeakSigningKeysAreRefusedAtStart(t *testing.T) {
	for name, test := range map[string]struct {
		keys []string
		says string
	}{
		"none":           {nil, "at least one key"},
		"an empty one":   {[]string{keyOne, ""}, "key 2 of 2 is too short"},
		"31 characters":  {[]string{keyOne[:31]}, "at least 32"},
		"a line end":     {[]string{keyOne + "\n"}, "white space"},
		"a space before": {[]string{keyOne, " " + keyTwo}, "key 2 of 2"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := auth.NewSignatures(test.keys, atNoon)
			require.ErrorContains(t, err, test.says)
			require.ErrorContains(t, err, "SIGNING_KEYS")
			require.NotContains(t, err.Error(), keyOne[:20])
		})
	}
	_, err := auth.NewSignatures([]string{keyOne}, nil)
	require.ErrorContains(t, err, "clock")
}

func TestASignatureHoldsForItsBodyTimeAndKeyOnly(t *testing.T) {
	signatures := newSignatures(t, keyOne)
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SliceOf(rapid.Byte()).Draw(t, "body")
		other := rapid.SliceOf(rapid.Byte()).Draw(t, "other")
		offset := rapid.Int64Range(-400, 400).Draw(t, "offset")
		header := auth.Sign(keyOne, noon.Add(time.Duration(offset)*time.Second), body)

		within := -300 <= offset && offset <= 300
		require.Equal(t, within, signatures.Verify(header, body) == nil)
		if string(other) != string(body) {
			require.Error(t, signatures.Verify(header, other))
		}
		require.Error(t, newSignatures(t, keyTwo).Verify(header, body))
	})
}
