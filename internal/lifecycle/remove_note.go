package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// noteAge is how long after a removal the daily job looks after it. By then every process has
// read the list of bans again, and every run that was under way has ended.
const noteAge = 20 * time.Minute

// removalNote is what Redis keeps of a removal until LookAfterRemovals has finished it: enough
// to work out again what follows from the removal.
type removalNote struct {
	Player string
	At     time.Time
	Ban    bool
	Modes  map[string]noteMode
	// Erase says that everything of the player is removed, and Unfinished that it is not known
	// whether all of it is. Groups are all groups that the player was in at that time.
	Erase      bool     `json:",omitempty"`
	Unfinished bool     `json:",omitempty"`
	Groups     []string `json:",omitempty"`
	// Restoring names the erasures that were done before a restore began. Only the note of a
	// restore has it, see [Restoring]; that note is of no player.
	Restoring []string `json:",omitempty"`

	field string
}

type noteMode struct {
	Dates  []string
	Scopes []string `json:",omitempty"`
}

func (n removalNote) scopesInto(t *modeRemoval) {
	for _, name := range n.Modes[t.mode.Name].Scopes {
		if scope, err := game.ParseScope(name); err == nil {
			t.scopes[scope] = struct{}{}
		}
	}
}

// newNote makes the note of what is about to be removed.
func (r *removal) newNote() removalNote {
	n := removalNote{Player: r.player, At: r.rp.DB.Now(), Ban: r.ban, Modes: map[string]noteMode{}}
	for _, t := range r.modes {
		if len(t.dates) == 0 {
			continue
		}
		var m noteMode
		for _, d := range t.dates {
			m.Dates = append(m.Dates, d.String())
		}
		for scope := range t.scopes {
			if scope != (game.Scope{}) {
				m.Scopes = append(m.Scopes, scope.String())
			}
		}
		slices.Sort(m.Scopes)
		n.Modes[t.mode.Name] = m
	}
	// Each removal writes a field of its own: two concurrent removals of one player keep a
	// note each.
	n.field = r.player + " " + redis.UniqueName(r.rp.DB)
	return n
}

// note writes the note of what is about to be removed.
func (r *removal) note(ctx context.Context) error {
	n := r.newNote()
	if len(n.Modes) == 0 && !n.Ban {
		return nil
	}
	return n.write(ctx, r.rp.DB)
}

func (n removalNote) write(ctx context.Context, db *redis.DB) error {
	var p redis.Pipeline
	if err := n.put(&p); err != nil {
		return err
	}
	_, err := p.Run(ctx, db.Redis)
	return err
}

func (n removalNote) put(p *redis.Pipeline) error {
	record, err := json.Marshal(n)
	if err == nil {
		p.Add(upstash.Cmd("HSET", game.RemovalsKey, n.field, string(record)).Idempotent(), nil)
	}
	return err
}

// notesInto reads the notes of all removals, oldest first.
func notesInto(take func([]removalNote)) func(upstash.Reply) error {
	return redis.FieldsInto(func(fields map[string]string) error {
		var notes []removalNote
		for field, record := range fields {
			n := removalNote{field: field}
			if err := json.Unmarshal([]byte(record), &n); err != nil {
				return fmt.Errorf("read the note of a removal: %w", err)
			}
			notes = append(notes, n)
		}
		slices.SortFunc(notes, func(a, b removalNote) int { return a.At.Compare(b.At) })
		take(notes)
		return nil
	})
}

// RecentRemovals says which players had something removed on a mode's day in the last 20 minutes. What
// the archive still has of them on that day, or what a run has read of it, must not be put
// back.
type RecentRemovals struct {
	Players map[string]bool
	Erased  map[string]bool // players who were erased, on whatever days they had played
	Notes   int             // number of notes of removals, of any day
}

// AskTaken queues the command that fills taken. A removal is noted before an entry leaves the
// board, so none is missed.
//
// Cost: 1 billed command.
func AskTaken(p *redis.Pipeline, db *redis.DB, mode string, d game.Date, taken *RecentRemovals) {
	p.Add(upstash.Cmd("HGETALL", game.RemovalsKey), notesInto(func(notes []removalNote) {
		*taken = RecentRemovals{map[string]bool{}, map[string]bool{}, len(notes)}
		for _, n := range notes {
			if db.Now().Sub(n.At) < noteAge && slices.Contains(n.Modes[mode].Dates, d.String()) {
				taken.Players[n.Player] = true
			}
			if n.Erase {
				taken.Erased[n.Player] = true
			}
		}
	}))
}

// ReadTaken is AskTaken in a round trip of its own.
func ReadTaken(ctx context.Context, db *redis.DB, mode string, d game.Date) (taken RecentRemovals, err error) {
	var p redis.Pipeline
	AskTaken(&p, db, mode, d, &taken)
	_, err = p.Run(ctx, db.Redis)
	return taken, err
}

// Noted returns the players of whom something was removed that LookAfterRemovals has not
// finished.
//
// Cost: 1 billed command.
func Noted(ctx context.Context, db *redis.DB) (map[string]bool, error) {
	notes, err := readNotes(ctx, db)
	players := map[string]bool{}
	for _, n := range notes {
		players[n.Player] = true
	}
	return players, err
}

