package lifecycle

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// merge moves everything that the device has on days that may still change, and works out
// again, for both, what follows from these days. It does so also for days that were moved
// before: that claim may have been cut off in between.
func (c *claim) merge(ctx context.Context, past Pasts) error {
	r := &removal{rp: c.rp, player: c.device}
	if err := r.list(ctx, c.rp.DB.Game.Modes); err != nil {
		return err
	}
	if err := c.find(ctx, r); err != nil || len(r.modes) == 0 {
		return err
	}
	own := &removal{rp: c.rp, player: c.player, modes: r.modes, xpDays: r.xpDays}
	var err error
	if r.past, err = past.read(ctx, c.device); err != nil {
		return err
	}
	if own.past, err = past.read(ctx, c.player); err != nil {
		return err
	}
	for _, t := range r.modes {
		for _, d := range t.dates {
			if err := c.move(ctx, t, d); err != nil {
				return err
			}
			if day := c.day(t.mode, d); day != nil {
				for _, scope := range day.scopes {
					t.scopes[scope] = struct{}{}
				}
			}
		}
	}
	return inOrder(ctx, r.overtake, c.countries(r, own),
		// The player comes first, so that boards that only the device was on do not vanish.
		c.enter(own), r.rework, teamsRework{r}.run,
		c.enterXP(own), xpRework{own}.run, xpRework{r}.run, c.play(own), streakRework{r}.run)
}

// find keeps those days of each mode that the device is on, or was on before they were moved.
func (c *claim) find(ctx context.Context, r *removal) error {
	var p redis.Pipeline
	current := map[string]redis.Place{}
	for _, t := range r.modes {
		t.dates = slices.DeleteFunc(r.recent(t), func(d game.Date) bool { return !c.rp.Rollup.Calendar.Writable(d) })
		for _, d := range t.dates {
			askPlace(&p, game.DayBoardKey(t.mode.Name, d), c.device, current)
		}
	}
	// The claim is read after the boards: it has then noted what a concurrent claim has moved
	// off them.
	c.read(&p)
	if _, err := p.Run(ctx, c.rp.DB.Redis); err != nil {
		return err
	}
	for _, t := range r.modes {
		t.dates = slices.DeleteFunc(t.dates, func(d game.Date) bool {
			return !current[game.DayBoardKey(t.mode.Name, d)].Found && c.day(t.mode, d) == nil
		})
	}
	r.modes = slices.DeleteFunc(r.modes, func(t *modeRemoval) bool { return len(t.dates) == 0 })
	return nil
}

// claimedBoard is one board of a day: what both have on it, and what the player gets.
type claimedBoard struct {
	key            string
	scope          game.Scope
	device, player redis.Place
	merged         redis.Place
}

// move gives the device's entry of one day to the player, on all boards of the day at once. If
// either plays meanwhile, it tries again. If an answer was lost, the record of the claim shows
// what was done.
func (c *claim) move(ctx context.Context, t *modeRemoval, d game.Date) error {
	for try := range player.RebaseTries {
		boards, err := c.readDay(ctx, t, d)
		if err != nil {
			return err
		}
		if !boards[0].device.Found {
			var p redis.Pipeline
			if try > 0 || c.day(t.mode, d) == nil { // a concurrent claim was faster
				c.read(&p)
			}
			_, err := p.Run(ctx, c.rp.DB.Redis)
			return err
		}
		day, command := c.plan(t.mode, d, boards)
		word := ""
		var p redis.Pipeline
		kept := c.rp.Played.Keep(&p, c.entered(boards))
		p.Add(command, func(reply upstash.Reply) (err error) {
			word, err = redis.Word(reply, "what became of the day")
			return err
		})
		_, err = p.Run(ctx, c.rp.DB.Redis)
		for _, b := range boards { // even if the answer was lost
			c.rp.Places.Remove(derive.EntryID{Board: b.key, Player: c.device})
			c.rp.Places.Remove(derive.EntryID{Board: b.key, Player: c.player})
			c.rp.Windows.Forget(b.key)
			c.rp.Totals.Forget(b.key)
		}
		if err != nil {
			return err
		}
		c.rp.Played.Wrote(kept)
		if word == "done" {
			c.note(day)
			return nil
		}
	}
	return redis.ErrVanished
}

// entered returns the groups that the player enters with the device's entry.
func (c *claim) entered(boards []*claimedBoard) []derive.Group {
	var groups []derive.Group
	for _, b := range boards {
		if b.device.Found {
			groups = append(groups, derive.Group{Player: c.player, Group: b.scope})
		}
	}
	return groups
}

// readDay reads what both have on the boards of a day; the global board comes first.
func (c *claim) readDay(ctx context.Context, t *modeRemoval, d game.Date) ([]*claimedBoard, error) {
	var boards []*claimedBoard
	var p redis.Pipeline
	add := func(scope game.Scope) {
		b := &claimedBoard{key: game.BoardKey(t.mode.Name, game.Day.Of(d), scope), scope: scope}
		boards = append(boards, b)
		p.Add(upstash.Cmd("ZMSCORE", b.key, c.device, c.player), func(reply upstash.Reply) error {
			both := make([]redis.Place, 2)
			err := redis.PlacesInto(both)(reply)
			b.device, b.player = both[0], both[1]
			return err
		})
	}
	add(game.Scope{})
	for _, scope := range derive.SortedScopes(t.indexes) {
		if scope != (game.Scope{}) && t.indexes[scope].Has(d) {
			add(scope)
		}
	}
	_, err := p.Run(ctx, c.rp.DB.Redis)
	return boards, err
}

// plan merges one day under the mode's policy.
func (c *claim) plan(m *game.Mode, d game.Date, boards []*claimedBoard) (ClaimedDay, upstash.Command) {
	day := ClaimedDay{Mode: m, Date: d, Status: game.Kept}
	global := boards[0]
	var taken bool
	global.merged, taken = MergePlaces(m, global.device, global.player)
	day.Score = m.Decode(global.merged.Stored)
	switch {
	case !global.player.Found:
		day.Status = game.Accepted
	case global.merged != global.player:
		day.Status = game.Improved
	}
	if before := c.day(m, d); before != nil {
		day.scopes = slices.Clone(before.scopes)
		if before.Status == game.Accepted || day.Status == game.Kept {
			day.Status = before.Status
		}
	}
	for _, b := range boards[1:] {
		if !b.device.Found && !b.player.Found {
			continue
		}
		if b.merged = global.merged; b.scope.OwnEntries() { // else as if each play had named its groups
			b.merged, _ = MergePlaces(m, b.device, b.player)
		}
		if !slices.Contains(day.scopes, b.scope) {
			day.scopes = append(day.scopes, b.scope)
		}
	}
	details := ""
	switch {
	case m.Details && taken:
		details = "take"
	case m.Details:
		details = "drop"
	}
	keys := []string{game.ClaimKey(c.device), game.ClosedKey, game.DetailsKey(m.Name, d)}
	args := []string{c.device, c.player, day.field(), day.String(), details, derive.Reopened(c.rp.DB)}
	for _, b := range boards {
		if b.device.Found || b.player.Found {
			keys = append(keys, b.key)
			args = append(args, b.device.Text(), b.player.Text(), b.merged.Text())
		}
	}
	return day, moveScript.Command(keys, args...).Idempotent()
}

// note adds a day to what is known of the claim.
func (c *claim) note(day ClaimedDay) {
	if known := c.day(day.Mode, day.Date); known != nil {
		*known = day
		return
	}
	c.claimed.Days = append(c.claimed.Days, day)
	c.sort()
}
