package playerdata

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// room is the space left on a page, in bytes of JSON.
type room struct {
	left int
	used bool // the page has at least one row
}

// takes reports whether a row still fits, and if so counts it. The first row always fits.
func (r *room) takes(size int) bool {
	if r.used && size > r.left {
		return false
	}
	r.used = true
	r.left -= size
	return true
}

// fill reads a list from a place on, until it has most rows or the page is full. next is nil
// if the list has ended.
func fill[Row, Place any](ctx context.Context, from *Place, most int, r *room,
	read func(ctx context.Context, after Place, limit int) ([]Row, error), place func(Row) Place, size func(Row) int) (rows []Row, next *Place, err error) {
	if from == nil {
		return nil, nil, nil
	}
	at := *from
	for len(rows) < most {
		limit := min(chunk, most-len(rows))
		page, err := read(ctx, at, limit)
		if err != nil {
			return nil, nil, err
		}
		for _, row := range page {
			if !r.takes(size(row)) {
				return rows, &at, nil
			}
			rows, at = append(rows, row), place(row)
		}
		if len(page) < limit {
			return rows, nil, nil
		}
	}
	return rows, &at, nil
}

// asJSON is the size of a row in an answer, including the separator.
func asJSON[Row any](row Row) int {
	text, _ := json.Marshal(row) // what the archive has was valid when it was put there
	return len(text) + 1
}

func (s *Service) score(mode string, score game.Score) json.RawMessage {
	return ScoreOf(s.Game, mode, score)
}

func (s *Service) values(mode string, score game.Score) json.RawMessage {
	return ValuesOf(s.Game, mode, score)
}

func scopesOf(results []game.ScopedResult) (scopes []game.Scope) {
	for _, r := range results {
		scopes = append(scopes, r.Scope)
	}
	return scopes
}

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
