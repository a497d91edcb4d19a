package app

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRedisIsChosenByTheEnvironment(t *testing.T) {
	from := func(env map[string]string) error {
		_, err := redisFrom(func(name string) string { return env[name] })
		return err
	}
	require.NoError(t, from(map[string]string{envRedisURL: "https://name.upstash.io", envRedisToken: "t"}))
	require.ErrorContains(t, from(nil), envRedisURL)
	require.ErrorContains(t, from(map[string]string{envRedisURL: "https://h", envRedisToken: "t", envPlainRedis: "redis://h"}), "both set")
	// A build that speaks REST only, or the transport: each names the variable.
	require.ErrorContains(t, from(map[string]string{envPlainRedis: "http://:s3cret@h"}), envPlainRedis)
}
