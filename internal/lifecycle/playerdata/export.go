// This file reads everything that Redis keeps of one player.

package playerdata

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Export reads what Redis keeps of one player. It is safe for concurrent use.
type Export struct {
	DB     *redis.DB
	Rollup *derive.Rollup
	Played *derive.PlayedGroups
	Repair *lifecycle.Repair
}

// Data is what Redis keeps of one player besides what [leaderboard.Store.Me] reads.
type Data struct {
	Results []KeptResult    // newest first
	Groups  []game.Scope    // all that the player has played in, by name
	Devices []ClaimedDevice // recently claimed, by id
	Banned  bool
}

// KeptResult is a player's result on a day's board.
type KeptResult struct {
	Mode    *game.Mode
	Date    game.Date
	Score   game.Score
	Scopes  []game.Scope
	Details json.RawMessage // nil: none
	Stored  float64
}

// ClaimedDevice is a device whose claim LookAfterClaims has not finished yet.
type ClaimedDevice struct {
	Device string
	At     time.Time
}

// Of reads a player's results on the boards of days, and the rest of Data. It leaves to the
// archive the closed days that are complete there.
//
// Cost: 4 billed commands and 1 for each mode; 1 for each mode's day that is not archived; for
// each of these that the player has played 1 more where there are details, and 1 for each
// group of the player. In 3 round trips.
func (e *Export) Of(ctx context.Context, player, country string, archived func(m *game.Mode, d game.Date) bool) (Data, error) {
	view, err := e.Rollup.Calendar.Survey(ctx)
	if err != nil {
		return Data{}, err
	}
	var kept Data
	var all []*keptAt
	var banned int64
	var p redis.Pipeline
	for _, day := range e.Rollup.Calendar.DayStates(view) {
		if !day.Alive || day.Closed && archived(day.Mode, day.Date) {
			continue
		}
		at := &keptAt{KeptResult: KeptResult{Mode: day.Mode, Date: day.Date}}
		all = append(all, at)
		p.Add(upstash.Cmd("ZSCORE", game.DayBoardKey(day.Mode.Name, day.Date), player), redis.ScoreInto(&at.place))
	}
	e.Played.Ask(&p, player, &kept.Groups)
	p.Add(upstash.Cmd("SISMEMBER", game.BansKey, game.BanMember(player)), redis.IntInto(&banned))
	if _, err := p.Run(ctx, e.DB.Redis); err != nil {
		return Data{}, redis.Wrap("read what is kept of a player", err)
	}
	kept.Banned = banned == 1
	all = slices.DeleteFunc(all, func(at *keptAt) bool { return !at.place.Found })
	if err := e.complete(ctx, player, country, kept.Groups, all); err != nil {
		return Data{}, redis.Wrap("read what is kept of a player", err)
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
	kept.Devices, err = e.devicesOf(ctx, player)
	return kept, err
}

// keptAt is a result that is being read.
type keptAt struct {
	KeptResult
	place  redis.Place
	groups []redis.Place // in the order of the player's groups
}

// complete reads details and groups of results.
func (e *Export) complete(ctx context.Context, player, country string, groups []game.Scope, all []*keptAt) error {
	var p redis.Pipeline
	for _, at := range all {
		m := at.Mode
		at.fill(&p, player)
		at.Scopes = append(at.Scopes, game.ScopesOf(m, country)...)
		if !game.WritesScopes(m) {
			continue
		}
		at.groups = make([]redis.Place, len(groups))
		for i, group := range groups {
			p.Add(upstash.Cmd("ZSCORE", game.BoardKey(m.Name, game.Day.Of(at.Date), group), player), redis.ScoreInto(&at.groups[i]))
		}
	}
	if _, err := p.Run(ctx, e.DB.Redis); err != nil {
		return err
	}
	for _, at := range all {
		for i, place := range at.groups {
			if place.Found {
				at.Scopes = append(at.Scopes, groups[i])
			}
		}
		slices.SortFunc(at.Scopes, func(a, b game.Scope) int { return strings.Compare(a.String(), b.String()) }) // as the archive has them
	}
	return nil
}

// devicesOf lists the devices that a player has claimed recently. It does not read claims:
// they have only digests of device and player.
func (e *Export) devicesOf(ctx context.Context, player string) ([]ClaimedDevice, error) {
	notes, err := lifecycle.ClaimNotes(ctx, e.DB)
	var devices []ClaimedDevice
	for device, n := range notes {
		if n.Player == player {
			devices = append(devices, ClaimedDevice{device, n.At.UTC()})
		}
	}
	slices.SortFunc(devices, func(a, b ClaimedDevice) int { return strings.Compare(a.Device, b.Device) })
	return devices, err
}

// exportLife is how long after the beginning of a date the count of a player's exports lives.
const exportLife = 26 * time.Hour

// CountExport counts an export that a player asks for, and returns the number on this UTC
// date, over all processes.
//
// Cost: 2 billed commands in 1 round trip.
func (e *Export) CountExport(ctx context.Context, player string) (n int64, err error) {
	key := game.ExportKey(game.DateOf(e.DB.Now()), player)
	var p redis.Pipeline
	p.Add(upstash.Cmd("INCR", key).Idempotent(), redis.IntInto(&n))
	p.Add(upstash.Cmd("EXPIRE", key, redis.Itoa(int64(exportLife/time.Second))).Idempotent(), nil)
	_, err = p.Run(ctx, e.DB.Redis)
	return n, redis.Wrap("count an export", err)
}

// UncountExport takes back the count of an export that failed.
//
// Cost: 1 billed command.
func (e *Export) UncountExport(ctx context.Context, player string) error {
	_, err := e.DB.Redis.Do(ctx, upstash.Cmd("DECR", game.ExportKey(game.DateOf(e.DB.Now()), player)))
	return redis.Wrap("take back the count of an export", err)
}
