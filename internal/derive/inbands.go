package derive

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// A large board of all time is kept in bands, see package bands. It is not united from its
// days: readers and schedules carry the days' entries into it, page by page, and all of a day
// is in it before the day counts as rolled up. Here all time is the best of the days, so
// carrying an entry twice changes nothing, and no lock is needed for the board to be right.

// MainDatabase is the name that layouts of bands have for the Redis that has everything else.
const MainDatabase = "main"

// Banded knows which boards of a Rollup are kept in bands.
type Banded struct {
	ru    *Rollup
	bands *bands.Bands // nil: no mode has any
}

// InBands is a board that is kept in bands.
type InBands struct {
	*bands.Bands
	Board bands.Board

	ru *Rollup
	of game.Board
}

// KeepBands sets the databases that bands lie in: the first is the Redis that has everything
// else; nil: that Redis alone. It is called while the parts of a process are made, before any
// is used. In a game without a mode that may have bands it does nothing.
func (k *Banded) KeepBands(dbs *bands.Databases) {
	ru := k.ru
	if !slices.ContainsFunc(ru.db.Game.Modes, func(m *game.Mode) bool { return m.Bands != nil }) {
		return
	}
	if dbs == nil {
		dbs, _ = bands.NewDatabases(bands.Database{Name: MainDatabase, Redis: ru.db.Redis}) // one never fails
	}
	k.bands = bands.New(dbs, bands.Settings{Now: ru.db.Now, Elapsed: ru.db.Elapsed})
}

// mayBeIn is a board as bands would keep it; nil for a board that never has bands.
func (k *Banded) mayBeIn(b game.Board) *InBands {
	if k.bands == nil || !b.MayHaveBands() {
		return nil
	}
	return &InBands{k.bands, bands.Board{Key: b.Key, Order: b.Mode.Order}, k.ru, b}
}

// InBands is a board that is kept in bands; nil if it is one sorted set.
//
// Cost: nothing for modes without bands; else 1 billed command every 10 s.
func (k *Banded) InBands(ctx context.Context, b game.Board) (*InBands, error) {
	in := k.mayBeIn(b)
	if in == nil {
		return nil, nil
	}
	kept, err := in.Bands.HasBands(ctx, in.Board)
	if err != nil || !kept {
		return nil, err
	}
	return in, nil
}

// AllTimeInBands is InBands of a mode's board of all time.
func (k *Banded) AllTimeInBands(ctx context.Context, m *game.Mode) (*InBands, error) {
	return k.InBands(ctx, game.BoardOf(m, game.AllTime.Of(game.Date{}), game.Scope{}))
}

// Get reads a player's entry.
func (in *InBands) Get(ctx context.Context, player string) (redis.Place, error) {
	at, err := in.Scores(ctx, in.Board, []string{player})
	if err != nil {
		return redis.Place{}, err
	}
	return at[0], nil
}

// carriedAtOnce is how many entries of days one refresh looks at.
const carriedAtOnce = 5000

// carryFor is how long after a day is sealed readers still carry it; schedules do so until it
// is rolled up.
const carryFor = 5 * time.Hour

// dates are the days that have begun and that readers carry, oldest first: see carryFor.
func (in *InBands) dates() (dates []game.Date) {
	c, now := in.ru.Calendar, in.ru.db.Now()
	newest := in.ru.db.Game.Today(now).AddDays(1)
	for d := newest; now.Before(in.ru.db.Game.Seals(d).Add(carryFor)); d = d.AddDays(-1) {
		if c.Begins(d) {
			dates = append(dates, d)
		}
	}
	slices.Reverse(dates)
	return dates
}

func (in *InBands) dayKey(d game.Date) string {
	return game.DayBoardKey(in.of.Mode.Name, d)
}

