package app

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/feature/live"
)

const (
	envEventsURL = "APPSYNC_EVENTS_URL" // HTTP endpoint of an Event API that gets the changes of boards; empty: none
	envEventsKey = "APPSYNC_EVENTS_KEY" // with APPSYNC_EVENTS_URL, secret: an API key that may publish
)

// eventsFrom makes the publisher of boards that change; nil if none is configured.
func eventsFrom(getenv func(string) string, p Parts) (*live.Publisher, error) {
	address, key := getenv(envEventsURL), getenv(envEventsKey)
	if address+key == "" {
		return nil, nil
	}
	if address == "" || key == "" {
		return nil, fmt.Errorf("set both %s and %s, or neither", envEventsURL, envEventsKey)
	}
	events, err := live.NewAppSync(live.AppSyncOptions{URL: address, Key: key, Now: p.Now, Log: p.Log})
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", envEventsURL, envEventsKey, err)
	}
	return events, nil
}
