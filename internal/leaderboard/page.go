package leaderboard

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
)

// Page reads a run of entries with names.
//
// Cost: 1 billed command in 1 round trip; one more for an unknown or stale total; for names
// that this process has not seen 2 more in the same round trip, or 1 more in a second one;
// nothing for the top of a board while it is in memory. A request spends at most 4, whatever
// its offset or cursor: up to 3 find the place of a cursor that others have moved. A derived
// board that is due costs its refresh besides.
//
// Errors: ErrCursor, ErrCursorLost.
func (s *Store) Page(ctx context.Context, b game.Board, r game.PageRequest) (game.Page, error) {
	page, err := s.pageOn(ctx, b, r)
	if err != nil {
		return game.Page{}, err
	}
	return s.cursors.withNext(page), nil
}

// pageOn reads a page that still lacks its cursor: from memory, from bands or from the board.
func (s *Store) pageOn(ctx context.Context, b game.Board, r game.PageRequest) (game.Page, error) {
	if r.Cursor == "" && r.Offset == 0 {
		if page, ok := s.pages.top(b, r.Limit); ok {
			return page, nil
		}
	}
	switch in, err := s.bandsOf(ctx, b); {
	case err != nil:
		return game.Page{}, err
	case in != nil:
		return in.page(ctx, r)
	}
	return s.pages.read(ctx, b, r)
}

// pages read runs of boards.
type pages struct {
	db      *redis.DB
	totals  *derive.Totals
	windows *derive.Windows
	players *player.Profiles
	rollup  *derive.Rollup
	cursors cursors
}

// read reads a run, by its offset or behind its cursor, with ranks and names.
func (s pages) read(ctx context.Context, b game.Board, r game.PageRequest) (game.Page, error) {
	var behind cursor
	if r.Cursor != "" {
		var err error
		if behind, err = s.cursors.read(b, r.Cursor); err != nil {
			return game.Page{}, err
		}
	}
	if err := s.rollup.Refresh(ctx, b); err != nil {
		return game.Page{}, err
	}
	mark := s.windows.Begin(b.Key)
	page, err := s.newPage(b), error(nil)
	if r.Cursor != "" {
		err = s.after(ctx, behind, r.Limit, &page)
	} else {
		err = s.readRun(ctx, r, &page)
	}
	if err == nil && len(page.Entries) == 0 && page.Total > page.Position {
		err = s.recount(ctx, &page)
	}
	if err != nil {
		return game.Page{}, redis.Wrap("read a page", err)
	}
	if err := s.rank(ctx, &page); err != nil {
		return game.Page{}, err
	}
	if err := nameOn(ctx, s.players, b, page.Entries); err != nil {
		return game.Page{}, err
	}
	if r.Cursor == "" && r.Offset == 0 {
		s.windows.Keep(b.Key, mark, page)
	}
	return page, nil
}

// top is the top of a board from memory, unless it is too old or the board has closed since it
// was read.
func (s pages) top(b game.Board, limit int64) (page game.Page, ok bool) {
	page, ok = s.windows.Top(b.Key, limit, s.windowAge(b))
	return page, ok && page.Closed == s.db.Game.Closed(b.Period, s.db.Now())
}

// fewPlayers is the largest board of which the first page is read with all others, some 10 KB:
// then the total costs no command.
const fewPlayers = 200

// readRun reads a run by its offset.
func (s pages) readRun(ctx context.Context, r game.PageRequest, page *game.Page) error {
	page.Position = r.Offset
	limit, whole := r.Limit, s.isLikelyFew(page.Board, r)
	if whole {
		r.Limit = max(limit, fewPlayers)
	}
	if err := s.readEntries(ctx, r, whole, page); err != nil {
		return err
	}
	if seen := int64(len(page.Entries)); seen > r.Limit && page.Total < r.Offset+seen {
		if err := s.recount(ctx, page); err != nil {
			return err
		}
	}
	s.keepTotal(r, page)
	page.Cut(limit)
	return nil
}

// isLikelyFew reports whether a page of unknown total likely is, if read a little further, the
// whole board: then what is read shows the total.
func (s pages) isLikelyFew(b game.Board, r game.PageRequest) bool {
	_, known := s.totals.Fresh(b.Key)
	likely, guessed := s.totals.Likely(b.Key)
	return !known && guessed && r.Offset == 0 && likely <= max(r.Limit, fewPlayers)
}

