package lifecycle

import (
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// restoringField begins the fields of the notes of [Restoring]. No player's id begins so.
const restoringField = "~restoring "

// Restoring is a run that puts back what an archive has. It may bring back a player who is
// erased meanwhile: it reads the player before the erasure and writes after it. So such
// players are erased once more when the run ends. Until then the run is noted among the
// removals, with the erasures that were done before it began. If the run is cut off, the next
// one knows from the note whom it may have brought back.
type Restoring struct {
	rp    *Repair
	erase func(ctx context.Context, player string) error
	note  removalNote
}

// BeginRestoring notes that a restore begins. Before that it erases the players whom a restore
// that was cut off may have brought back. erase erases a player from everything, whatever is
// known of the player.
//
// Cost: 2 billed commands; where one was cut off 2 more, and as much as End.
func (rp *Repair) BeginRestoring(ctx context.Context, erase func(ctx context.Context, player string) error) (*Restoring, error) {
	r := &Restoring{rp: rp, erase: erase}
	notes, err := readNotes(ctx, rp.DB)
	if err != nil {
		return nil, err
	}
	if cutOff := restorings(notes); len(cutOff) > 0 {
		if err := rp.endRestorings(ctx, notes, cutOff, erase); err != nil {
			return nil, err
		}
		if notes, err = readNotes(ctx, rp.DB); err != nil {
			return nil, err
		}
	}
	r.note = removalNote{At: rp.DB.Now(), Restoring: []string{}, field: restoringField + redis.UniqueName(rp.DB)}
	for _, n := range notes {
		if n.Erase && !n.Unfinished {
			r.note.Restoring = append(r.note.Restoring, n.name())
		}
	}
	return r, redis.Wrap("note that a restore begins", r.note.write(ctx, rp.DB))
}

// End erases once more all players whose erasure was not done when the restore began, also
// those whose erasure is still unfinished.
//
// Cost: 2 billed commands; for each player who is erased that of erasing, and 1 for each day
// that may have details.
func (r *Restoring) End(ctx context.Context) error {
	notes, err := readNotes(ctx, r.rp.DB)
	if err != nil {
		return err
	}
	// Another run may have taken this one for cut off, and have ended it.
	return r.rp.endRestorings(ctx, notes, append(restorings(notes), r.note), r.erase)
}

// endRestorings erases the players whom some restores may have brought back, and then deletes
// the notes of these restores.
func (rp *Repair) endRestorings(ctx context.Context, notes, ended []removalNote, erase func(ctx context.Context, player string) error) error {
	var again []string
	var p redis.Pipeline
	for _, n := range notes {
		if n.since(ended) && !slices.Contains(again, n.Player) {
			again = append(again, n.Player)
			dropDetails(&p, rp.DB, n.Player)
		}
	}
	if _, err := p.Run(ctx, rp.DB.Redis); err != nil {
		return redis.Wrap("drop details of who was erased", err)
	}
	for _, player := range again {
		if err := erase(ctx, player); err != nil {
			return redis.Wrap("erase a player once more", err)
		}
	}
	forget := []string{"HDEL", game.RemovalsKey}
	for _, n := range ended {
		forget = append(forget, n.field)
	}
	_, err := rp.DB.Redis.Do(ctx, upstash.Cmd(forget...).Idempotent())
	return redis.Wrap("note that a restore has ended", err)
}

// dropDetails queues the removal of a player's details of all days. A restore puts details
// back before boards, and an erasure finds details only through boards.
func dropDetails(p *redis.Pipeline, db *redis.DB, player string) {
	days := living{db, game.DateOf(db.Now())}
	for _, m := range db.Game.Modes {
		if !m.Details {
			continue
		}
		for _, d := range days.daysOf(m) {
			p.Add(upstash.Cmd("HDEL", game.DetailsKey(m.Name, d), player).Idempotent(), nil)
		}
	}
}

// readNotes reads the notes of all removals.
func readNotes(ctx context.Context, db *redis.DB) (notes []removalNote, err error) {
	err = db.Ask(ctx, upstash.Cmd("HGETALL", game.RemovalsKey), notesInto(func(read []removalNote) { notes = read }))
	return notes, redis.Wrap("list removals", err)
}

// restorings returns the notes of restores.
func restorings(notes []removalNote) (runs []removalNote) {
	for _, n := range notes {
		if n.isRestoring() {
			runs = append(runs, n)
		}
	}
	return runs
}

func (n removalNote) isRestoring() bool { return strings.HasPrefix(n.field, restoringField) }

// name returns the part of a note's field that identifies the removal without the player.
func (n removalNote) name() string {
	_, name, _ := strings.Cut(n.field, " ")
	return name
}

// since reports whether the note is of an erasure that was not done when one of some restores
// began.
func (n removalNote) since(runs []removalNote) bool {
	return n.Erase && slices.ContainsFunc(runs, func(run removalNote) bool { return !slices.Contains(run.Restoring, n.name()) })
}
