package people

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// claims reads what the archive has of the devices that the player has claimed.
func (d *reading) claims(ctx context.Context) (err error) {
	d.Claims, err = d.s.Archive.Claims(ctx, game.BanMember(d.Player))
	for i := range d.Claims {
		for j := range d.Claims[i].Merged {
			day := &d.Claims[i].Merged[j]
			score, _ := strconv.ParseInt(string(day.Score), 10, 64) // as NewClaimedDay has read it
			day.Score = d.s.score(day.Mode, game.Score(score))
		}
	}
	d.Claims = orEmpty(d.Claims)
	return err
}

// NewClaimedDays reads what became of a device's days, as a claim notes it:
// mode:date to status, score and scopes. Scores are not written as their modes
// have them yet. What cannot be read is left out.
func NewClaimedDays(noted map[string]string) []ClaimedDay {
	days := []ClaimedDay{}
	for field, record := range noted {
		mode, date, _ := strings.Cut(field, ":")
		words := strings.Fields(record)
		if len(words) < 2 {
			continue
		}
		if _, err := strconv.ParseInt(words[1], 10, 64); err == nil {
			days = append(days, ClaimedDay{mode, date, words[0], []byte(words[1])})
		}
	}
	slices.SortFunc(days, func(a, b ClaimedDay) int {
		return cmp.Or(strings.Compare(a.Date, b.Date), strings.Compare(a.Mode, b.Mode))
	})
	return days
}