// readEntries reads the entries and, unless they are likely the whole board, the total. A process
// that knows the total but no names reads the names in the same round trip; with an unknown total
// that would cost one command more than pages may.
func (s pages) readEntries(ctx context.Context, r game.PageRequest, whole bool, page *game.Page) error {
	b, last := page.Board, r.Offset+r.Limit
	players, known := s.totals.Fresh(b.Key)
	if known && !b.OfTeams() && s.players.Directory.Len() == 0 {
		page.Total = players
		return s.readNamed(ctx, b, r.Offset, last, &page.Entries)
	}
	var p redis.Pipeline
	p.Add(redis.RangeCommand(b, r.Offset, last), redis.EntriesInto(b, &page.Entries))
	if !whole {
		s.rollup.AskTotal(&p, b, &page.Total)
	}
	_, err := p.Run(ctx, s.db.Redis)
	return err
}

// pageScript reads a run of entries and the profiles of its players in one round trip. It is
// for a board whose players this process does not know.
//
// KEYS: board, profiles
// ARGV: first place, last place, and REV on desc boards
// Answer: {calls, members with scores, profiles}
var pageScript = redis.NewScript(`
local query = {'ZRANGE', KEYS[1], ARGV[1], ARGV[2], 'WITHSCORES'}
if ARGV[3] then query[6] = ARGV[3] end
local flat = call(unpack(query))
if #flat == 0 then return answer(flat, {}) end
local ask = {'HMGET', KEYS[2]}
for i = 1, #flat, 2 do
  ask[#ask + 1] = flat[i]
  ask[#ask + 1] = '` + game.OwnProfile("") + `' .. flat[i]
end
return answer(flat, call(unpack(ask)))
`)

// readNamed reads a run of entries, and remembers the players' profiles: 3 billed commands in 1
// round trip.
func (s pages) readNamed(ctx context.Context, b game.Board, first, last int64, entries *[]game.Entry) error {
	args := []string{redis.Itoa(first), redis.Itoa(last)}
	if b.Mode.Order != game.Asc {
		args = append(args, "REV")
	}
	reply, err := s.db.Redis.Do(ctx, pageScript.Command([]string{b.Key, game.ProfilesKey}, args...).Idempotent())
	if err != nil {
		return err
	}
	parts, err := redis.Values(reply, 3, "entries and profiles")
	if err != nil {
		return err
	}
	if err := redis.EntriesInto(b, entries)(parts[1]); err != nil {
		return err
	}
	profiles, err := player.ProfilesOf(parts[2], len(*entries))
	if err != nil {
		return err
	}
	for i, p := range profiles {
		s.players.Directory.Learn((*entries)[i].Player, p)
	}
	return nil
}

// recount counts a board of which the page shows that the remembered total is wrong: it was lost
// since, or made again.
//
// Cost: 1 billed command.
func (s pages) recount(ctx context.Context, page *game.Page) error {
	s.totals.Forget(page.Board.Key)
	var p redis.Pipeline
	s.rollup.AskTotal(&p, page.Board, &page.Total)
	_, err := p.Run(ctx, s.db.Redis)
	return err
}

// windowAge is how old a page from memory may be.
func (s pages) windowAge(b game.Board) time.Duration {
	m := s.rollup.Measures()
	age := m.CacheFor(s.db.Game.Cache)
	if b.Derived() {
		return min(m.RefreshEvery(s.db.Game.Refresh), age)
	}
	return age
}

// newPage is a page without entries of a board that was just refreshed.
func (s pages) newPage(b game.Board) game.Page {
	now := s.db.Now()
	page := game.Page{Board: b, UpdatedAt: now, Closed: s.db.Game.Closed(b.Period, now)}
	if made, lacking := derive.Lacking(s.rollup, b); lacking {
		page.UpdatedAt, page.Stale = made, ErrLacking
	}
	return page
}

