package live

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatOthersHadToldIsKept(t *testing.T) {
	for set, want := range map[string]string{"": "Kzg", "Ex": "ExKzg", "AE": "AEK", "zK": "zKg", "gzxKE": "gzxKE", "AK": "AK", "gzK": "gzK"} {
		flags, had := withFlags(set)
		require.Equal(t, want, flags)
		require.Equal(t, set == want, had)
	}
}
