package auth_test

import (
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
)

func kid(id string) authtest.Option { return authtest.Header("kid", id) }

func TestPublishedKeysAreFetchedOnce(t *testing.T) {
	issuer := authtest.New(t)
	server := authtest.NewKeyServer(t, issuer)
	sessions := server.Sessions(atNoon)
	require.Zero(t, server.Fetches())
	for range 3 {
		player, err := sessions.Verify(t.Context(), issuer.Token(authtest.Claims("user_a", noon, nil)))
		require.NoError(t, err)
		require.Equal(t, "user_a", player.ID)
	}
	require.Equal(t, 1, server.Fetches())
}

func TestAKeyCountsUnderItsOwnNameOnly(t *testing.T) {
	one, two := authtest.New(t), authtest.New(t)
	server := authtest.NewKeyServer(t, one)
	server.Publish(map[string]*authtest.Issuer{"one": one, "two": two})
	sessions := server.Sessions(atNoon)
	claims := authtest.Claims("user_a", noon, nil)
	for _, token := range []string{one.Token(claims, kid("one")), two.Token(claims, kid("two"))} {
		_, err := sessions.Verify(t.Context(), token)
		require.NoError(t, err)
	}
	_, err := sessions.Verify(t.Context(), one.Token(claims, kid("two")))
	requireRefused(t, err, auth.Invalid, "token signature")
	for _, name := range []any{nil, "", "three", "ONE", 1} {
		_, err := sessions.Verify(t.Context(), one.Token(claims, authtest.Header("kid", name)))
		requireRefused(t, err, auth.Invalid, "does not publish")
	}
	require.Equal(t, 1, server.Fetches())
}

func TestAKeyIsReplacedWithoutDowntime(t *testing.T) {
	before, after := authtest.New(t), authtest.New(t)
	server := authtest.NewKeyServer(t, before)
	server.Publish(map[string]*authtest.Issuer{"before": before})
	clock := testkit.Still(noon)
	sessions := server.Sessions(clock.Now)
	verify := func(issuer *authtest.Issuer, name string) error {
		_, err := sessions.Verify(t.Context(), issuer.Token(authtest.Claims("user_a", clock.Now(), nil), kid(name)))
		return err
	}
	require.NoError(t, verify(before, "before"))

	clock.Pass(31 * time.Second)
	server.Publish(map[string]*authtest.Issuer{"before": before, "after": after})
	require.NoError(t, verify(after, "after"))
	require.NoError(t, verify(before, "before"))

	clock.Pass(31 * time.Second)
	server.Publish(map[string]*authtest.Issuer{"after": after})
	require.NoError(t, verify(before, "before"), "the key is still in the set that was fetched")
	requireRefused(t, verify(after, "later"), auth.Invalid, "does not publish")
	requireRefused(t, verify(before, "before"), auth.Invalid, "does not publish")
	require.NoError(t, verify(after, "after"))
	require.Equal(t, 3, server.Fetches())
}

func TestAGivenKeyNeedsNoNetworkAndAPublishedOneFollowsIt(t *testing.T) {
	given, published, stranger := authtest.New(t), authtest.New(t), authtest.New(t)
	server := authtest.NewKeyServer(t, published)
	server.Publish(map[string]*authtest.Issuer{"published": published})
	server.Down(true)
	clock := testkit.Still(noon)
	config := server.Config(clock.Now)
	config.PEM = given.PEM()
	var failures atomic.Int64
	config.KeysFailed = func(err error) {
		assert.ErrorContains(t, err, "answered 500")
		failures.Add(1)
	}
	sessions, err := auth.NewSessions(config)
	require.NoError(t, err)
	verify := func(issuer *authtest.Issuer, name string) error {
		_, err := sessions.Verify(t.Context(), issuer.Token(authtest.Claims("user_a", clock.Now(), nil), kid(name)))
		return err
	}

	require.NoError(t, verify(given, "given"))
	require.Zero(t, server.Fetches())

	err = verify(published, "published")
	requireRefused(t, err, auth.Unavailable, "are unavailable")
	require.ErrorContains(t, err, "answered 500")
	require.EqualValues(t, 1, failures.Load())

	server.Down(false)
	clock.Pass(2 * time.Second)
	require.NoError(t, verify(published, "published"))
	require.NoError(t, verify(given, "given"))
	requireRefused(t, verify(stranger, "published"), auth.Invalid, "token signature")
	requireRefused(t, verify(stranger, "given"), auth.Invalid, "does not publish")
	require.Equal(t, 2, server.Fetches())
}

