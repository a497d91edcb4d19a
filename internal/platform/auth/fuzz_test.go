package auth_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
)

func FuzzBearer(f *testing.F) {
	for _, seed := range []string{"", "Bearer", "Bearer abc", "bearer  a.b-c_d~e+f/g==", "Basic abc", "Bearer a b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		token, ok := auth.Bearer(header)
		if !ok {
			require.Empty(t, token)
			return
		}
		require.NotContains(t, token, " ")
		again, ok := auth.Bearer("Bearer " + token)
		require.True(t, ok)
		require.Equal(t, token, again)
	})
}

// Whatever the header, a request is accepted only under a signature made with the
// key, and nobody has it here.
func FuzzSignatureHeader(f *testing.F) {
	signatures := newSignatures(f, keyOne)
	request := auth.Request{Method: "POST", Path: "/v1/scores", Body: []byte(`{"score":800}`)}
	for _, seed := range []string{
		"", "t=1", "v1=00", auth.Sign(keyTwo, noon, request.Body), auth.SignRequest(keyTwo, noon, request),
		"t=1,t=2,v1=" + strings.Repeat("0", 64),
		auth.Sign(keyTwo, noon, request.Body) + ",v2=x,v1=" + strings.Repeat("A", 64),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		var refused *auth.Error
		_, err := signatures.Verify(header, request)
		require.ErrorAs(t, err, &refused)
		require.NotEmpty(t, refused.Reason)
		require.Equal(t, header == "", refused.Code == auth.Missing)
	})
}

// Whatever the three parts of a token, without the key it is refused. Parts
// are fuzzed before encoding too, to get past base64 at once.
func FuzzVerify(f *testing.F) {
	sessions := authtest.New(f).Sessions(atNoon)
	stranger := authtest.New(f)
	claims := authtest.Claims("user_a", noon, nil)
	for _, token := range []string{
		stranger.Token(claims),
		stranger.Token(claims, authtest.Unsigned("none")),
		stranger.Token(claims, authtest.HS256(stranger.PEM())),
		stranger.Token(claims, authtest.Header("crit", []string{"b64"}), authtest.Header("b64", false)),
		stranger.Token(claims, authtest.Header("jwk", stranger.PublicJWK())),
		"..", "", "{}",
	} {
		parts := append(strings.Split(token, "."), "", "", "")
		f.Add(parts[0], parts[1], parts[2])
	}
	f.Fuzz(func(t *testing.T, header, payload, signature string) {
		encode := base64.RawURLEncoding.EncodeToString
		for _, token := range []string{
			header,
			header + "." + payload + "." + signature,
			encode([]byte(header)) + "." + encode([]byte(payload)) + "." + encode([]byte(signature)),
		} {
			player, err := sessions.Verify(t.Context(), token)
			var refused *auth.Error
			require.ErrorAs(t, err, &refused)
			require.NotEmpty(t, refused.Reason)
			require.Zero(t, player)
		}
	})
}

func TestNoByteOfATokenCanChange(t *testing.T) {
	issuer := authtest.New(t)
	sessions := issuer.Sessions(atNoon)
	good := issuer.Token(authtest.Claims("user_a", noon, nil))
	_, err := sessions.Verify(t.Context(), good)
	require.NoError(t, err)

	rapid.Check(t, func(rt *rapid.T) {
		// The last byte of each part has bits that base64 does not need.
		at := rapid.OneOf(
			rapid.IntRange(0, len(good)-1),
			rapid.SampledFrom([]int{strings.Index(good, ".") - 1, strings.LastIndex(good, ".") - 1, len(good) - 1}),
		).Draw(rt, "at")
		to := rapid.OneOf(
			rapid.Byte(),
			rapid.SampledFrom([]byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")),
		).Draw(rt, "to")
		if to == good[at] {
			return
		}
		_, err := sessions.Verify(t.Context(), good[:at]+string([]byte{to})+good[at+1:])
		require.Error(rt, err)
	})
}

func TestReasonsRepeatNothingOfTheCredential(t *testing.T) {
	const mark = "s3cr3t-mark"
	issuer := authtest.New(t)
	sessions := issuer.Sessions(atNoon)
	for _, claim := range []string{"iss", "azp", "sub", "sts", "exp"} {
		_, err := sessions.Verify(t.Context(), issuer.Token(authtest.Claims("user_a", noon, map[string]any{claim: mark + " "})))
		if err != nil {
			require.NotContains(t, err.Error(), mark, claim)
		}
	}
	for _, member := range []string{"alg", "typ", "cat"} {
		_, err := sessions.Verify(t.Context(), issuer.Token(authtest.Claims("user_a", noon, nil), authtest.Header(member, mark)))
		require.Error(t, err)
		require.NotContains(t, err.Error(), mark, member)
	}
	for _, header := range []string{"t=" + mark + ",v1=" + mark, "t=1,v2=" + mark} {
		_, err := newSignatures(t, keyOne).Verify(header, auth.Request{})
		require.Error(t, err)
		require.NotContains(t, err.Error(), mark)
	}
}
