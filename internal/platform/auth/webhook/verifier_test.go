package webhook_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
)

const (
	secretOne = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"
	secretTwo = "whsec_YWJjZGVmZ2hpamFiY2RlZmdoaWphYmNk"
)

var (
	noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	body = []byte(`{"type":"user.deleted","data":{"id":"user_a"}}`)
)

func atNoon() time.Time { return noon }

func verifier(t require.TestingT, secrets ...string) *webhook.Verifier {
	v, err := webhook.NewVerifier(secrets, atNoon)
	require.NoError(t, err)
	return v
}

func sign(t require.TestingT, secret string, at time.Time, body []byte) webhook.Headers {
	h, err := webhook.Sign(secret, "msg_a", at, body)
	require.NoError(t, err)
	return h
}

func requireRefused(t *testing.T, err error, code auth.Code, reason string) {
	t.Helper()
	var refused *auth.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, code, refused.Code)
	require.Contains(t, refused.Reason, reason)
}

// The example of Svix's documentation.
func TestASignatureIsThatOfSvix(t *testing.T) {
	h, err := webhook.Sign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek",
		time.Unix(1614265330, 999), []byte(`{"test": 2432232314}`))
	require.NoError(t, err)
	require.Equal(t, webhook.Headers{
		ID: "msg_p5jXN8AQM9LWM0D4loKWxJek", Timestamp: "1614265330",
		Signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
	}, h)
}

func TestGoodDeliveriesAreAccepted(t *testing.T) {
	good := sign(t, secretOne, noon, body)
	other := sign(t, secretTwo, noon, body)
	with := func(signature string) webhook.Headers {
		h := good
		h.Signature = signature
		return h
	}
	bad := "v1," + base64.StdEncoding.EncodeToString(make([]byte, 32))
	for name, test := range map[string]struct {
		secrets []string
		headers webhook.Headers
	}{
		"now":                        {[]string{secretOne}, good},
		"300 seconds old":            {[]string{secretOne}, sign(t, secretOne, noon.Add(-300*time.Second), body)},
		"300 seconds ahead":          {[]string{secretOne}, sign(t, secretOne, noon.Add(300*time.Second), body)},
		"old secret during rotation": {[]string{secretTwo, secretOne}, good},
		"new secret during rotation": {[]string{secretOne, secretTwo}, good},
		"signed with both secrets":   {[]string{secretTwo}, with(good.Signature + " " + other.Signature)},
		"one good of eight":          {[]string{secretOne}, with(strings.Repeat(bad+" ", 7) + good.Signature)},
		"an asymmetric one beside":   {[]string{secretOne}, with("v1a,AAAA " + good.Signature + " v2,x")},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, verifier(t, test.secrets...).Verify(test.headers, body))
		})
	}
}

func TestForgedDeliveriesAreRefused(t *testing.T) {
	good := sign(t, secretOne, noon, body)
	changed := func(change func(*webhook.Headers)) webhook.Headers {
		h := good
		change(&h)
		return h
	}
	signature := func(s string) webhook.Headers {
		return changed(func(h *webhook.Headers) { h.Signature = s })
	}
	id := func(s string) webhook.Headers { return changed(func(h *webhook.Headers) { h.ID = s }) }
	at := func(s string) webhook.Headers { return changed(func(h *webhook.Headers) { h.Timestamp = s }) }
	const mismatch, notTime, notV1 = "does not match", "unix seconds", "32 bytes in base64"
	dotted, err := webhook.Sign(secretOne, "msg_a.1", noon, body)
	require.NoError(t, err)

	for name, test := range map[string]struct {
		headers webhook.Headers
		body    []byte
		reason  string
	}{
		"replayed after 301 seconds":  {sign(t, secretOne, noon.Add(-301*time.Second), body), body, "300 seconds"},
		"301 seconds ahead":           {sign(t, secretOne, noon.Add(301*time.Second), body), body, "300 seconds"},
		"replayed with a new time":    {at(fmt.Sprint(noon.Unix() - 1)), body, mismatch},
		"replayed under another id":   {id("msg_b"), body, mismatch},
		"altered body":                {good, []byte(`{"type":"user.deleted","data":{"id":"user_b"}}`), mismatch},
		"empty body":                  {good, nil, mismatch},
		"another secret":              {sign(t, secretTwo, noon, body), body, mismatch},
		"body of 256 KiB and a byte":  {good, make([]byte, webhook.MaxBody+1), "256 KiB"},
		"id with a full stop":         {dotted, body, "svix-id"},
		"id with a line end":          {id("msg_a\n"), body, "svix-id"},
		"id of 129 characters":        {id(strings.Repeat("m", 129)), body, "svix-id"},
		"time with a sign":            {at("+" + good.Timestamp), body, notTime},
		"time with a leading zero":    {at("0" + good.Timestamp), body, notTime},
		"time with a fraction":        {at(good.Timestamp + ".0"), body, notTime},
		"time negative":               {at("-1"), body, notTime},
		"time beyond 64 bits":         {at(strings.Repeat("9", 30)), body, notTime},
		"time in milliseconds":        {at(good.Timestamp + "000"), body, notTime},
		"far past":                    {at("0"), body, "300 seconds"},
		"no v1":                       {signature("v2" + good.Signature[2:]), body, "no v1"},
		"V1":                          {signature("V1" + good.Signature[2:]), body, "no v1"},
		"without scheme":              {signature(good.Signature[3:]), body, "no v1"},
		"spaces alone":                {signature("  "), body, "no v1"},
		"empty v1":                    {signature("v1,"), body, notV1},
		"v1 cut":                      {signature(good.Signature[:len(good.Signature)-4]), body, notV1},
		"v1 without padding":          {signature(strings.TrimRight(good.Signature, "=")), body, notV1},
		"v1 with a line end":          {signature(good.Signature + "\n"), body, notV1},
		"v1 in hex":                   {signature("v1," + strings.Repeat("00", 32)), body, notV1},
		"a good v1 and a bad":         {signature(good.Signature + " v1,x"), body, notV1},
		"joined by a comma":           {signature(good.Signature + "," + good.Signature), body, notV1},
		"nine v1":                     {signature(strings.TrimSpace(strings.Repeat(good.Signature+" ", 9))), body, "more than 8"},
		"a thousand v1":               {signature(strings.Repeat(good.Signature+" ", 1000)), body, "2048"},
		"a signature of game servers": {signature(auth.Sign(secretOne, noon, body)), body, "no v1"},
	} {
		t.Run(name, func(t *testing.T) {
			requireRefused(t, verifier(t, secretOne).Verify(test.headers, test.body), auth.Invalid, test.reason)
		})
	}
}

