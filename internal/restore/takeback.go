package restore

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/repair"
	"github.com/framedle/leaderboards/upstash"
)

// takingBack takes players off boards that were just made if their scores were removed
// meanwhile: the boards were made of data read before the removal.
type takingBack struct {
	rs   *Restore
	of   game.Board // of all players
	date game.Date
}

// takeBackScript takes an entry off a board, with its details, unless the player has
// another one there by now.
//
// KEYS: board, details or none. ARGV: player, score
// Answer: {calls}
var takeBackScript = rdb.NewScript(`
local stands = call('ZSCORE', KEYS[1], ARGV[1])
if stands and tonumber(stands) == tonumber(ARGV[2]) then
  call('ZREM', KEYS[1], ARGV[1])
  if KEYS[2] then call('HDEL', KEYS[2], ARGV[1]) end
end
return answer()
`)

// run takes removed players off the boards that were made. boards has what was written to
// each.
//
// Cost: 1 billed command; up to 4 for each board with somebody who was removed.
func (t takingBack) run(ctx context.Context, boards map[game.Scope]map[string]float64) error {
	var taken repair.Taken
	var ask, p rdb.Pipeline
	repair.AskTaken(&ask, t.rs.DB, t.of.Mode.Name, t.date, &taken)
	if _, err := ask.Run(ctx, t.rs.DB.Redis); err != nil {
		return err
	}
	for player := range taken.Players {
		for scope, all := range boards {
			if stored, put := all[player]; put {
				t.takeOff(&p, scope, player, stored)
			}
		}
	}
	_, err := p.Run(ctx, t.rs.DB.Redis)
	return err
}

func (t takingBack) takeOff(p *rdb.Pipeline, scope game.Scope, player string, stored float64) {
	b := game.BoardOf(t.of.Mode, t.of.Period, scope)
	keys := []string{b.Key}
	if scope == (game.Scope{}) {
		keys = append(keys, game.DetailsKey(b.Mode.Name, t.date))
	}
	p.Add(takeBackScript.Command(keys, player, game.FormatStored(stored)).Idempotent(), func(upstash.Reply) error {
		t.rs.forget(b)
		return nil
	})
}
