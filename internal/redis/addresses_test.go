package redis_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/redis"
)

func TestAddressesSayWhatIsWrongAndShowNoToken(t *testing.T) {
	listed := redis.Listed{URLs: "URLS", Tokens: "TOKENS"}
	got, err := listed.Addresses("eu=https://a.example, us=http://b.example/x", "us=secret2,eu=secret1==")
	require.NoError(t, err)
	require.Equal(t, []redis.Address{{"eu", "https://a.example", "secret1=="}, {"us", "http://b.example/x", "secret2"}}, got)
	for _, c := range []struct{ urls, tokens, wrong string }{
		{"", "", "is empty"},
		{"https://a.example", "eu=secret", "entry 1 is not name=value"},
		{"eu=a.example", "eu=secret", `the address of "eu"`},
		{"eu=https://a,eu=https://b", "eu=secret", "twice"},
		{"eu=https://a", "", `no token for "eu"`},
		{"eu=https://a", "eu=secret,us=secret", `a token for "us"`},
		{"eu=https://a", "secret", "entry 1 is not name=value"},
		{"eu=https://a", "eu=", "entry 1 is not name=value"},
	} {
		_, err := listed.Addresses(c.urls, c.tokens)
		require.ErrorContains(t, err, c.wrong)
		require.NotContains(t, err.Error(), "secret")
	}
}
