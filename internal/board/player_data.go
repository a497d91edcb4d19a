package board

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// PlayerData is what Redis keeps of one player beside what [Store.Me] tells.
type PlayerData struct {
	Results []KeptResult    // newest first
	Groups  []game.Scope    // that the player has ever played in, by name
	Devices []ClaimedDevice // claimed of late, by id
	Banned  bool
}

// KeptResult is what stands for a player on a day's board.
type KeptResult struct {
	Mode    *game.Mode
	Date    game.Date
	Score   game.Score
	Scopes  []game.Scope
	Details json.RawMessage // nil: none

	stored float64
}

// ClaimedDevice is a device whose claim LookAfterClaims has not seen to yet.
type ClaimedDevice struct {
	Device string
	At     time.Time
}

// PlayerData reads what boards of days have of a player, but for closed days that are
// archived whole: these are left to the archive.
//
// Cost: 4 billed commands and 1 for each mode; 1 for each mode's day that is not
// archived; for each of these that the player has played 1 more where there are
// details, and 1 for each group of the player. In 3 round trips.
func (s *Store) PlayerData(ctx context.Context, player, country string, archived func(m *game.Mode, d game.Date) bool) (PlayerData, error) {
	view, err := s.Survey(ctx)
	if err != nil {
		return PlayerData{}, err
	}
	var kept PlayerData
	var all []*keptAt
	var banned int64
	var p pipeline
	for _, day := range s.DayStates(view) {
		if !day.Alive || day.Closed && archived(day.Mode, day.Date) {
			continue
		}
		at := &keptAt{KeptResult: KeptResult{Mode: day.Mode, Date: day.Date}}
		all = append(all, at)
		p.add(upstash.Cmd("ZSCORE", game.BoardKey(day.Mode.Name, game.Day.Of(day.Date), game.Scope{}), player), scoreInto(&at.place))
	}
	s.askGroups(&p, player, &kept.Groups)
	p.add(upstash.Cmd("SISMEMBER", game.BansKey, game.BanMember(player)), intInto(&banned))
	if _, err := p.run(ctx, s.redis); err != nil {
		return PlayerData{}, wrap("read what is kept of a player", err)
	}
	kept.Banned = banned == 1
	all = slices.DeleteFunc(all, func(at *keptAt) bool { return !at.place.found })
	if err := s.complete(ctx, player, country, kept.Groups, all); err != nil {
		return PlayerData{}, wrap("read what is kept of a player", err)
	}
	for _, at := range all {
		kept.Results = append(kept.Results, at.KeptResult)
	}
	slices.SortFunc(kept.Results, func(a, b KeptResult) int {
		if by := b.Date.Compare(a.Date); by != 0 {
			return by
		}
		return strings.Compare(b.Mode.Name, a.Mode.Name)
	})
	kept.Devices, err = s.devicesOf(ctx, player)
	return kept, err
}

// keptAt is a result on its way.
type keptAt struct {
	KeptResult
	place  place
	groups []place // in the order of the player's groups
}

// complete reads details and groups of results.
func (s *Store) complete(ctx context.Context, player, country string, groups []game.Scope, all []*keptAt) error {
	var p pipeline
	for _, at := range all {
		m := at.Mode
		at.stored = at.place.stored
		at.Score = m.Decode(at.stored)
		if scope, err := game.CountryScope(country); err == nil && m.HasScope(game.Country) {
			at.Scopes = append(at.Scopes, scope)
		}
		if m.Details {
			p.add(upstash.Cmd("HGET", game.DetailsKey(m.Name, at.Date), player), func(r upstash.Reply) error {
				if r.IsNil() {
					return nil
				}
				record, err := r.Text()
				at.Details = detailsOf(record, m, at.stored)
				return err
			})
		}
		if !m.HasScope(game.Group) {
			continue
		}
		at.groups = make([]place, len(groups))
		for i, group := range groups {
			p.add(upstash.Cmd("ZSCORE", game.BoardKey(m.Name, game.Day.Of(at.Date), group), player), scoreInto(&at.groups[i]))
		}
	}
	if _, err := p.run(ctx, s.redis); err != nil {
		return err
	}
	for _, at := range all {
		for i, place := range at.groups {
			if place.found {
				at.Scopes = append(at.Scopes, groups[i])
			}
		}
	}
	return nil
}

// devicesOf lists the devices that a player has claimed of late: a claim itself
// knows both by digests alone.
func (s *Store) devicesOf(ctx context.Context, player string) ([]ClaimedDevice, error) {
	notes, err := s.claimNotes(ctx)
	var devices []ClaimedDevice
	for device, n := range notes {
		if n.Player == player {
			devices = append(devices, ClaimedDevice{device, n.At.UTC()})
		}
	}
	slices.SortFunc(devices, func(a, b ClaimedDevice) int { return strings.Compare(a.Device, b.Device) })
	return devices, err
}

// exportLife is how long the count of a player's exports outlives its date's
// beginning.
const exportLife = 26 * time.Hour

// CountExport counts an export that a player asks for, and returns how many there
// are on this UTC date, over all processes.
//
// Cost: 2 billed commands in 1 round trip.
func (s *Store) CountExport(ctx context.Context, player string) (n int64, err error) {
	key := game.ExportKey(game.DateOf(s.now()), player)
	var p pipeline
	p.add(upstash.Cmd("INCR", key).Idempotent(), intInto(&n))
	p.add(upstash.Cmd("EXPIRE", key, itoa(int64(exportLife/time.Second))).Idempotent(), nil)
	_, err = p.run(ctx, s.redis)
	return n, wrap("count an export", err)
}

// UncountExport takes back one export that did not come about.
//
// Cost: 1 billed command.
func (s *Store) UncountExport(ctx context.Context, player string) error {
	_, err := s.redis.Do(ctx, upstash.Cmd("DECR", game.ExportKey(game.DateOf(s.now()), player)))
	return wrap("take back the count of an export", err)
}

// CountBans counts who may not play; Redis knows them by digests alone.
//
// Cost: 1 billed command.
func (s *Store) CountBans(ctx context.Context) (int, error) {
	reply, err := s.redis.Do(ctx, upstash.Cmd("SMEMBERS", game.BansKey))
	if err != nil {
		return 0, wrap("count bans", err)
	}
	read, err := reply.Strings()
	return len(noticesAmong(read).banned), err
}