// refresh carries the next entries of days, at most once per interval over all processes.
//
// Cost: nothing while this process knows that it is done; 2 billed commands if another process
// has done it; else 3, 1 for each day that is read, and what the bands ask for, see
// [bands.Bands.SubmitMany].
func (in *InBands) refresh(ctx context.Context) (derivation, error) {
	ru := in.ru
	now := derivation{since: ru.db.Now(), made: true}
	u := newRefreshRun(ru, in.of, ru.Measures().RefreshEvery(ru.db.Game.Refresh))
	if last, _ := ru.derived.Get(in.of.Key); u.isDone(last) {
		return now, nil
	}
	var carried string
	var p redis.Pipeline
	u.take(&p)
	p.Add(upstash.Cmd("GET", game.BandCarriedKey(in.of.Key)), redis.TextInto(&carried))
	attempts, err := p.Run(ctx, ru.db.Redis)
	if err != nil {
		return now, redis.Wrap("take the refresh lock", err)
	}
	ru.derived.Add(in.of.Key, derivation{slot: u.slot, at: ru.db.Elapsed()})
	if !u.won(attempts) {
		return now, nil
	}
	next, err := in.next(ctx, carried)
	if err != nil {
		return now, redis.Wrap("carry days to "+in.of.Key, err)
	}
	_, err = ru.db.Redis.Do(ctx, upstash.Cmd("SET", game.BandCarriedKey(in.of.Key), next).Idempotent())
	return now, redis.Wrap("note how far days are carried", err)
}

// next carries entries, beginning at the place that a note names, and returns a note of the
// place at which to go on. Positions change while a day is played: if a player was missed, the
// next round carries that player.
func (in *InBands) next(ctx context.Context, note string) (string, error) {
	dates, left, page := in.dates(), int64(carriedAtOnce), int64(0)
	if on, at, ok := strings.Cut(note, ":"); ok {
		if d, err := game.ParseDate(on); err == nil {
			if i := slices.Index(dates, d); i >= 0 {
				dates = dates[i:]
				page, _ = strconv.ParseInt(at, 10, 64) // else from its beginning
			}
		}
	}
	for _, d := range dates {
		members, err := in.ru.db.ReadMembers(ctx, in.dayKey(d), page, left)
		if err != nil {
			return "", err
		}
		if err := in.bring(ctx, in.dayKey(d), members); err != nil {
			return "", err
		}
		read := int64(len(members))
		if read == left {
			return d.String() + ":" + redis.Itoa(page+read), nil
		}
		left, page = left-read, 0
	}
	return "", nil
}

// carryDays carries all days that are not rolled up.
func (in *InBands) carryDays(ctx context.Context) error {
	days, _, err := in.ru.Calendar.Indexes(ctx, in.of.Mode)
	if err != nil {
		return err
	}
	for _, d := range days.open() {
		err := in.ru.db.ScanMembers(ctx, in.dayKey(d), func(page []redis.Member) error { return in.bring(ctx, in.dayKey(d), page) })
		if err != nil {
			return redis.Wrap("carry "+in.dayKey(d), err)
		}
	}
	return nil
}

// Days reads what the days that are not rolled up add up to, by player.
func (in *InBands) Days(ctx context.Context) (map[string]float64, error) {
	days, _, err := in.ru.Calendar.Indexes(ctx, in.of.Mode)
	if err != nil {
		return nil, err
	}
	all := map[string]float64{}
	for _, d := range days.open() {
		day, err := in.ru.db.ReadBoard(ctx, in.dayKey(d))
		if err != nil {
			return nil, err
		}
		AddTo(all, day, in.of.Mode.Aggregate)
	}
	return all, nil
}

// bring writes entries of a day to the board, and takes those out again whose players have left
// the day since they were read. Such a score was removed, and the removal may have looked at
// the board before bring wrote to it.
func (in *InBands) bring(ctx context.Context, day string, members []redis.Member) error {
	entries := make([]bands.Entry, len(members))
	for i, m := range members {
		entries[i] = bands.Entry(m)
	}
	changed, err := in.Bring(ctx, in.Board, entries)
	if err != nil || len(changed) == 0 {
		return err
	}
	written := make([]redis.Member, len(changed))
	for i, c := range changed {
		written[i] = redis.Member(c.Entry)
	}
	still := make([]redis.Place, len(written))
	if err := in.ru.db.Ask(ctx, redis.ScoresOf(day, written), redis.PlacesInto(still)); err != nil {
		return err
	}
	for i, c := range changed {
		if still[i].Found {
			continue
		}
		if err := in.Bands.Put(ctx, in.Board, c.Player, c.Stored, c.Stood); err != nil {
			return err
		}
	}
	in.ru.totals.Forget(in.of.Key)
	in.ru.windows.Outdate(in.of.Key)
	return nil
}

