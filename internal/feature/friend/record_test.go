package friend

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzRecord(f *testing.F) {
	for _, text := range []string{"", "0", "7 user_a", "12 user_a user_b", "01", "1 ", "-1", "9223372036854775808"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		version, ids, err := parse(text)
		if err != nil || text == "" {
			require.Empty(t, ids)
			return
		}
		require.Equal(t, text, record(version, ids))
	})
}
