package app

import (
	"io"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestValuesAreTakenAsTheyAreMeant(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                      nil,
		" https://Example.com/ , ":              {"https://example.com"},
		`"https://a.example","http://b:5173/"`:  {"https://a.example", "http://b:5173"},
		"'https://a.example,capacitor://local'": {"https://a.example", "capacitor://local"},
		"native":                                {"native"},
		"*":                                     {"*"},
	} {
		require.Equal(t, want, origins(text), text)
	}
	require.Equal(t, "https://clerk.example.com", issuer(` "https://clerk.example.com/"`))
	require.Equal(t, "no PEM", pemLines("no PEM"))
	require.Equal(t, "-----BEGIN PUBLIC KEY-----\nAB\nCD\n-----END PUBLIC KEY-----\n", pemLines(`"-----BEGIN PUBLIC KEY----- AB\nCD-----END PUBLIC KEY-----"`))
	require.Equal(t, `-----BEGIN PUBLIC KEY-----AB`, pemLines(`-----BEGIN PUBLIC KEY-----AB`), "half a block is for the parser to refuse")
}

func TestAFunctionSaysAtItsStartWhichOriginIsNone(t *testing.T) {
	env := map[string]string{envRedisURL: ` "https://name.upstash.io/" `, envRedisToken: " t\n", envAllowedOrigins: "localhost:5173,https://ok.example/,https://a.example/path"}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	_, err := FromEnv(t.Context(), environment(env), log, Linked{})
	require.ErrorContains(t, err, `CORS_ORIGINS: "localhost:5173" is not an origin: use scheme and host without a path`)
	require.ErrorContains(t, err, `CORS_ORIGINS: "https://a.example/path"`)
	require.NotContains(t, err.Error(), "ok.example")
	env[envAllowedOrigins] = "https://ok.example/"
	_, err = FromEnv(t.Context(), environment(env), log, Linked{})
	require.NoError(t, err)
}
