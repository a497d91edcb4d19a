package api

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/limit"
	"github.com/framedle/leaderboards/internal/profiles"
)

// A device may take a name where the game allows it. Nobody vouches for it, and whoever
// has one device can have another: so its names are counted by device and by address,
// and are gone with whatever ends the device.

// orPlayer reads PATCH /v1/me, of devices and of players.
func (d devices) orPlayer(m me) gate.Endpoint {
	return func(w http.ResponseWriter, r *gate.Request) error {
		if !r.Caller.IsDevice() {
			return m.patchMe(w, r)
		}
		return d.rename(w, r, m)
	}
}

// rename has a device take a name, or give it back.
//
// Cost: that of a player's change, 1 or 2 for how often the device has done so today,
// and 1 in 10 minutes for whether somebody has claimed it.
func (d devices) rename(w http.ResponseWriter, r *gate.Request, m me) error {
	device := r.Caller.Player.ID
	if err := fields.OpenQuery(r.URL).Done(); err != nil {
		return err
	}
	name, err := readDeviceName(r.Sent)
	if err != nil {
		return err
	}
	if err := gate.MayPlay(r, m.bans, device); err != nil {
		return err
	}
	if _, err := d.gate.Take(w, r.Request, limit.Devices, limit.Caller{Address: d.gate.Address(r.Request)}); err != nil {
		return err
	}
	if err := d.claimed.check(r.Context(), r.Caller); err != nil {
		return err
	}
	if _, err := d.gate.Take(w, r.Request, limit.Names, limit.Caller{Player: device}); err != nil {
		return err
	}
	p, err := d.profiles.ChangeProfile(r.Context(), device, profiles.ProfileChange{Name: name})
	if err != nil {
		return err
	}
	m.keepProfile(r.Context(), device, p)
	return answers.JSON(w, r.Request, http.StatusOK, changedProfile{device, profileAnswer(p)})
}

// readDeviceName reads the one thing that a device may change.
func readDeviceName(body []byte) (*string, error) {
	f := fields.Open(body, "")
	name := f.Shown("name", shownName)
	for _, other := range []string{"picture", "country", "hidden"} {
		if _, there := f.Take(other, false); there {
			f.Fault(other, "a device may change its name and nothing else; sign in first")
		}
	}
	if name == nil && len(f.Faults) == 0 {
		f.Fault("name", "this field is required")
	}
	return name, f.Done()
}

// dropName takes the name of a device away that has been claimed: its owner has
// another, and what the device leaves behind on older boards is to have none.
func (d devices) dropName(ctx context.Context, device string) error {
	if !d.game.DeviceNames {
		return nil
	}
	none := ""
	p, err := d.profiles.ChangeProfile(ctx, device, profiles.ProfileChange{Name: &none})
	if err != nil || d.history == nil {
		return err
	}
	return d.history.KeepProfile(ctx, device, p, d.now())
}
