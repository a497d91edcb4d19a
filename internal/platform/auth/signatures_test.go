package auth_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/auth"
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
		"schemes to come":             {[]string{keyOne}, "v0=x," + now + ",v3=a=b,kid="},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			server, err := newSignatures(t, test.keys...).Verify(test.header, auth.Request{Method: "POST", Path: "/v1/scores", Body: body})
			require.NoError(t, err)
			require.False(t, server.Bound)
		})
	}
}

// The MAC was computed once with another implementation:
// printf '1790000000.POST./v1/scores.{"score":800}' | openssl dgst -sha256 -hmac KEY
func TestSignRequestFollowsTheDocumentedForm(t *testing.T) {
	header := auth.SignRequest(keyOne, time.Unix(1790000000, 999), auth.Request{Method: "POST", Path: "/v1/scores", Body: []byte(`{"score":800}`)})
	require.Equal(t, "t=1790000000,v2=ac21add44f5730c75713c92c5815f81adafd70ba0ee62f39e012b81db13ea9e1", header)
}

var result = auth.Request{Method: "POST", Path: "/v1/duels/d1/result", Body: []byte(`{"winner":"a"}`)}

func TestAGoodV2IsAccepted(t *testing.T) {
	two := auth.SignRequest(keyOne, noon, result)
	one := auth.Sign(keyOne, noon, result.Body)
	bad := strings.Repeat("0", 64)
	for name, header := range map[string]string{
		"alone":                        two,
		"300 seconds old":              auth.SignRequest(keyOne, noon.Add(-300*time.Second), result),
		"of the other key in rotation": auth.SignRequest(keyTwo, noon, result),
		"of both keys":                 two + strings.TrimPrefix(auth.SignRequest(keyTwo, noon, result), fmt.Sprintf("t=%d", noon.Unix())),
		"beside a good v1":             two + ",v1=" + sum(one),
		"beside a v1 that is not":      "v1=" + bad + "," + two,
		"one good of eight of each":    fmt.Sprintf("t=%d", noon.Unix()) + strings.Repeat(",v2="+bad, 7) + strings.Repeat(",v1="+bad, 8) + strings.TrimPrefix(two, fmt.Sprintf("t=%d", noon.Unix())),
		"schemes to come":              "v0=x," + two + ",v3=a=b",
	} {
		server, err := newSignatures(t, keyOne, keyTwo).Verify(header, result)
		require.NoError(t, err, name)
		require.True(t, server.Bound, name)
	}
}

func TestAV2SpeaksForItsMethodPathAndBodyOnly(t *testing.T) {
	signatures := newSignatures(t, keyOne)
	two, one := auth.SignRequest(keyOne, noon, result), ",v1="+sum(auth.Sign(keyOne, noon, result.Body))
	for name, r := range map[string]auth.Request{
		"another duel":       {Method: "POST", Path: "/v1/duels/d2/result", Body: result.Body},
		"another method":     {Method: "PUT", Path: result.Path, Body: result.Body},
		"a method in lower":  {Method: "post", Path: result.Path, Body: result.Body},
		"another body":       {Method: "POST", Path: result.Path, Body: []byte(`{"winner":"b"}`)},
		"no body":            {Method: "POST", Path: result.Path},
		"a slash at the end": {Method: "POST", Path: result.Path + "/", Body: result.Body},
		"no path":            {Method: "POST", Body: result.Body},
	} {
		_, err := signatures.Verify(two, r)
		requireRefused(t, err, auth.Invalid, "does not match method, path and body")
		_, err = signatures.Verify(two+one, r)
		requireRefused(t, err, auth.Invalid, "does not match method, path and body")
		if string(r.Body) == string(result.Body) {
			server, err := signatures.Verify(two[:strings.Index(two, ",")]+one, r)
			require.NoError(t, err, "%s: a v1 alone speaks for the body", name)
			require.False(t, server.Bound)
		}
	}
	_, err := signatures.Verify(strings.Replace(two, "v2=", "v1=", 1), result)
	requireRefused(t, err, auth.Invalid, "does not match the body")
	_, err = signatures.Verify(strings.Replace(auth.Sign(keyOne, noon, result.Body), "v1=", "v2=", 1), result)
	requireRefused(t, err, auth.Invalid, "does not match method")
}

