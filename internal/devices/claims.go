package devices

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/profiles"
	"github.com/framedle/leaderboards/internal/repair"
)

// Claims gives devices to players who have signed in.
type Claims interface {
	Claim(ctx context.Context, device, player string) (repair.Claimed, error)
}

// claimAnswer says what a player has taken over from a device.
type claimAnswer struct {
	Player    string             `json:"player"`
	Device    string             `json:"device"`
	ClaimedAt string             `json:"claimed_at"`
	Merged    []claimedDayAnswer `json:"merged"`
}

type claimedDayAnswer struct {
	Mode   string          `json:"mode"`
	Date   string          `json:"date"`
	Status game.Status     `json:"status"`
	Score  json.RawMessage `json:"score"`
	Values json.RawMessage `json:"values,omitempty"`
}

// claims is the endpoint by which players claim devices.
type claims struct {
	game     *game.Game
	now      func() time.Time
	gate     *gate.Keeper
	tokens   Tokens
	claims   Claims
	claimed  Claimed
	profiles Profiles
	history  History // nil without Postgres
}

// postClaim gives a device to the owner of the session token: POST /v1/me/claim.
func (c claims) postClaim(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player
	if err := fields.OpenQuery(r.URL).Done(); err != nil {
		return err
	}
	device, err := c.readDevice(r.Sent)
	if err != nil {
		return err
	}
	if err := c.gate.Count(w, r); err != nil {
		return err
	}
	return c.gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		claimed, err := c.claims.Claim(ctx, device, player.ID)
		if err != nil {
			return 0, nil, false, err
		}
		c.claimed.claim(device)
		if err := c.dropName(ctx, device); err != nil {
			return 0, nil, false, err
		}
		said := game.Profile{Name: player.Name, Picture: player.Picture, Country: player.Country}
		if err := c.profiles.KeepProfile(ctx, player.ID, said); err != nil {
			return 0, nil, false, err
		}
		return http.StatusOK, newClaimAnswer(device, player.ID, claimed), false, nil
	})
}

// readDevice reads the only field of the body.
func (c claims) readDevice(body []byte) (id string, err error) {
	f := fields.Open(body, "")
	if token, ok := f.Text("device_token", true); ok {
		device, err := c.tokens.Verify(token)
		if err != nil {
			f.Fault("device_token", "this is not a token that POST /v1/devices has answered with")
		}
		id = device.ID
	}
	return id, f.Done()
}

// dropName removes the name of a claimed device: its owner has another name, and the device's
// entries that stay on older boards are to have none.
func (c claims) dropName(ctx context.Context, device string) error {
	if !c.game.DeviceNames {
		return nil
	}
	none := ""
	p, err := c.profiles.ChangeProfile(ctx, device, profiles.ProfileChange{Name: &none})
	if err != nil || c.history == nil {
		return err
	}
	return c.history.KeepProfile(ctx, device, p, c.now())
}

func newClaimAnswer(device, player string, c repair.Claimed) claimAnswer {
	answer := claimAnswer{Player: player, Device: device, ClaimedAt: c.At.Format(time.RFC3339), Merged: []claimedDayAnswer{}}
	for _, day := range c.Days {
		answer.Merged = append(answer.Merged, claimedDayAnswer{
			day.Mode.Called(), day.Date.String(), day.Status, json.RawMessage(day.Mode.FormatScore(day.Score)), day.Mode.FormatValues(day.Score),
		})
	}
	return answer
}
