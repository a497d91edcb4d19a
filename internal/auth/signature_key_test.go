package auth_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/auth"
)

func TestASignatureTellsItsKey(t *testing.T) {
	const one, two = "the-first-signing-key-of-32-or-more", "the-second-signing-key-of-32-or-more"
	at := time.Unix(1_795_262_400, 0)
	body := []byte(`{"mode":"daily"}`)
	s, err := auth.NewSignatures([]string{one, two}, func() time.Time { return at })
	require.NoError(t, err)
	first, second := s.KeyOf(auth.Sign(one, at, body), body), s.KeyOf(auth.Sign(two, at, body), body)
	require.Regexp(t, "^[0-9a-f]{8}$", first)
	require.Regexp(t, "^[0-9a-f]{8}$", second)
	require.NotEqual(t, first, second)
	for name, header := range map[string]string{
		"another body": auth.Sign(one, at, []byte("{}")), "another key": auth.Sign("some-other-signing-key-of-32-or-more", at, body),
		"no header": "", "rubbish": "v1",
	} {
		require.Empty(t, s.KeyOf(header, body), name)
	}
}