func TestAMissingHeaderIsMissingNotInvalid(t *testing.T) {
	good := sign(t, secretOne, noon, body)
	for _, h := range []webhook.Headers{
		{}, {ID: good.ID, Timestamp: good.Timestamp}, {ID: good.ID, Signature: good.Signature}, {Timestamp: good.Timestamp, Signature: good.Signature},
	} {
		requireRefused(t, verifier(t, secretOne).Verify(h, body), auth.Missing, "required")
	}
}

func TestHeadersAreFoundInARequest(t *testing.T) {
	h := http.Header{}
	h.Set("Svix-Id", "a")
	h.Set("SVIX-TIMESTAMP", "b")
	h.Set("svix-signature", "c")
	require.Equal(t, webhook.Headers{ID: "a", Timestamp: "b", Signature: "c"}, webhook.HeadersOf(h))
}

func TestWeakSecretsAreRefusedAtStart(t *testing.T) {
	short := "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 23))
	for name, test := range map[string]struct {
		secrets []string
		says    string
	}{
		"none":                {nil, "is empty"},
		"an empty one":        {[]string{secretOne, ""}, "secret 2 of 2 does not begin with whsec_"},
		"without the prefix":  {[]string{strings.TrimPrefix(secretOne, "whsec_")}, "does not begin"},
		"a secret API key":    {[]string{"sk_test_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"}, "does not begin"},
		"23 bytes":            {[]string{short}, "too short"},
		"the prefix alone":    {[]string{"whsec_"}, "too short"},
		"not base64":          {[]string{"whsec_%%%%"}, "not base64"},
		"with a line end":     {[]string{secretOne + "\n"}, "not base64"},
		"with a space before": {[]string{" " + secretOne}, "does not begin"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := webhook.NewVerifier(test.secrets, atNoon)
			require.ErrorContains(t, err, test.says)
			require.ErrorContains(t, err, "CLERK_WEBHOOK_SECRETS")
			require.NotContains(t, err.Error(), "MDEyMzQ1")
		})
	}
	_, err := webhook.NewVerifier([]string{secretOne}, nil)
	require.ErrorContains(t, err, "clock")
	_, err = webhook.Sign("x", "msg_a", noon, nil)
	require.ErrorContains(t, err, "whsec_")
}

func TestASignatureHoldsForItsMessageOnly(t *testing.T) {
	v := verifier(t, secretOne)
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`[A-Za-z0-9_-]{1,128}`).Draw(t, "id")
		text := rapid.SliceOf(rapid.Byte()).Draw(t, "body")
		other := rapid.SliceOf(rapid.Byte()).Draw(t, "other")
		offset := rapid.Int64Range(-400, 400).Draw(t, "offset")
		h, err := webhook.Sign(secretOne, id, noon.Add(time.Duration(offset)*time.Second), text)
		require.NoError(t, err)
		within := -300 <= offset && offset <= 300
		require.Equal(t, within, v.Verify(h, text) == nil)
		if string(other) != string(text) {
			require.Error(t, v.Verify(h, other))
		}
		require.Error(t, verifier(t, secretTwo).Verify(h, text))
	})
}

// Whatever the headers, nobody has the secret here.
func FuzzVerify(f *testing.F) {
	v := verifier(f, secretOne)
	other := sign(f, secretTwo, noon, body)
	f.Add(other.ID, other.Timestamp, other.Signature)
	f.Add("msg_a", other.Timestamp, "v1, v1,AA== v1a,x")
	f.Add("", "", "")
	f.Fuzz(func(t *testing.T, id, timestamp, signature string) {
		err := v.Verify(webhook.Headers{ID: id, Timestamp: timestamp, Signature: signature}, body)
		var refused *auth.Error
		require.ErrorAs(t, err, &refused)
		require.NotEmpty(t, refused.Reason)
		require.Equal(t, id == "" || timestamp == "" || signature == "", refused.Code == auth.Missing)
	})
}