// Finish is what LookAfterRemovals leaves to its caller, since it concerns more than boards.
type Finish struct {
	// Erase repeats an erasure that was cut off.
	Erase func(ctx context.Context, player string, at time.Time) error
	// Again erases a player from everything once more, whatever is known of the player.
	Again func(ctx context.Context, player string) error
	// Late removes what was written to Redis, other than to boards, while the player was
	// being erased. It may be nil.
	Late func(ctx context.Context, player string) error
	// Forfeit takes the XP of a banned player's duels away, except on the board of XP. It may be
	// nil.
	Forfeit func(ctx context.Context, player string) error
	// Banned is called with what was removed of a banned player, and with what the archive has
	// of the player. Without an archive it is not called.
	Banned func(ctx context.Context, player string, past *ArchivedPlayer, removed RemovalReport) error
}

// LookAfterRemovals works out once more what follows from removals of more than 20 minutes
// ago. So it finishes what was cut off, and corrects boards to which a process wrote back an
// entry that it had read before the removal. It removes what banned players could still play
// before every process knew of the ban. It erases again players whom a restore that was cut
// off may have brought back.
//
// past reads what the archive has of a player; nil: there is no archive.
//
// Cost: 1 billed command, and 1 where some mode has groups; for each removal that of removing
// again.
func (rp *Repair) LookAfterRemovals(ctx context.Context, past Pasts, finish Finish) (done int, err error) {
	if err := rp.Played.Learn(ctx); err != nil {
		return 0, err
	}
	notes, err := readNotes(ctx, rp.DB)
	if err != nil {
		return 0, err
	}
	runs := restorings(notes)
	now := rp.DB.Now()
	underWay := slices.DeleteFunc(slices.Clone(runs), func(n removalNote) bool { return n.aged(now) })
	if cutOff := slices.DeleteFunc(runs, func(n removalNote) bool { return !n.aged(now) }); len(cutOff) > 0 {
		if err := rp.endRestorings(ctx, notes, cutOff, finish.Again); err != nil {
			return 0, err
		}
	}
	for _, n := range notes {
		if !n.aged(now) || n.isRestoring() || n.since(underWay) {
			continue
		}
		over, err := rp.lookAfterNote(ctx, n, past, finish)
		if err != nil {
			return done, redis.Wrap("look after the removal of "+n.Player, err)
		}
		if !over {
			continue
		}
		if _, err := rp.DB.Redis.Do(ctx, upstash.Cmd("HDEL", game.RemovalsKey, n.field).Idempotent()); err != nil {
			return done, err
		}
		done++
	}
	return done, nil
}

// aged reports whether it is time to look after a note.
func (n removalNote) aged(now time.Time) bool { return now.Sub(n.At) >= noteAge }

// lookAfterNote does what a note asks for, and reports whether the note is no longer needed.
func (rp *Repair) lookAfterNote(ctx context.Context, n removalNote, past Pasts, finish Finish) (over bool, err error) {
	if n.Unfinished {
		return true, finish.Erase(ctx, n.Player, rp.DB.Now())
	}
	known, err := past.read(ctx, n.Player)
	if err != nil {
		return false, err
	}
	if past == nil && n.Erase { // an erased player has no past, with an archive or without
		known = &ArchivedPlayer{}
	}
	if n.Ban {
		banned, err := rp.readBanned(ctx, n.Player)
		if err != nil {
			return false, err
		}
		if banned {
			return true, rp.lookAfterBan(ctx, n, known, finish)
		}
	}
	if err := rp.lookAfter(ctx, n, known); err != nil || !n.Erase {
		return true, err
	}
	if finish.Late != nil {
		if err := finish.Late(ctx, n.Player); err != nil {
			return false, err
		}
	}
	return rp.lookAfterGroups(ctx, n)
}

// lookAfterBan removes what a banned player has played since the removal, without another note.
func (rp *Repair) lookAfterBan(ctx context.Context, n removalNote, past *ArchivedPlayer, finish Finish) error {
	if finish.Forfeit != nil {
		if err := finish.Forfeit(ctx, n.Player); err != nil {
			return err
		}
	}
	r := &removal{rp: rp, player: n.Player, past: past, after: true, ban: true}
	if err := r.list(ctx, rp.DB.Game.Modes); err != nil {
		return err
	}
	for _, t := range r.modes {
		t.dates = r.recent(t)
	}
	if err := inOrder(ctx, r.find, (rolledUpPlan{r}).make, r.takeAway); err != nil || past == nil {
		return err
	}
	return finish.Banned(ctx, n.Player, past, r.report)
}

func (rp *Repair) lookAfter(ctx context.Context, n removalNote, past *ArchivedPlayer) error {
	r := &removal{rp: rp, player: n.Player, past: past, after: true, erased: n.Erase}
	var modes []*game.Mode
	for _, m := range rp.DB.Game.Modes {
		if _, ok := n.Modes[m.Name]; ok || n.Erase && m.Bands != nil {
			modes = append(modes, m)
		}
	}
	if err := r.list(ctx, modes); err != nil {
		return err
	}
	var p redis.Pipeline
	for _, t := range r.modes {
		n.scopesInto(t)
		for _, text := range n.Modes[t.mode.Name].Dates {
			d, err := game.ParseDate(text)
			if err != nil {
				return err
			}
			t.dates = append(t.dates, d)
		}
	}
	askCountry(&p, r)
	if _, err := p.Run(ctx, rp.DB.Redis); err != nil {
		return err
	}
	return r.workOut(ctx)
}
