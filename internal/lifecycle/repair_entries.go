package lifecycle

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// reworking is a derived board on which a player's entry is worked out again.
type reworking struct {
	board    game.Board
	rolledUp string // key of its rolled-up days; "": none
	adds     derive.Adding
	days     []game.Date // days with a board, oldest first
	expired  []game.Date // days that have left Redis
	past     map[game.Date]float64
	inBands  *derive.InBands // where the board is kept so; nil: it is one sorted set
	// keys are those of the board and of the boards of the player's country and region, which
	// have the same entry.
	keys []string
}

// derivedBoards are the boards that follow from what a removal removes.
type derivedBoards struct{ *removal }

// affected returns the derived boards of a mode that contain the removed days.
func (w derivedBoards) affected(t *modeRemoval) []reworking {
	var all []reworking
	country := w.country
	for scope := range t.scopes {
		var boards []game.Board
		for _, d := range t.dates {
			for _, p := range game.BoardsOf(w.rp.DB.Game, t.mode, d) {
				b := game.BoardOf(t.mode, p, scope)
				if !slices.Contains(boards, b) && !w.rp.Rollup.Frozen(b) {
					boards = append(boards, b)
				}
			}
		}
		if ever := game.BoardOf(t.mode, game.AllTime.Of(game.Date{}), scope); w.erased && t.allTime != nil && !slices.Contains(boards, ever) {
			boards = append(boards, ever) // even if the player is on no day
		}
		for _, b := range boards {
			all = append(all, w.one(t, b, country))
		}
	}
	for _, d := range t.dates { // the day's own board is a source
		day := game.BoardOf(t.mode, game.Day.Of(d), game.Scope{})
		if keys := byCountry(day, country); len(keys) > 0 && !w.rp.Rollup.Frozen(day) {
			all = append(all, reworking{board: day, adds: derive.AddingOf(w.rp.Rollup, day), days: []game.Date{d}, keys: keys})
		}
	}
	return all
}

// byCountry returns the keys of the boards that are made from a board for a country and its
// region.
func byCountry(b game.Board, country string) (keys []string) {
	if b.Scope != (game.Scope{}) {
		return nil
	}
	for _, scope := range game.ScopesOf(b.Mode, country) {
		keys = append(keys, game.BoardKey(b.Mode.Name, b.Period, scope))
	}
	return keys
}

// read returns all derived boards but those to leave, and the player's places on what they are
// made of.
func (w derivedBoards) read(ctx context.Context, leave func(reworking) bool) (all []reworking, places map[string]redis.Place, err error) {
	places = map[string]redis.Place{}
	for _, t := range w.modes {
		for _, h := range w.affected(t) {
			if leave(h) {
				continue
			}
			all = append(all, h)
			places[h.rolledUp] = redis.Place{}
			for _, d := range h.days {
				places[h.day(d)] = redis.Place{}
			}
		}
	}
	return all, places, w.readPlaces(ctx, places)
}

func (w derivedBoards) one(t *modeRemoval, b game.Board, country string) reworking {
	h := reworking{board: b, adds: derive.AddingOf(w.rp.Rollup, b), keys: append(byCountry(b, country), b.Key)}
	week := b.Period.OfDates()
	if !week {
		h.rolledUp = game.RolledUpKey(b.Key)
	}
	if b.Period.Kind() == game.AllTime && t.allTime != nil {
		h.inBands, h.rolledUp = t.allTime, ""
	}
	index := t.indexes[b.Scope]
	if index == nil {
		return h
	}
	for _, d := range index.Dates {
		switch {
		case !b.Period.Contains(d) || !week && index.RolledUp[d]:
		case b.Period.Rolls() || w.rp.DB.Alive(d):
			h.days = append(h.days, d)
		default:
			h.expired = append(h.expired, d)
		}
	}
	if h.inBands != nil && w.past != nil { // only the archive has the rolled-up days
		h.past = w.remaining(t, b.Scope, func(d game.Date) bool {
			if !slices.Contains(h.days, d) {
				h.expired = append(h.expired, d)
				return true
			}
			return false
		})
		slices.SortFunc(h.expired, game.Date.Compare)
		return h
	}
	if w.past != nil && len(h.expired) > 0 {
		h.past = w.remaining(t, b.Scope, func(d game.Date) bool { return slices.Contains(h.expired, d) })
	}
	return h
}