// Keys have names that tell them apart, and the first of the configuration that
// holds is the one that counts.
func TestASignatureNamesItsKey(t *testing.T) {
	for _, sign := range []func(key string) string{
		func(key string) string { return auth.Sign(key, noon, result.Body) },
		func(key string) string { return auth.SignRequest(key, noon, result) },
	} {
		both := newSignatures(t, keyOne, keyTwo)
		one, err := both.Verify(sign(keyOne), result)
		require.NoError(t, err)
		two, err := both.Verify(sign(keyTwo), result)
		require.NoError(t, err)
		require.Regexp(t, "^[0-9a-f]{8}$", one.Key)
		require.Regexp(t, "^[0-9a-f]{8}$", two.Key)
		require.NotEqual(t, one.Key, two.Key)
		at, second, _ := strings.Cut(sign(keyTwo), ",")
		each := sign(keyOne) + "," + second
		named, err := both.Verify(each, result)
		require.NoError(t, err)
		require.Equal(t, one.Key, named.Key, at)
		named, err = newSignatures(t, keyTwo, keyOne).Verify(each, result)
		require.NoError(t, err)
		require.Equal(t, two.Key, named.Key)
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
		"missing v1":             {unix, "neither v2 nor v1"},
		"only another scheme":    {unix + ",v3=" + sum(good), "neither v2 nor v1"},
		"a v1 as a v2":           {unix + ",v2=" + sum(good), "method, path"},
		"v2 empty beside v1":     {good + ",v2=", "a v2 that is not 64 hex digits"},
		"nine v2":                {good + strings.Repeat(",v2="+sum(good), 9), "more than 8 v2"},
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
		"white space":            {strings.Replace(good, ",", ", ", 1), "neither v2 nor v1"},
		"space before":           {" " + good, "no t"},
		"comma at the end":       {good + ",", "must look like"},
		"no pairs":               {"hello", "must look like"},
		"no name":                {"=x," + good, "must look like"},
	}
	signatures := newSignatures(t, keyOne)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := signatures.Verify(test.header, auth.Request{Method: "POST", Path: "/v1/scores", Body: body})
			requireRefused(t, err, auth.Invalid, test.reason)
		})
	}
	_, err := signatures.Verify("", auth.Request{Body: body})
	requireRefused(t, err, auth.Missing, "required")
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

func TestASignatureHoldsForItsRequestTimeAndKeyOnly(t *testing.T) {
	signatures := newSignatures(t, keyOne)
	holds := func(header string, r auth.Request) bool {
		_, err := signatures.Verify(header, r)
		return err == nil
	}
	rapid.Check(t, func(t *rapid.T) {
		request := func(label string) auth.Request {
			return auth.Request{
				Method: rapid.SampledFrom([]string{"GET", "POST", "DELETE"}).Draw(t, label+" method"),
				Path:   rapid.StringMatching(`/v1(/[a-z.]{1,2}){1,2}`).Draw(t, label+" path"),
				Body:   []byte(rapid.StringMatching(`|\{[a-z".{}/]{0,4}\}`).Draw(t, label+" body")),
			}
		}
		sent, other := request("sent"), request("other")
		offset := rapid.Int64Range(-400, 400).Draw(t, "offset")
		at := noon.Add(time.Duration(offset) * time.Second)
		bodyOnly, bound := auth.Sign(keyOne, at, sent.Body), auth.SignRequest(keyOne, at, sent)

		within := -300 <= offset && offset <= 300
		require.Equal(t, within, holds(bodyOnly, sent))
		require.Equal(t, within, holds(bound, sent))
		sameBody := string(other.Body) == string(sent.Body)
		require.Equal(t, within && sameBody, holds(bodyOnly, other))
		same := sameBody && other.Method == sent.Method && other.Path == sent.Path
		require.Equal(t, within && same, holds(bound, other))
		for _, header := range []string{bodyOnly, bound} {
			_, err := newSignatures(t, keyTwo).Verify(header, sent)
			require.Error(t, err)
		}
	})
}
