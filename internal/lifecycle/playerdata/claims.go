package playerdata

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// claims reads what the archive has of the devices that the player has claimed.
func (d *reading) claims(ctx context.Context) error {
	rows, err := d.s.Archive.Claims(ctx, game.BanMember(d.Player))
	for _, c := range rows {
		if listed := slices.ContainsFunc(d.Devices, func(is Device) bool { return is.Device == c.DeviceID }); c.DeviceID != "" && !listed {
			d.Devices = append(d.Devices, Device{c.DeviceID, c.At})
		}
		d.Claims = append(d.Claims, Claim{Digest: c.Device, ClaimedAt: c.At, Merged: d.s.claimedDays(c.Days)})
	}
	return err
}

// claimedDays reads what happened to the days of a claimed device, as the claim notes it:
// mode:date to status, score and scopes. It leaves out what it cannot read.
func (s *Service) claimedDays(noted map[string]string) []ClaimedDay {
	days := []ClaimedDay{}
	for field, record := range noted {
		mode, date, _ := strings.Cut(field, ":")
		words := strings.Fields(record)
		if len(words) < 2 {
			continue
		}
		if score, err := strconv.ParseInt(words[1], 10, 64); err == nil {
			days = append(days, ClaimedDay{mode, date, words[0], s.score(mode, game.Score(score)), s.values(mode, game.Score(score))})
		}
	}
	slices.SortFunc(days, func(a, b ClaimedDay) int {
		return cmp.Or(strings.Compare(a.Date, b.Date), strings.Compare(a.Mode, b.Mode))
	})
	return days
}
