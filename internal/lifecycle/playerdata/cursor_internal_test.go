package playerdata

import (
	"encoding/base64"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A cursor of a version with other lists is refused: else the document would end without them.
func TestACursorWithAnUnknownListIsRefused(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	s := &Service{Now: func() time.Time { return now }, Key: []byte("key")}
	cursor := func(text string) string {
		return base64.RawURLEncoding.EncodeToString(append(s.seal("user_a", []byte(text)), text...))
	}
	_, err := s.open("user_a", cursor(`{"at":"2026-11-29T12:00:00Z","r":{"Mode":"daily","Date":"2026-11-28"}}`))
	require.NoError(t, err)
	_, err = s.open("user_a", cursor(`{"at":"2026-11-29T12:00:00Z","r":{"Mode":"daily","Date":"2026-11-28"},"w":{"at":"2026-11-28T12:00:00Z","id":"spend"}}`))
	require.ErrorIs(t, err, ErrCursor)
}
