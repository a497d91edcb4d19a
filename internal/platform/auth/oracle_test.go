package auth_test

import (
	"testing"
	"time"

	"github.com/clerk/clerk-sdk-go/v2"
	"github.com/clerk/clerk-sdk-go/v2/jwt"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
)

// fixed is the clock that Clerk's SDK is given.
type fixed struct{ at time.Time }

func (c fixed) Now() time.Time { return c.at }

// Clerk's SDK is a second, independent reader of the same tokens: whatever is
// accepted here, it accepts too, for the same player and organization. The
// claims are drawn so that about half of the tokens are good.
func TestClerksSDKAcceptsEveryTokenThatIsAccepted(t *testing.T) {
	issuer, stranger := authtest.New(t), authtest.New(t)
	sessions := issuer.Sessions(atNoon)
	key, err := clerk.JSONWebKeyFromPEM(issuer.PEM())
	require.NoError(t, err)
	issuerURL := authtest.IssuerURL
	mostly := func(t *rapid.T, name string, usual any, odd ...any) any {
		if rapid.IntRange(0, 9).Draw(t, name+" is odd") > 0 {
			return usual
		}
		return rapid.SampledFrom(odd).Draw(t, name)
	}
	accepted := 0
	rapid.Check(t, func(rt *rapid.T) {
		unix := noon.Unix()
		near := func(name string, usual int64) any {
			return mostly(rt, name, usual, nil, 0, unix-6, unix-5, unix-4, unix+5, unix+6, float64(unix)+0.5)
		}
		changes := map[string]any{
			"iss": mostly(rt, "iss", authtest.IssuerURL, nil, "", "https://clerk.evil.test", authtest.IssuerURL+"/"),
			"azp": mostly(rt, "azp", authtest.AuthorizedParty, nil, "", "https://evil.test"),
			"sub": mostly(rt, "sub", "user_a", nil, "", "user a", "user_b"),
			"sts": mostly(rt, "sts", "active", nil, "pending", ""),
			"exp": near("exp", unix+60), "nbf": near("nbf", unix), "iat": near("iat", unix),
			"v":    mostly(rt, "v", 2, nil, 1),
			"o":    mostly(rt, "o", nil, map[string]any{"id": "org_a", "rol": "admin", "slg": "a"}),
			"name": rapid.String().Draw(rt, "name"),
		}
		if changes["v"] != 2 { // organizations of version 1
			changes["o"] = nil
			changes["org_id"] = mostly(rt, "org_id", nil, "org_b")
		}
		var options []authtest.Option
		if alg := mostly(rt, "alg", "RS256", "none", "HS256", "RS384", "stranger"); alg == "stranger" {
			options = append(options, authtest.SignedBy(stranger))
		} else {
			options = append(options, authtest.Header("alg", alg))
		}
		token := issuer.Token(authtest.Claims("user_a", noon, changes), options...)

		player, err := sessions.Verify(t.Context(), token)
		if err != nil {
			return
		}
		accepted++
		theirs, err := jwt.Verify(t.Context(), &jwt.VerifyParams{
			Token: token, JWK: key, Clock: fixed{noon}, Leeway: 5 * time.Second, ProxyURL: &issuerURL,
		})
		require.NoError(rt, err)
		require.Equal(rt, theirs.Subject, player.ID)
		if theirs.ActiveOrganizationID == "" {
			require.Empty(rt, player.Groups)
		} else {
			require.Equal(rt, []string{theirs.ActiveOrganizationID}, player.Groups)
		}
	})
	require.Greater(t, accepted, 10)
}
