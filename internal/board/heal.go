package board

import (
	"context"
	"math"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// healing is one derived board on which a player's entry is worked out again.
type healing struct {
	board  Board
	folded string      // key of what was folded into it; "" for none
	floor  bool        // true scores only
	days   []string    // keys of the days that still stand, oldest first
	gone   []game.Date // days that have left Redis
	past   map[game.Date]float64
}

// healings are the derived boards of a mode that the taken days belong to.
func (r *removal) healings(t *taken) []healing {
	var all []healing
	for scope := range t.scopes {
		var boards []Board
		for _, d := range t.dates {
			for _, p := range r.s.game.PeriodsOf(d) {
				b := BoardOf(t.mode, p, scope)
				if !slices.Contains(boards, b) && !r.s.frozen(b) {
					boards = append(boards, b)
				}
			}
		}
		for _, b := range boards {
			all = append(all, r.healing(t, b))
		}
	}
	return all
}

func (r *removal) healing(t *taken, b Board) healing {
	h := healing{board: b, floor: r.s.settles(b)}
	week := b.Period.Kind() == game.Week
	if !week {
		h.folded = game.FoldedKey(b.Key)
	}
	index := t.indexes[b.Scope]
	if index == nil {
		return h
	}
	for _, d := range index.dates {
		switch {
		case !b.Period.Contains(d) || !week && index.folded[d]:
		case r.s.alive(d):
			h.days = append(h.days, game.BoardKey(b.Mode.Name, game.Day.Of(d), b.Scope))
		default:
			h.gone = append(h.gone, d)
		}
	}
	if r.past != nil && len(h.gone) > 0 {
		h.past = r.remaining(t, b.Scope, func(d game.Date) bool { return slices.Contains(h.gone, d) })
	}
	return h
}

// remaining is what the archive has of the player on a scope's boards, without
// what is removed.
func (r *removal) remaining(t *taken, scope game.Scope, of func(game.Date) bool) map[game.Date]float64 {
	rows := r.archived(t.mode, scope, of)
	for _, d := range t.dates {
		delete(rows, d)
	}
	return rows
}

// archived is what the archive has of the player on a scope's boards.
func (r *removal) archived(m *game.Mode, scope game.Scope, of func(game.Date) bool) map[game.Date]float64 {
	rows := map[game.Date]float64{}
	for _, row := range r.past.Results {
		if row.Mode != m.Name || !of(row.Date) {
			continue
		}
		if scope == (game.Scope{}) {
			rows[row.Date] = row.Stored
			continue
		}
		for _, scoped := range row.Scopes {
			if scoped.Scope == scope {
				rows[row.Date] = scoped.Stored
			}
		}
	}
	return rows
}

// heal works out the player's entry on every derived board from what its
// sources have now, and puts it in place of the one that is there. A board
// that has no entry of the player is left to its next refresh.
func (r *removal) heal(ctx context.Context) error {
	var all []healing
	wanted := map[string]place{}
	for _, t := range r.modes {
		for _, h := range r.healings(t) {
			if len(h.gone) > 0 && r.past == nil {
				r.report.Left = append(r.report.Left, h.board.Key)
				continue
			}
			all = append(all, h)
			wanted[h.folded] = place{}
			for _, key := range h.days {
				wanted[key] = place{}
			}
		}
	}
	slices.Sort(r.report.Left)
	if err := r.readPlaces(ctx, wanted); err != nil {
		return err
	}
	var p pipeline
	for _, h := range all {
		r.settleEntry(&p, h.board.Key, h.entry(wanted))
	}
	return r.runChunks(ctx, &p)
}

// entry combines what the sources have, as a refresh would.
func (h healing) entry(read map[string]place) place {
	var sum place
	take := func(p place) {
		if h.floor {
			p.stored = math.Floor(p.stored)
		}
		switch {
		case !p.found:
		case !sum.found:
			sum = p
		default:
			sum.stored = combined(h.board.Mode.Aggregate, sum.stored, p.stored)
		}
	}
	if h.folded != "" {
		take(read[h.folded])
	}
	for _, d := range h.gone {
		if stored, ok := h.past[d]; ok {
			take(place{stored: stored, found: true})
		}
	}
	for _, key := range h.days {
		take(read[key])
	}
	return sum
}

// settleEntry queues what makes an entry that is there the given one. It adds
// none, since a board that is not there must not come to be in part.
func (r *removal) settleEntry(p *pipeline, key string, entry place) {
	if !entry.found {
		r.takeOff(p, key)
		return
	}
	p.add(upstash.Cmd("ZADD", key, "XX", "CH", game.FormatStored(entry.stored), r.player).Idempotent(), func(reply upstash.Reply) error {
		n, err := reply.Int64()
		r.report.Boards += int(n)
		return err
	})
	r.s.windows.forget(key)
}

// readPlaces asks for the player's score on each board.
func (r *removal) readPlaces(ctx context.Context, wanted map[string]place) error {
	delete(wanted, "")
	var p pipeline
	for key := range wanted {
		p.add(upstash.Cmd("ZSCORE", key, r.player), func(reply upstash.Reply) error {
			var at place
			err := scoreInto(&at)(reply)
			wanted[key] = at
			return err
		})
	}
	return r.runChunks(ctx, &p)
}

// healChunk bounds one pipeline of a removal.
const healChunk = 500

func (r *removal) runChunks(ctx context.Context, p *pipeline) error {
	for len(p.commands) > 0 {
		n := min(len(p.commands), healChunk)
		part := pipeline{commands: p.commands[:n], takes: p.takes[:n]}
		if _, err := part.run(ctx, r.s.redis); err != nil {
			return err
		}
		p.commands, p.takes = p.commands[n:], p.takes[n:]
	}
	return nil
}
