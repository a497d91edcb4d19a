package app

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTrustedProxiesAreANumber(t *testing.T) {
	for text, want := range map[string]int{"": 0, "0": 0, "2": 2, "10": 10} {
		hops, err := proxyHops(text)
		require.NoError(t, err)
		require.Equal(t, want, hops)
	}
	for _, text := range []string{"-1", "11", "two", "1.5", "10.0.0.0/8"} {
		_, err := proxyHops(text)
		require.ErrorContains(t, err, "TRUSTED_PROXY_HOPS")
		require.ErrorContains(t, err, "0 to 10")
	}
}
