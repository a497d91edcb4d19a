package device

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
)

// MayBeNamed refuses a device that may not change its name now. Nobody vouches for a device's
// name, and anybody can get another device, so changes are counted by device and by address.
// Changes by signed-in players are not counted here.
//
// Cost: 1 or 2 billed commands for how often the device has done so today, and those of
// Check.
func (c ClaimedDevices) MayBeNamed(w http.ResponseWriter, r *gate.Request, counts *gate.Guard) error {
	if !r.Caller.IsDevice() {
		return nil
	}
	if _, err := counts.Take(w, r.Request, limit.Devices, limit.Caller{Address: counts.Address(r.Request)}); err != nil {
		return err
	}
	if err := c.Check(r.Context(), r.Caller); err != nil {
		return err
	}
	_, err := counts.Take(w, r.Request, limit.Names, limit.Caller{Player: r.Caller.Player.ID})
	return err
}