// 1,000 callers with kids of their own, several times within one interval and
// then later.
func TestAStormOfForgedTokensCausesOneFetch(t *testing.T) {
	issuer, stranger := authtest.New(t), authtest.New(t)
	server := authtest.NewKeyServer(t, issuer)
	clock := testkit.Still(noon)
	sessions := server.Sessions(clock.Now)
	forged := make([]string, 1000)
	for i := range forged {
		forged[i] = stranger.Token(authtest.Claims("user_a", noon, map[string]any{"exp": noon.Add(time.Hour).Unix()}), kid(fmt.Sprint("ins_", i)))
	}
	good := issuer.Token(authtest.Claims("user_a", noon, map[string]any{"exp": noon.Add(time.Hour).Unix()}))
	storm := func() {
		var group sync.WaitGroup
		for _, token := range forged {
			group.Go(func() {
				_, err := sessions.Verify(t.Context(), token)
				var refused *auth.Error
				if assert.ErrorAs(t, err, &refused) {
					assert.Equal(t, auth.Invalid, refused.Code)
				}
			})
		}
		group.Wait()
		_, err := sessions.Verify(t.Context(), good)
		require.NoError(t, err)
	}
	for range 3 {
		storm()
		require.Equal(t, 1, server.Fetches())
		clock.Pass(9 * time.Second)
	}
	clock.Pass(3 * time.Second)
	storm()
	require.LessOrEqual(t, server.Fetches(), 2, "one in each 30 seconds at most")
	clock.Pass(2 * time.Minute)
	storm()
	require.LessOrEqual(t, server.Fetches(), 3)
}

func TestNoFetchIsMadeForATokenThatIsRefusedAnyway(t *testing.T) {
	stranger := authtest.New(t)
	server := authtest.NewKeyServer(t, stranger)
	sessions := server.Sessions(atNoon)
	for name, changes := range map[string]map[string]any{
		"expired":          {"exp": noon.Add(-time.Minute).Unix()},
		"another instance": {"iss": "https://clerk.other.test"},
		"another site":     {"azp": "https://other.test"},
		"pending":          {"sts": "pending"},
		"nobody's":         {"sub": nil},
	} {
		_, err := sessions.Verify(t.Context(), stranger.Token(authtest.Claims("user_a", noon, changes)))
		requireRefused(t, err, auth.Invalid, "")
		require.Zero(t, server.Fetches(), name)
	}
}

// transport answers every request by itself.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestWithoutAKeyTheIssuersOwnSetIsAsked(t *testing.T) {
	issuer := authtest.New(t)
	var asked string
	sessions, err := auth.NewSessions(auth.SessionConfig{
		Issuer: authtest.IssuerURL, PEM: " \n", Now: atNoon,
		Transport: transport(func(r *http.Request) (*http.Response, error) {
			asked = r.URL.String()
			return &http.Response{StatusCode: 404, Body: io.NopCloser(strings.NewReader(""))}, nil
		}),
	})
	require.NoError(t, err)
	_, err = sessions.Verify(t.Context(), issuer.Token(authtest.Claims("user_a", noon, nil)))
	requireRefused(t, err, auth.Unavailable, "are unavailable")
	require.Equal(t, authtest.IssuerURL+"/.well-known/jwks.json", asked)
}

func TestAKeySetIsTrustedOverVerifiedTLSOnly(t *testing.T) {
	issuer := authtest.New(t)
	server := authtest.NewKeyServer(t, issuer)
	config := server.Config(atNoon)
	config.Transport = &http.Transport{}
	sessions, err := auth.NewSessions(config)
	require.NoError(t, err)
	_, err = sessions.Verify(t.Context(), issuer.Token(authtest.Claims("user_a", noon, nil)))
	requireRefused(t, err, auth.Unavailable, "are unavailable")
	require.ErrorAs(t, err, new(x509.UnknownAuthorityError))

	config.JWKSURL = strings.Replace(config.JWKSURL, "https:", "http:", 1)
	_, err = auth.NewSessions(config)
	require.ErrorContains(t, err, "use https")
}
