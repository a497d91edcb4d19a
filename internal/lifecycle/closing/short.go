package closing

import (
	"context"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// ShortError is returned for a day's board with fewer players than the archive knows: its key
// was deleted or evicted. A player who leaves a board leaves the archive too, except claimed
// devices, which are not counted.
type ShortError struct{ game.DayName }

func (e *ShortError) Key() string { return game.DayBoardKey(e.Mode, e.Date) }

func (e *ShortError) Error() string {
	return fmt.Sprintf("%s has fewer players than the archive; it is rebuilt from there", e.Key())
}

// boards compares the boards of days with the archive.
type boards struct{ c *Closing }

// count counts a day's board. Cost: 1 billed command.
func (b boards) count(ctx context.Context, d game.DayName) (n int64, err error) {
	key := game.DayBoardKey(d.Mode, d.Date)
	err = b.c.Store.DB.Ask(ctx, upstash.Cmd("ZCARD", key), redis.IntInto(&n))
	return n, redis.Wrap("count "+key, err)
}

// short reports whether a day's board, which has so many players, lacks some that the archive
// has. Players who are being removed are not counted: they leave the board first.
//
// Cost: nothing, or 1 billed command if the board seems short.
func (b boards) short(ctx context.Context, d game.DayName, has int64) (bool, error) {
	standing, err := b.c.Archive.Results.CountStanding(ctx, d.Date, d.Mode)
	if err != nil || standing[d.Mode] <= has {
		return false, err
	}
	removed, err := lifecycle.ReadTaken(ctx, b.c.Store.DB, d.Mode, d.Date)
	if err != nil || len(removed.Players) == 0 {
		return true, err
	}
	n := int64(0)
	err = b.c.Archive.Results.EachOnBoard(ctx, d.Mode, d.Date, func(page []game.Result) error {
		for _, r := range page {
			if !removed.Players[r.Player] {
				n++
			}
		}
		return nil
	})
	return n > has, err
}

// Returned is a board of a day that Redis had lost and has again.
type Returned struct {
	Board   string `json:"board"`
	Players int    `json:"players"` // players that the archive has brought
}

// Return makes boards of days again that have lost players. For each player the archived or
// the present score counts, whichever the mode's policy prefers; of a sum the larger, or the
// present one if scores may be negative. It may be repeated, also concurrently, and then
// changes nothing. If the whole Redis was lost, Return writes nothing and returns
// archive.ErrOtherSource: a restore must do it.
//
// Cost: 1 billed command, 3 for each board, for every 1,500 players some 9, and for each
// group's board 2.
func (c *Closing) Return(ctx context.Context, keys []string) (done []Returned, err error) {
	err = alone(ctx, c.Store.DB, "daily", func(ctx context.Context) error {
		back := returning{Closing: c}
		if err := back.begin(ctx); err != nil {
			return err
		}
		today := c.clock().today()
		for _, m := range c.Game.Modes {
			for d := c.clock().oldest(); !d.After(today.AddDays(1)); d = d.AddDays(1) {
				key := game.DayBoardKey(m.Name, d)
				if !slices.Contains(keys, key) {
					continue
				}
				n, err := back.bring(ctx, m, d)
				if err != nil {
					return err
				}
				done = append(done, Returned{key, n})
			}
		}
		return nil
	})
	return done, err
}

// ShortOfPosted looks, in games with an outbox, for boards of open days with fewer players
// than have played, according to all that was taken from the outbox.
//
// Cost: 1 billed command for each mode that was played on each of these days.
func (c *Closing) ShortOfPosted(ctx context.Context) (short []string, err error) {
	var modes []string
	for _, m := range c.Game.Modes {
		modes = append(modes, m.Name)
	}
	for _, d := range c.Game.OpenDates(c.Now()) {
		standing, err := c.Archive.Submissions.CountStanding(ctx, d, modes...)
		if err != nil {
			return nil, err
		}
		for _, mode := range modes {
			if standing[mode] == 0 {
				continue
			}
			has, err := boards{c}.count(ctx, game.DayName{Mode: mode, Date: d})
			if err != nil {
				return nil, err
			}
			if has < standing[mode] {
				short = append(short, game.DayBoardKey(mode, d))
			}
		}
	}
	return short, nil
}

// returning brings boards of days back from the archive, to the Redis that they were archived
// from.
type returning struct {
	*Closing
	redis string // its name
}

// begin reads which Redis this is. The boards may have been found missing in another one,
// which has been lost since.
func (c *returning) begin(ctx context.Context) (err error) {
	if c.redis, err = c.Store.Notices.Source(ctx); err != nil {
		return err
	}
	elsewhere, err := c.Archive.Days.Elsewhere(ctx, c.redis)
	if err == nil && elsewhere > 0 {
		err = archive.ErrOtherSource
	}
	return err
}

// played computes the results of a day from every play of it.
func (c returning) played(ctx context.Context, m *game.Mode, d game.Date) ([]game.Result, error) {
	current, levels := map[string]game.Posted{}, map[string]levelPlays{}
	err := c.Archive.Submissions.EachOnBoard(ctx, m.Name, d, func(page []game.Posted) error {
		for _, p := range page {
			was, played := current[p.Player]
			if !played {
				levels[p.Player] = levelPlays{}
			}
			levels[p.Player].add(p, func(was game.Posted) bool {
				return m.Policy == game.First && p.At.Before(was.At) || m.Policy == game.Best && m.Replaces(was.Stored, p.Stored)
			})
			switch {
			case !played:
			case m.Policy == game.First && !p.At.Before(was.At):
				continue
			case m.Policy == game.Sum:
				p.Stored += float64(game.TrueScore(was.Stored))
			case m.Policy != game.First && !m.Replaces(was.Stored, p.Stored):
				continue
			}
			current[p.Player] = p
		}
		return nil
	})
	results := make([]game.Result, 0, len(current))
	for player, p := range current {
		results = append(results, game.Result{Player: player, Stored: p.Stored, Details: p.Details, Scopes: levels[player].scoped(p)})
	}
	return results, err
}

func (c returning) bring(ctx context.Context, m *game.Mode, d game.Date) (players int, err error) {
	var results []game.Result
	if c.Game.Outbox && !c.clock().closed(game.Day.Of(d)) {
		results, err = c.played(ctx, m, d)
	} else {
		err = c.Archive.Results.EachOnBoard(ctx, m.Name, d, func(page []game.Result) error {
			results = append(results, page...)
			return nil
		})
	}
	if err != nil || len(results) == 0 {
		return 0, err
	}
	if err := c.Store.Restore.Return(ctx, m, d, results, c.redis); err != nil {
		return 0, err
	}
	return len(results), c.profiles(ctx, m, d, results)
}

// profiles brings back the profiles of a returned day's players: an older backup of Redis lacks
// them too, and with them the players' countries.
//
// Cost: 3 billed commands, and 1 for every 10,000 players; 2 more for every 10,000 that lack
// something.
func (c returning) profiles(ctx context.Context, m *game.Mode, d game.Date, results []game.Result) error {
	for some := range slices.Chunk(results, archive.MostRows) {
		players := make([]string, len(some))
		for i, r := range some {
			players[i] = r.Player
		}
		err := c.Store.Restore.ReturnProfiles(ctx, m, d, players, c.Archive.Profiles.Of)
		if err != nil {
			return err
		}
	}
	return nil
}

// closed makes the boards of closed days again that are missing in Redis and have not been
// rolled up: otherwise boards that are made from days would lack these.
//
// Cost: 1 billed command; if boards are missing 1, 1 for each that could be, and that of
// restoring them. Errors: archive.ErrOtherSource.
func (c *returning) closed(ctx context.Context, view derive.Survey) (done []Returned, err error) {
	var keys []string
	var days []derive.DayState
	for _, day := range c.Store.Rollup.Calendar.DayStates(view) {
		if day.Closed && day.Alive && !day.RolledUp && !day.Sealed {
			days = append(days, day)
			keys = append(keys, game.DayBoardKey(day.Mode.Name, day.Date))
		}
	}
	there, err := redis.CountThere(ctx, c.Store.DB.Redis, keys...)
	if err != nil || there == int64(len(keys)) {
		return nil, redis.Wrap("look for boards of closed days", err)
	}
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	for i, day := range days {
		there, err := c.Store.DB.Exists(ctx, keys[i])
		if err != nil {
			return done, err
		}
		if there {
			continue
		}
		n, err := c.bring(ctx, day.Mode, day.Date)
		if err != nil {
			return done, err
		}
		if n > 0 {
			done = append(done, Returned{keys[i], n})
		}
	}
	return done, nil
}

// expired makes the boards of days again that expired before they were rolled up, so that this
// run closes them and rolls them up. A day of which the archive has nobody although it is
// complete was empty. Other days that the archive does not have stay lost.
//
// Cost: nothing if no day is lost; else 1 billed command, and that of restoring the days.
// Errors: archive.ErrOtherSource.
func (c *returning) expired(ctx context.Context, view derive.Survey) (done []Returned, err error) {
	lost := slices.DeleteFunc(c.Store.Rollup.Calendar.DayStates(view), func(d derive.DayState) bool { return !d.Lost() })
	if len(lost) == 0 {
		return nil, nil
	}
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	for _, day := range lost {
		kept, err := c.Archive.Days.Between(ctx, day.Mode.Name, day.Date, day.Date)
		if err != nil || len(kept) == 0 {
			if err != nil {
				return done, err
			}
			continue
		}
		var results []game.Result
		err = c.Archive.Results.EachOnBoard(ctx, day.Mode.Name, day.Date, func(page []game.Result) error {
			results = append(results, page...)
			return nil
		})
		back := Returned{game.DayBoardKey(day.Mode.Name, day.Date), len(results)}
		switch {
		case err != nil:
		case len(results) > 0:
			err = c.Store.Restore.ReturnExpired(ctx, day.Mode, day.Date, results)
			if err == nil {
				err = c.profiles(ctx, day.Mode, day.Date, results)
			}
		case kept[0].Complete:
			err = c.Store.Rollup.Calendar.NoteEmpty(ctx, []derive.DayKey{{Mode: day.Mode.Name, Date: day.Date}})
		default:
			continue
		}
		if err != nil {
			return done, err
		}
		done = append(done, back)
	}
	return done, nil
}

// Expired lists the boards of days that expired before they were rolled up and of which the
// archive has players.
//
// Cost: 2 billed commands, and 1 for each mode that has been played.
func (c *Closing) Expired(ctx context.Context) (boards []string, err error) {
	view, err := c.Store.Rollup.Calendar.Survey(ctx)
	if err != nil {
		return nil, err
	}
	for _, day := range c.Store.Rollup.Calendar.DayStates(view) {
		if !day.Lost() {
			continue
		}
		standing, err := c.Archive.Results.CountStanding(ctx, day.Date, day.Mode.Name)
		if err != nil {
			return nil, err
		}
		if standing[day.Mode.Name] > 0 {
			boards = append(boards, game.DayBoardKey(day.Mode.Name, day.Date))
		}
	}
	return boards, nil
}
