package app

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/auth"
)

// devicesFrom makes the verifier of device tokens; nil without keys. If the game has
// anonymous players, each function that takes session tokens needs it.
func devicesFrom(keys []string, p Parts) (*auth.Devices, error) {
	if len(keys) > 0 {
		return auth.NewDevices(keys)
	}
	if p.Game != nil && p.Game.Anonymous && p.Sessions != nil {
		return nil, fmt.Errorf("%s is empty, and the game %s has anonymous players: give a key of at least 32 characters", envDeviceKeys, p.Game.Name)
	}
	return nil, nil
}
