package app

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/tcpredis"
	"github.com/framedle/leaderboards/upstash"
)

func TestRedisIsChosenByTheEnvironment(t *testing.T) {
	from := func(env map[string]string) error {
		_, err := redisFrom(t.Context(), environment(env), Linked{Redis: tcpredis.Open})
		return err
	}
	require.NoError(t, from(map[string]string{envRedisURL: "https://name.upstash.io", envRedisToken: "t"}))
	require.NoError(t, from(map[string]string{envPlainRedis: "redis://127.0.0.1:1"}), "it may come back")
	require.ErrorContains(t, from(nil), envRedisURL)
	require.ErrorContains(t, from(map[string]string{envRedisURL: "https://h", envRedisToken: "t", envPlainRedis: "redis://h"}), "UPSTASH_REDIS_REST_URL and REDIS_URL are both set")
	require.ErrorContains(t, from(map[string]string{envRedisToken: "t", envPlainRedis: "redis://h"}), "UPSTASH_REDIS_REST_TOKEN and REDIS_URL are both set")
	require.ErrorContains(t, from(map[string]string{envRedisURL: "redis://h", envRedisToken: "t"}), "set it as REDIS_URL")

	_, err := redisFrom(t.Context(), environment(map[string]string{envPlainRedis: "redis://h"}), Linked{})
	require.ErrorContains(t, err, "REDIS_URL: this program speaks to Upstash only")
}

// Keys of cursors and plays are made from a secret, and an address alone is none.
func TestAnAddressWithoutALongPasswordNeedsASecret(t *testing.T) {
	long := strings.Repeat("p", 32)
	for env, right := range map[[2]string]bool{
		{"redis://h", ""}: false, {"redis://user:short@h", ""}: false, {"redis://h/0?" + long, ""}: false,
		{"redis://h", long}: true, {"redis://user:" + long + "@h", ""}: true,
	} {
		_, err := secretsFrom(environment(map[string]string{envPlainRedis: env[0], envSecret: env[1]}))
		if right {
			require.NoError(t, err, env)
			continue
		}
		require.ErrorContains(t, err, "SECRET is empty, and the password in REDIS_URL has fewer than 32 characters", env)
	}
}

// Everything that is wrong is said at once.
func TestAWrongServerIsNamedBesideWhatElseIsWrong(t *testing.T) {
	_, err := FromEnv(t.Context(), environment(map[string]string{envPlainRedis: "redis://h", envGame: "chess", envSigningKeys: "short"}), nil, Linked{
		Redis: func(context.Context, string, upstash.Config) (*upstash.Client, error) { return nil, errTest },
	})
	for _, name := range []string{"REDIS_URL: of the wrong kind", "GAME", "SIGNING_KEYS", "SECRET"} {
		require.ErrorContains(t, err, name)
	}
}

type testError string

func (e testError) Error() string { return string(e) }

const errTest = testError("of the wrong kind")