// OwnPlace brings a player's entry up to date with the days, and returns it.
//
// Cost: 1 billed command for each day that readers carry, and 1 for the player's home unless
// the entry is known; for each day that is better than the board's entry, that of
// [bands.Bands.Bring] and 2.
func (in *InBands) OwnPlace(ctx context.Context, player string, known redis.Place) (current redis.Place, err error) {
	dates := in.dates()
	at := make([]redis.Place, len(dates))
	var p redis.Pipeline
	for i, d := range dates {
		p.Add(upstash.Cmd("ZSCORE", in.dayKey(d), player), redis.ScoreInto(&at[i]))
	}
	var home sync.WaitGroup
	if current = known; !known.Found {
		home.Go(func() { current, err = in.Get(ctx, player) })
	}
	_, failed := p.Run(ctx, in.ru.db.Redis)
	if home.Wait(); err != nil || failed != nil {
		return redis.Place{}, redis.Wrap("read the player's days", cmp.Or(err, failed))
	}
	for i, day := range at {
		if want := combineEntries(in.of.Mode.Aggregate, current, day); want.Found && want != current {
			member := []redis.Member{{Player: player, Stored: day.Stored}}
			if err := in.bring(ctx, in.dayKey(dates[i]), member); err != nil {
				return redis.Place{}, err
			}
			if current, err = in.Get(ctx, player); err != nil {
				return redis.Place{}, err
			}
		}
	}
	return current, nil
}

// Replace makes the board hold exactly what is given, in new bands of the size that its mode
// asks for.
//
// Cost: 1 billed command for each database, 2, and that of [bands.Bands.SubmitMany].
func (in *InBands) Replace(ctx context.Context, all map[string]float64) error {
	entries, stored := make([]bands.Entry, 0, len(all)), make([]float64, 0, len(all))
	for player, score := range all {
		entries, stored = append(entries, bands.Entry{Player: player, Stored: score}), append(stored, score)
	}
	slices.Sort(stored)
	if in.Board.Order != game.Asc {
		slices.Reverse(stored)
	}
	birth := bands.Birth{Homes: homes}
	most := int(in.of.Mode.Bands.Most)
	for at := most; at < len(stored); at += most {
		edge := stored[at-1]
		if n := len(birth.Edges); edge != stored[len(stored)-1] && (n == 0 || birth.Edges[n-1] != edge) {
			birth.Edges = append(birth.Edges, edge)
		}
	}
	if err := in.Bands.Wipe(ctx, in.Board); err != nil {
		return err
	}
	if err := in.Create(ctx, in.Board, birth); err != nil {
		return err
	}
	_, err := in.SubmitMany(ctx, in.Board, entries)
	in.ru.totals.Forget(in.of.Key)
	in.ru.windows.Forget(in.of.Key)
	return redis.Wrap("write "+in.of.Key, cmp.Or(err, in.Bands.Recount(ctx, in.Board)))
}

// ReplaceRolledUp makes a board of all time hold what rolled-up days add up to, in bands if
// there are enough players. False: the board is to be one sorted set, and has no bands now.
func (k *Banded) ReplaceRolledUp(ctx context.Context, b game.Board, all map[string]float64) (bool, error) {
	in := k.mayBeIn(b)
	if in == nil {
		return false, nil
	}
	if int64(len(all)) < b.Mode.Bands.From {
		return false, in.Bands.Wipe(ctx, in.Board)
	}
	if err := in.Replace(ctx, all); err != nil {
		return true, err
	}
	_, err := k.ru.db.Redis.Do(ctx, upstash.Cmd("DEL", game.RolledUpKey(b.Key)).Idempotent())
	return true, err
}

// homes is how many homes the players of a board are spread over: enough for 28 million.
const homes = 32
