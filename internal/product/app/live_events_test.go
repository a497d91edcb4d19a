package app

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnEventAPIIsNamedWithItsKey(t *testing.T) {
	const url, key = "https://x.appsync-api.eu-west-1.amazonaws.com", "da2-key"
	for name, c := range map[string]struct{ url, key, says string }{
		"neither": {}, "both": {url: url, key: key},
		"no key": {url: url, says: "set both APPSYNC_EVENTS_URL and APPSYNC_EVENTS_KEY, or neither"},
		"no URL": {key: key, says: "set both APPSYNC_EVENTS_URL and APPSYNC_EVENTS_KEY, or neither"},
		"a path": {url: url + "/event", key: key, says: "use the HTTP endpoint of an Event API without a path"},
	} {
		t.Run(name, func(t *testing.T) {
			events, err := eventsFrom(environment(map[string]string{"APPSYNC_EVENTS_URL": c.url, "APPSYNC_EVENTS_KEY": c.key}), Parts{})
			if c.says != "" {
				require.ErrorContains(t, err, c.says)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.url != "", events != nil)
		})
	}
}
