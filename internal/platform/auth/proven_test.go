package auth_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
)

// That a token was good a moment ago says nothing of its claims and keys now.

func TestATokenThatWasGoodIsRefusedOnceItHasExpired(t *testing.T) {
	issuer, clock := authtest.New(t), testkit.Still(noon)
	sessions := issuer.Sessions(clock.Now)
	token := issuer.Token(authtest.Claims("user_a", noon, map[string]any{"exp": noon.Unix() + 60}))
	for range 2 {
		player, err := sessions.Verify(t.Context(), token)
		require.NoError(t, err)
		require.Equal(t, "user_a", player.ID)
	}
	clock.Pass(2 * time.Minute)
	_, err := sessions.Verify(t.Context(), token)
	requireRefused(t, err, auth.Invalid, "expired")
	clock.Pass(-time.Hour) // and before it begins
	_, err = sessions.Verify(t.Context(), token)
	requireRefused(t, err, auth.Invalid, "not valid yet")
}

func TestATokenThatWasGoodIsRefusedOnceItsKeyIsWithdrawn(t *testing.T) {
	before, after := authtest.New(t), authtest.New(t)
	server, clock := authtest.NewKeyServer(t, before), testkit.Still(noon)
	server.Publish(map[string]*authtest.Issuer{"one": before})
	sessions := server.Sessions(clock.Now)
	claims := authtest.Claims("user_a", noon, map[string]any{"exp": noon.Add(time.Hour).Unix()})
	old, theirs := before.Token(claims, kid("one")), after.Token(claims, kid("one"))
	for range 2 {
		_, err := sessions.Verify(t.Context(), old)
		require.NoError(t, err)
		_, err = sessions.Verify(t.Context(), theirs)
		requireRefused(t, err, auth.Invalid, "token signature")
	}
	clock.Pass(31 * time.Second)
	server.Publish(map[string]*authtest.Issuer{"one": after}) // another key of that name
	_, err := sessions.Verify(t.Context(), before.Token(claims, kid("two")))
	requireRefused(t, err, auth.Invalid, "does not publish") // for which the set was fetched
	for range 2 {
		_, err = sessions.Verify(t.Context(), old)
		requireRefused(t, err, auth.Invalid, "token signature")
		_, err = sessions.Verify(t.Context(), theirs)
		require.NoError(t, err)
	}
	require.Equal(t, 2, server.Fetches())
}

func TestWhatResemblesATokenThatWasGoodIsRefused(t *testing.T) {
	issuer := authtest.New(t)
	sessions := issuer.Sessions(atNoon)
	good, others := issuer.Token(authtest.Claims("user_a", noon, nil)), issuer.Token(authtest.Claims("user_b", noon, nil))
	for _, token := range []string{good, others} {
		_, err := sessions.Verify(t.Context(), token)
		require.NoError(t, err)
	}
	a, b := strings.Split(good, "."), strings.Split(others, ".")
	for _, mixed := range []string{
		a[0] + "." + b[1] + "." + a[2],
		a[0] + "." + a[1] + "." + b[2],
		a[0] + "." + a[1] + "." + a[2][:len(a[2])-2],
		a[0] + "." + a[1] + ".AAAA" + a[2],
	} {
		_, err := sessions.Verify(t.Context(), mixed)
		requireRefused(t, err, auth.Invalid, "token signature")
	}
}
