package auth_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
)

func newDevices(t require.TestingT, keys ...string) *auth.Devices {
	d, err := auth.NewDevices(keys)
	require.NoError(t, err)
	return d
}

// The MAC was computed once with another implementation:
// printf 'framedle device v1\nAAECAwQFBgcICQoLDA0ODw' | openssl dgst -sha256 -hmac KEY -binary | base64
func TestADeviceTokenHasTheDocumentedForm(t *testing.T) {
	device, err := newDevices(t, keyOne).Issue(bytes.NewReader([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}))
	require.NoError(t, err)
	require.Equal(t, auth.Device{
		ID:    "dev_AAECAwQFBgcICQoLDA0ODw",
		Token: "dev1.AAECAwQFBgcICQoLDA0ODw.g-aOhfJMqEqwGwWgKigfHm5vgv6yJav6bsdf0i5gKqI",
	}, device)
}

func TestAnIssuedTokenIsAcceptedAsItIs(t *testing.T) {
	devices := newDevices(t, keyOne)
	seen := map[string]bool{}
	for range 100 {
		device, err := devices.Issue(rand.Reader)
		require.NoError(t, err)
		require.False(t, seen[device.ID])
		seen[device.ID] = true
		require.NoError(t, game.ValidPlayer(device.ID))
		require.Len(t, device.Token, 71)
		token, ok := auth.Bearer("Bearer " + device.Token)
		require.True(t, ok)
		require.True(t, auth.IsDeviceToken(token))
		require.True(t, auth.IsDevice(device.ID))
		again, err := devices.Verify(token)
		require.NoError(t, err)
		require.Equal(t, device, again)
	}
}

func TestATokenOfAnOlderKeyIsExchangedForOneOfTheFirst(t *testing.T) {
	before, err := newDevices(t, keyOne).Issue(rand.Reader)
	require.NoError(t, err)

	during, err := newDevices(t, keyTwo, keyOne).Verify(before.Token)
	require.NoError(t, err)
	require.Equal(t, before.ID, during.ID)
	require.NotEqual(t, before.Token, during.Token)

	after := newDevices(t, keyTwo)
	same, err := after.Verify(during.Token)
	require.NoError(t, err)
	require.Equal(t, during, same)
	_, err = after.Verify(before.Token)
	requireRefused(t, err, auth.Invalid, "token signature")
}

func TestForgedDeviceTokensAreRefused(t *testing.T) {
	devices := newDevices(t, keyOne, keyTwo)
	mine, err := devices.Issue(rand.Reader)
	require.NoError(t, err)
	theirs, err := devices.Issue(rand.Reader)
	require.NoError(t, err)
	stranger, err := newDevices(t, strings.Repeat("s", 32)).Issue(rand.Reader)
	require.NoError(t, err)
	id, sum := mine.Token[5:27], mine.Token[28:]
	const shape, signature = "not a device token", "token signature"

	for name, test := range map[string]struct{ token, reason string }{
		"another key":           {stranger.Token, signature},
		"another's id":          {"dev1." + theirs.Token[5:27] + "." + sum, signature},
		"no signature":          {"dev1." + id + "." + strings.Repeat("A", 43), signature},
		"the id alone":          {"dev1." + id, shape},
		"the player id":         {mine.ID, shape},
		"another version":       {"dev2." + mine.Token[5:], shape},
		"version in capitals":   {"DEV1." + mine.Token[5:], shape},
		"without version":       {mine.Token[5:], shape},
		"a byte short":          {mine.Token[:70], shape},
		"a byte long":           {mine.Token + "A", shape},
		"padded":                {mine.Token + "=", shape},
		"a line end":            {mine.Token[:70] + "\n", shape},
		"standard base64":       {"dev1." + id + "." + strings.Repeat("+", 43), shape},
		"spare bits of the id":  {"dev1." + id[:21] + "B." + sum, shape},
		"spare bits of the sum": {mine.Token[:70] + "B", shape},
		"id short, sum long":    {"dev1." + id[:20] + "." + sum + "AA", shape},
		"no stop":               {"dev1." + id + "A" + sum, shape},
		"a session token":       {authtest.New(t).Token(authtest.Claims("user_a", noon, nil)), shape},
		"huge":                  {"dev1." + strings.Repeat("A", 1<<20), shape},
	} {
		t.Run(name, func(t *testing.T) {
			device, err := devices.Verify(test.token)
			requireRefused(t, err, auth.Invalid, test.reason)
			require.Zero(t, device)
		})
	}
	_, err = devices.Verify("")
	requireRefused(t, err, auth.Missing, "required")
}

func TestADeviceTokenIsNoSessionToken(t *testing.T) {
	device, err := newDevices(t, keyOne).Issue(rand.Reader)
	require.NoError(t, err)
	issuer := authtest.New(t)
	_, err = issuer.Sessions(atNoon).Verify(t.Context(), device.Token)
	requireRefused(t, err, auth.Invalid, "")
	require.False(t, auth.IsDeviceToken(issuer.Token(authtest.Claims("user_a", noon, nil))))
	require.False(t, auth.IsDevice("user_a"))
}

func TestWeakDeviceKeysAreRefusedAtStart(t *testing.T) {
	for name, test := range map[string]struct {
		keys []string
		says string
	}{
		"none":          {nil, "has 0 keys"},
		"five":          {[]string{keyOne, keyOne, keyOne, keyOne, keyOne}, "has 5 keys"},
		"an empty one":  {[]string{keyOne, ""}, "key 2 of 2 is too short"},
		"31 characters": {[]string{keyOne[:31]}, "at least 32"},
		"a line end":    {[]string{keyOne + "\n"}, "white space"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := auth.NewDevices(test.keys)
			require.ErrorContains(t, err, test.says)
			require.ErrorContains(t, err, "DEVICE_KEYS")
			require.NotContains(t, err.Error(), keyOne[:20])
		})
	}
}

func TestNoDeviceIsMadeWithoutRandomness(t *testing.T) {
	devices := newDevices(t, keyOne)
	for _, random := range []*bytes.Reader{bytes.NewReader(nil), bytes.NewReader(make([]byte, 15))} {
		device, err := devices.Issue(random)
		require.ErrorContains(t, err, "making a device id")
		require.Zero(t, device)
	}
	broken := errors.New("no entropy")
	_, err := devices.Issue(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
}

func TestNoByteOfADeviceTokenCanChange(t *testing.T) {
	devices := newDevices(t, keyOne)
	device, err := devices.Issue(rand.Reader)
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(0, len(device.Token)-1).Draw(t, "at")
		to := rapid.Byte().Draw(t, "to")
		if to == device.Token[at] {
			return
		}
		_, err := devices.Verify(device.Token[:at] + string([]byte{to}) + device.Token[at+1:])
		require.Error(t, err)
	})
}

func FuzzDeviceToken(f *testing.F) {
	devices := newDevices(f, keyOne)
	stranger, err := newDevices(f, keyTwo).Issue(bytes.NewReader(make([]byte, 16)))
	require.NoError(f, err)
	for _, seed := range []string{"", "dev1.", stranger.Token, "dev1..", "dev1." + strings.Repeat("A", 66)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		device, err := devices.Verify(token)
		var refused *auth.Error
		require.ErrorAs(t, err, &refused)
		require.NotEmpty(t, refused.Reason)
		require.Zero(t, device)
	})
}