// keepTotal corrects the total by what the page itself shows: if a run has fewer entries than
// were asked for, the board ends with it, and no board is smaller than a run on it.
func (s pages) keepTotal(r game.PageRequest, page *game.Page) {
	seen := int64(len(page.Entries))
	switch {
	case seen > 0 && seen <= r.Limit:
		page.Total = r.Offset + seen
	case seen == 0 && r.Offset == 0:
		page.Total = 0
	case seen > 0:
		page.Total = max(page.Total, r.Offset+seen)
	default:
		return
	}
	s.totals.Set(page.Board.Key, page.Total)
}

// rank numbers the page's entries. If ranks are shared, this costs one command, unless the
// entries that were read before the first one, or the search for a cursor's place, show how
// many are ahead of it. Players who came in since the page was read do not count: no rank
// exceeds a position, nor the total.
func (s pages) rank(ctx context.Context, page *game.Page) error {
	b, entries, first := page.Board, page.Entries, page.Position
	before := page.Before
	page.Before = nil
	if len(entries) == 0 {
		return nil
	}
	if b.Mode.Ties == game.Earliest {
		b.Rank(entries, first, first)
		return nil
	}
	read := int64(len(before))
	tie := read // entries of before from tie on share the rank of the page's first entry
	for tie > 0 && before[tie-1].Score == entries[0].Score {
		tie--
	}
	rank := first - (read - tie) + 1
	switch {
	case tie > 0, rank == 1: // all that share its rank were read
	case page.TieRank > 0:
		rank = min(rank, page.TieRank)
	default:
		var ahead int64
		if err := s.db.Ask(ctx, redis.AheadCommand(b, entries[0].Score), redis.IntInto(&ahead)); err != nil {
			return redis.Wrap("rank a page", err)
		}
		rank = min(rank, ahead+1)
	}
	b.Rank(entries, first, rank-1)
	return nil
}

// nameOn fills in the names of the entries of a board. Groups have no names here, and the id
// of a group may be that of a player.
func nameOn(ctx context.Context, players *player.Profiles, b game.Board, entries []game.Entry) error {
	if b.OfTeams() {
		return nil
	}
	return players.Name(ctx, entries)
}

// nameFromMemory fills in the names that this process knows, however old they are.
func nameFromMemory(known *player.Directory, entries []game.Entry) {
	for i, e := range entries {
		if p, ok := known.Last(e.Player); ok {
			entries[i].Profile = p.Profile().Shown()
		}
	}
}

// Names reads how players are shown; players without a name have an empty profile.
//
// Cost: 1 billed command, or none if this process knows all of them.
func (s *Store) Names(ctx context.Context, players []string) (map[string]game.Profile, error) {
	entries := make([]game.Entry, len(players))
	for i, player := range players {
		entries[i].Player = player
	}
	if err := s.Players.Name(ctx, entries); err != nil {
		return nil, err
	}
	names := make(map[string]game.Profile, len(entries))
	for _, e := range entries {
		names[e.Player] = e.Profile
	}
	return names, nil
}

// A level's board of a day has what its players reached at that level, by the mode's
// policy: an entry that the day's board does not take may still be their best there.

// ownBoard is the board of a level on a day, and the writes to it, in order.
type ownBoard struct {
	key    string
	writes []*write
}

// ownBoards sorts writes of one day by the boards of levels that they go to.
func ownBoards(writes []*write) (boards []*ownBoard) {
	byKey := map[string]*ownBoard{}
	for _, w := range writes {
		for _, key := range w.own {
			if byKey[key] == nil {
				byKey[key] = &ownBoard{key: key}
				boards = append(boards, byKey[key])
			}
			byKey[key].writes = append(byKey[key].writes, w)
		}
	}
	return boards
}

// putOwn queues entries of one day for the boards of levels, by the mode's policy. It does so
// whatever this process knows of the day's board, which says nothing of a level's board. The
// commands may be sent again.
//
// Cost: 1 billed command for each board.
func putOwn(p *redis.Pipeline, writes ...*write) {
	for _, at := range ownBoards(writes) {
		pairs := make([]string, 0, 2*len(at.writes))
		for _, w := range at.writes {
			pairs = append(pairs, game.FormatStored(w.stored), w.Player)
		}
		p.Add(zadd(replacing(at.writes[0].Mode), at.key, pairs...), nil)
	}
}
