package app

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

func TestAGameWithAnonymousPlayersNeedsAKey(t *testing.T) {
	good := strings.Repeat("k", 32)
	for name, test := range map[string]struct {
		keys                []string
		anonymous, sessions bool
		want                string // of the error
	}{
		"no key":                          {nil, true, true, "DEVICE_KEYS is empty, and the game g has anonymous players: use a key of at least 32 characters"},
		"a key":                           {[]string{good}, true, true, ""},
		"a short key":                     {[]string{"k"}, true, true, "DEVICE_KEYS: key 1 of 1 is too short"},
		"a game without":                  {nil, false, true, ""},
		"a function that knows no player": {nil, true, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := Parts{Game: &game.Game{Name: "g", Anonymous: test.anonymous}}
			if test.sessions {
				p.Sessions = (*auth.Sessions)(nil)
			}
			devices, err := devicesFrom(test.keys, p)
			if test.want != "" {
				require.ErrorContains(t, err, test.want)
				return
			}
			require.NoError(t, err)
			require.Equal(t, len(test.keys) > 0, devices != nil)
		})
	}
}
