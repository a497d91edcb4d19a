package live

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatOthersHadToldIsKept(t *testing.T) {
	for set, want := range map[string]string{"": "Kzg", "Ex": "ExKzg", "AE": "AEK", "zK": "zKg", "gzxKE": "gzxKE", "AK": "AK", "gzK": "gzK"} {
		flags, had := withFlags(set, OfBoards.Classes)
		require.Equal(t, want, flags)
		require.Equal(t, set == want, had)
	}
	for set, want := range map[string]string{"": "Kzgh", "gzK": "gzKh", "AK": "AK", "hzKg": "hzKg"} {
		flags, _ := withFlags(set, OfDuels.Classes)
		require.Equal(t, want, flags)
	}
}
