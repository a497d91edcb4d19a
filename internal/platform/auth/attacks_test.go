package auth_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
)

// However a verifier comes by its keys, the attacks that are known on session
// tokens are refused as credentials that prove nothing, which is a 401.
func TestKnownAttacksAreRefusedWhereverTheKeysComeFrom(t *testing.T) {
	issuer, stranger := authtest.New(t), authtest.New(t)
	server := authtest.NewKeyServer(t, issuer)
	both := server.Config(atNoon)
	both.PEM = issuer.PEM()
	withBoth, err := auth.NewSessions(both)
	require.NoError(t, err)
	verifiers := map[string]*auth.Sessions{
		"given key": issuer.Sessions(atNoon), "published key": server.Sessions(atNoon), "both": withBoth,
	}

	unix := noon.Unix()
	with := func(changes map[string]any, options ...authtest.Option) string {
		return issuer.Token(authtest.Claims("user_a", noon, changes), options...)
	}
	forged := func(options ...authtest.Option) string {
		return with(nil, append([]authtest.Option{authtest.SignedBy(stranger)}, options...)...)
	}
	good := strings.Split(with(nil), ".")
	other := strings.Split(issuer.Token(authtest.Claims("user_b", noon, nil)), ".")

	for name, token := range map[string]string{
		"alg none":                       with(nil, authtest.Unsigned("none")),
		"alg none over a signature":      with(nil, authtest.Header("alg", "none")),
		"HS256 with the public key":      with(nil, authtest.HS256(issuer.PEM())),
		"HS256 that claims RS256":        with(nil, authtest.HS256(issuer.PEM()), authtest.Header("alg", "RS256")),
		"RS512":                          with(nil, issuer.RS512()),
		"PS256":                          with(nil, issuer.PS256()),
		"another's key under our kid":    forged(),
		"another's key, another kid":     forged(kid("ins_other")),
		"another's key, no kid":          forged(authtest.Header("kid", nil)),
		"another's key in the header":    forged(authtest.Header("jwk", stranger.PublicJWK())),
		"another's key set by reference": forged(authtest.Header("jku", "https://evil.test/jwks.json")),
		"another instance's issuer":      with(map[string]any{"iss": "https://clerk.evil.test"}),
		"stripped issuer":                with(map[string]any{"iss": nil}),
		"stripped azp":                   with(map[string]any{"azp": nil}),
		"empty azp":                      with(map[string]any{"azp": ""}),
		"azp of another site":            with(map[string]any{"azp": "https://evil.test"}),
		"expired":                        with(map[string]any{"exp": unix - 6}),
		"never expiring":                 with(map[string]any{"exp": nil}),
		"not yet valid":                  with(map[string]any{"nbf": unix + 6}),
		"pending session":                with(map[string]any{"sts": "pending"}),
		"nobody's":                       with(map[string]any{"sub": nil}),
		"another player's payload":       good[0] + "." + other[1] + "." + good[2],
		"another token of the instance":  with(nil, authtest.Header("cat", "cl_B7d4PD222AAA")),
		"signature stripped":             good[0] + "." + good[1] + ".",
	} {
		for source, sessions := range verifiers {
			t.Run(name+", "+source, func(t *testing.T) {
				player, err := sessions.Verify(t.Context(), token)
				requireRefused(t, err, auth.Invalid, "")
				require.Zero(t, player)
			})
		}
	}
	for source, sessions := range verifiers {
		player, err := sessions.Verify(t.Context(), with(nil))
		require.NoError(t, err, source)
		require.Equal(t, "user_a", player.ID)
	}
	require.Equal(t, 2, server.Fetches(), "one for each verifier that fetches")
}
