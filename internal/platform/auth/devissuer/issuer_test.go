package devissuer_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func clockAt(at time.Time) func() time.Time { return func() time.Time { return at } }

func TestItsOwnVerifierAcceptsItsTokens(t *testing.T) {
	issuer, err := devissuer.New()
	require.NoError(t, err)
	sessions, err := issuer.Sessions(clockAt(noon))
	require.NoError(t, err)

	for _, want := range []auth.Player{
		{ID: "user_a"},
		{ID: "user_b", Name: "Bia", Picture: "https://img.test/b.png", Country: "BR", Groups: []string{"org_a"}},
	} {
		token, err := issuer.Issue(devissuer.Claims{
			Player: want.ID, Name: want.Name, Picture: want.Picture, Country: want.Country, Groups: want.Groups,
		}, noon, time.Minute)
		require.NoError(t, err)
		got, err := sessions.Verify(t.Context(), token)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestTokensExpire(t *testing.T) {
	issuer, err := devissuer.New()
	require.NoError(t, err)
	token, err := issuer.Issue(devissuer.Claims{Player: "user_a"}, noon, time.Minute)
	require.NoError(t, err)
	for after, good := range map[time.Duration]bool{
		-6 * time.Second: false, -5 * time.Second: true, 0: true, 64 * time.Second: true, 65 * time.Second: false,
	} {
		sessions, err := issuer.Sessions(clockAt(noon.Add(after)))
		require.NoError(t, err)
		_, err = sessions.Verify(t.Context(), token)
		require.Equal(t, good, err == nil, "%v after", after)
	}
}

func TestTokensHaveTheFormOfClerksVersionTwo(t *testing.T) {
	issuer, err := devissuer.New()
	require.NoError(t, err)
	token, err := issuer.Issue(devissuer.Claims{Player: "user_a", Groups: []string{"org_a"}}, noon, time.Minute)
	require.NoError(t, err)

	var header, claims map[string]any
	parts := strings.Split(token, ".")
	for i, into := range []*map[string]any{&header, &claims} {
		text, err := base64.RawURLEncoding.DecodeString(parts[i])
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, into))
	}
	require.Equal(t, map[string]any{"alg": "RS256", "cat": "cl_B7d4PD111AAA", "kid": "ins_development", "typ": "JWT"}, header)
	unix := float64(noon.Unix())
	require.Equal(t, map[string]any{
		"azp": issuer.AuthorizedParty(), "exp": unix + 60, "fva": []any{0.0, -1.0}, "iat": unix,
		"iss": issuer.Issuer(), "nbf": unix, "o": map[string]any{"id": "org_a", "rol": "member"},
		"sid": "sess_development", "sts": "active", "sub": "user_a", "v": 2.0,
	}, claims)
}

func TestImpossibleClaimsAreRefused(t *testing.T) {
	issuer, err := devissuer.New()
	require.NoError(t, err)
	for name, test := range map[string]struct {
		claims devissuer.Claims
		life   time.Duration
		says   string
	}{
		"no player":  {devissuer.Claims{}, time.Minute, "not a player id"},
		"forged id":  {devissuer.Claims{Player: "a\nb"}, time.Minute, "not a player id"},
		"two groups": {devissuer.Claims{Player: "a", Groups: []string{"b", "c"}}, time.Minute, "one active organization"},
		"no life":    {devissuer.Claims{Player: "a"}, 0, "one second or more"},
		"backward":   {devissuer.Claims{Player: "a"}, -time.Minute, "one second or more"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := issuer.Issue(test.claims, noon, test.life)
			require.ErrorContains(t, err, test.says)
		})
	}
}

func TestNoProductionVerifierAcceptsItsTokens(t *testing.T) {
	issuer, err := devissuer.New()
	require.NoError(t, err)
	token, err := issuer.Issue(devissuer.Claims{Player: "user_a"}, noon, time.Minute)
	require.NoError(t, err)

	_, err = auth.NewSessions(auth.SessionConfig{Issuer: issuer.Issuer(), PEM: issuer.PEM(), Now: clockAt(noon)})
	require.ErrorContains(t, err, "development")

	// Even with the development key configured, the issuer does not match.
	sessions, err := auth.NewSessions(auth.SessionConfig{Issuer: "https://clerk.example.com", PEM: issuer.PEM(), Now: clockAt(noon)})
	require.NoError(t, err)
	_, err = sessions.Verify(t.Context(), token)
	require.ErrorContains(t, err, "another issuer")
}

func TestTwoIssuersDoNotTrustEachOther(t *testing.T) {
	one, err := devissuer.New()
	require.NoError(t, err)
	two, err := devissuer.New()
	require.NoError(t, err)
	token, err := one.Issue(devissuer.Claims{Player: "user_a"}, noon, time.Minute)
	require.NoError(t, err)
	sessions, err := two.Sessions(clockAt(noon))
	require.NoError(t, err)
	_, err = sessions.Verify(t.Context(), token)
	require.ErrorContains(t, err, "token signature")
}
