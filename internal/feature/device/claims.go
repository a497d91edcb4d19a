package device

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/player"
)

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

// PostClaim gives a device to the owner of the session token: POST /v1/me/claim.
func (e Endpoints) PostClaim(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player
	device, err := e.readDevice(r.Sent)
	if err != nil {
		return err
	}
	if err := e.Gate.Count(w, r); err != nil {
		return err
	}
	return e.Gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		claimed, err := e.Claims.Claim(ctx, device, player.ID)
		if err != nil {
			return 0, nil, false, err
		}
		e.Claimed.claim(device)
		if err := e.dropName(ctx, device); err != nil {
			return 0, nil, false, err
		}
		said := game.Profile{Name: player.Name, Picture: player.Picture, Country: player.Country}
		if err := e.Profiles.KeepProfile(ctx, player.ID, said); err != nil {
			return 0, nil, false, err
		}
		return http.StatusOK, newClaimAnswer(device, player.ID, claimed), false, nil
	})
}

// readDevice reads the only field of the body.
func (e Endpoints) readDevice(body []byte) (id string, err error) {
	f := decode.Open(body, "")
	if token, ok := f.Text("device_token", decode.Required); ok {
		device, err := e.Tokens.Verify(token)
		if err != nil {
			f.Fault("device_token", "this is not a token from POST /v1/devices")
		}
		id = device.ID
	}
	return id, f.Done()
}

// dropName removes the name of a claimed device: its owner has another name, and the device's
// entries that stay on older boards are to have none.
func (e Endpoints) dropName(ctx context.Context, device string) error {
	if !e.Game.DeviceNames {
		return nil
	}
	none := ""
	p, err := e.Profiles.ChangeProfile(ctx, device, player.ProfileChange{Name: &none})
	if err != nil || e.History == nil {
		return err
	}
	return e.History.KeepProfile(ctx, device, p, e.Now())
}

func newClaimAnswer(device, player string, c lifecycle.ClaimReport) claimAnswer {
	answer := claimAnswer{Player: player, Device: device, ClaimedAt: c.At.Format(time.RFC3339), Merged: []claimedDayAnswer{}}
	for _, day := range c.Days {
		answer.Merged = append(answer.Merged, claimedDayAnswer{
			day.Mode.Called(), day.Date.String(), day.Status, json.RawMessage(day.Mode.FormatScore(day.Score)), day.Mode.FormatValues(day.Score),
		})
	}
	return answer
}