// remaining returns what the archive has of the player on a scope's boards, without what is
// removed.
func (r *removal) remaining(t *modeRemoval, scope game.Scope, of func(game.Date) bool) map[game.Date]float64 {
	rows := r.archived(t.mode, scope, of)
	for _, d := range t.dates {
		delete(rows, d)
	}
	return rows
}

// archived returns what the archive has of the player on a scope's boards.
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

// rework works out the player's entry on every derived board from what its sources have now,
// and replaces the present entry. A board without an entry of the player is left to its next
// refresh.
func (r *removal) rework(ctx context.Context) error {
	all, wanted, err := derivedBoards{r}.read(ctx, func(h reworking) bool {
		left := (len(h.expired) > 0 || h.inBands != nil) && r.past == nil
		if left {
			r.report.Left = append(r.report.Left, h.keys...)
		}
		return left
	})
	slices.Sort(r.report.Left)
	if err != nil {
		return err
	}
	var p redis.Pipeline
	for _, h := range all {
		if h.inBands != nil {
			if err := (bandsRework{r}).settle(ctx, h.inBands, h.entry(wanted)); err != nil {
				return err
			}
			continue
		}
		for _, key := range h.keys {
			r.settleEntry(&p, key, h.entry(wanted))
		}
	}
	return r.runChunks(ctx, &p)
}

// entry combines the entries of the sources, as a refresh does.
func (h reworking) entry(read map[string]redis.Place) redis.Place {
	var sum redis.Place
	take := func(d game.Date, stored float64, found bool) {
		stored = h.adds.Day(d, stored)
		switch {
		case !found:
		case !sum.Found:
			sum = redis.Place{Stored: stored, Found: true}
		default:
			sum.Stored = h.adds.And(sum.Stored, stored)
		}
	}
	if h.rolledUp != "" {
		sum = read[h.rolledUp]
	}
	for _, d := range h.expired {
		stored, found := h.past[d]
		take(d, stored, found)
	}
	for _, d := range h.days {
		at := read[h.day(d)]
		take(d, at.Stored, at.Found)
	}
	sum.Stored = h.adds.Shown(sum.Stored)
	return sum
}

// day returns the key of a day's board.
func (h reworking) day(d game.Date) string {
	return game.BoardKey(h.board.Mode.Name, game.Day.Of(d), h.board.Scope)
}

// settleEntry queues the change of an existing entry to the given one. It adds no entry, so
// that a missing board does not come into being with one player on it.
func (r *removal) settleEntry(p *redis.Pipeline, key string, entry redis.Place) {
	if !entry.Found {
		r.takeOff(p, key)
		return
	}
	p.Add(upstash.Cmd("ZADD", key, "XX", "CH", game.FormatStored(entry.Stored), r.player).Idempotent(), func(reply upstash.Reply) error {
		n, err := reply.Int64()
		r.report.Boards += int(n)
		return err
	})
	r.rp.Windows.Forget(key)
}

// readPlaces reads the player's score on each board.
func (r *removal) readPlaces(ctx context.Context, wanted map[string]redis.Place) error {
	delete(wanted, "")
	var p redis.Pipeline
	for key := range wanted {
		askPlace(&p, key, r.player, wanted)
	}
	return r.runChunks(ctx, &p)
}

// askPlace queues the reading of a player's score on a board.
func askPlace(p *redis.Pipeline, key, player string, into map[string]redis.Place) {
	p.Add(upstash.Cmd("ZSCORE", key, player), func(reply upstash.Reply) error {
		var at redis.Place
		err := redis.ScoreInto(&at)(reply)
		into[key] = at
		return err
	})
}

// ReworkChunk is the largest pipeline of a removal.
const ReworkChunk = 500

func (r *removal) runChunks(ctx context.Context, p *redis.Pipeline) error {
	for len(p.Commands) > 0 {
		n := min(len(p.Commands), ReworkChunk)
		part := redis.Pipeline{Commands: p.Commands[:n], Takes: p.Takes[:n]}
		if _, err := part.Run(ctx, r.rp.DB.Redis); err != nil {
			return err
		}
		p.Commands, p.Takes = p.Commands[n:], p.Takes[n:]
	}
	return nil
}
