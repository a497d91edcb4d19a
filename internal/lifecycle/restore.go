package lifecycle

import (
	"context"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Restore puts back what Redis has lost, and reads what it has for the archive. It
// is safe for concurrent use.
type Restore struct {
	DB      *redis.DB
	Totals  *derive.Totals
	Windows *derive.Windows
	Notices *control.Notices
	Players *player.Profiles
	Rollup  *derive.Rollup
	XP      *player.XP
	Played  *derive.PlayedGroups
	Days    *Days
}

// takingBack takes players off boards of scopes that were just written if their scores were
// removed meanwhile: the boards were made of data read before the removal.
type takingBack struct {
	rs   *Restore
	of   game.Board // of all players
	date game.Date
}

// takeBackScript takes an entry off a board, unless the player has another one there by now.
//
// KEYS: board. ARGV: player, score
// Answer: {calls}
var takeBackScript = redis.NewScript(`
local current = call('ZSCORE', KEYS[1], ARGV[1])
if current and tonumber(current) == tonumber(ARGV[2]) then
  call('ZREM', KEYS[1], ARGV[1])
end
return answer()
`)

// run takes removed players off boards. entries has, for each board, what was written to it
// or is on it.
//
// Cost: 1 billed command; up to 3 for each board with somebody who was removed.
func (t takingBack) run(ctx context.Context, entries ...map[game.Scope]map[string]float64) error {
	taken, err := ReadTaken(ctx, t.rs.DB, t.of.Mode.Name, t.date)
	if err != nil {
		return err
	}
	var p redis.Pipeline
	for player := range taken.Players {
		for _, boards := range entries {
			for scope, all := range boards {
				if stored, put := all[player]; put {
					t.takeOff(&p, scope, player, stored)
				}
			}
		}
	}
	_, err = p.Run(ctx, t.rs.DB.Redis)
	return err
}

func (t takingBack) takeOff(p *redis.Pipeline, scope game.Scope, player string, stored float64) {
	b := game.BoardOf(t.of.Mode, t.of.Period, scope)
	p.Add(takeBackScript.Command([]string{b.Key}, player, game.FormatStored(stored)).Idempotent(), func(upstash.Reply) error {
		t.rs.forget(b)
		return nil
	})
}
