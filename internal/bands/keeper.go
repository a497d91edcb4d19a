package bands

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Rules say how large bands become.
type Rules struct {
	// Adopt is how many players a board must have to get bands, and Split how many a band must
	// exceed to be split; 0 means 400,000.
	Adopt, Split int64
	// Homes is how many homes the players of an adopted board are spread over; 0 means 32,
	// enough for 28 million, see [Birth].
	Homes int
	// Chunk is how many players one step moves; 0 means 10,000, less than a megabyte.
	Chunk int64
	// Chunks is how many steps one run takes at most; 0 means 50.
	Chunks int
}

// Keeper gives boards bands and splits the large bands. It announces each step to all processes
// before it takes it, by the layout. So any number of keepers may run, and each may stop
// anywhere: the next one continues.
type Keeper struct {
	*Bands
	rules Rules
}

// NewKeeper makes a Keeper.
func NewKeeper(s *Bands, r Rules) *Keeper {
	r.Adopt, r.Split = cmp.Or(r.Adopt, 400_000), cmp.Or(r.Split, 400_000)
	r.Homes, r.Chunk, r.Chunks = cmp.Or(r.Homes, 32), cmp.Or(r.Chunk, 10_000), cmp.Or(r.Chunks, 50)
	return &Keeper{s, r}
}

// Tended is what a run has done.
type Tended struct {
	Did  string        // what it was; empty: nothing was due
	Wait time.Duration // until the next step may be taken; 0: at once
	More bool          // whether a change is under way
}

// Tend takes the next steps of a board: of one phase at most, and up to [Rules].Chunks.
//
// Cost: 2 billed commands for a board that has no bands and needs none; 2 and 1 for each band
// if nothing is due; 1 for each key of a board that expires. 7 for each step that copies
// players to a new band; 5 and 1 for each home for each step that copies players to their
// homes; 2 for each step that trims.
func (k *Keeper) Tend(ctx context.Context, b Board) (Tended, error) {
	v, err := k.read(ctx, b)
	if err != nil {
		return Tended{}, err
	}
	t := &tending{k, b, v.Layout, v.text}
	var did Tended
	switch l := v.Layout; {
	case l == nil:
		did, err = t.adopt(ctx)
	case l.Filling != nil:
		did, err = t.fill(ctx)
	case l.Split == nil:
		did, err = t.begin(ctx)
	case l.Split.Phase == Copying:
		did, err = t.copy(ctx)
	case l.Split.Phase == Serving:
		did, err = t.serve(ctx)
	default:
		did, err = t.trim(ctx)
	}
	if errors.Is(err, errChanged) {
		return Tended{Did: "another run is at it", More: true}, nil
	}
	return did, redis.Wrap("tend the bands of "+b.Key, err)
}

// tending is a run over one board.
type tending struct {
	k    *Keeper
	b    Board
	l    *Layout // as Redis has it; nil: the board has no bands
	text string
}

// publish puts a changed layout in place of the present one.
func (t *tending) publish(ctx context.Context, change func(l *Layout)) error {
	changed := *t.l
	changed.Bands = slices.Clone(t.l.Bands)
	if t.l.Split != nil {
		split := *t.l.Split
		changed.Split = &split
	}
	if t.l.Filling != nil {
		filling := *t.l.Filling
		changed.Filling = &filling
	}
	change(&changed)
	if err := t.k.change(ctx, t.b, t.text, &changed); err != nil {
		return err
	}
	t.l, t.text = &changed, changed.text()
	return nil
}

func (t *tending) nowMillis() int64 { return t.k.set.Now().UnixMilli() }

// waits reports whether a step must still wait until every process knows of it, and for how
// long.
func (t *tending) waits(p Progress) (Tended, bool) {
	left := t.k.set.Grace - t.k.set.Now().Sub(time.UnixMilli(p.Since))
	return Tended{Did: "waited until every process knows", Wait: left, More: true}, left > 0
}

// adopt gives a board that is large enough bands: the board itself becomes the only one.
func (t *tending) adopt(ctx context.Context) (Tended, error) {
	var players int64
	first := t.k.dbs.names[0]
	if err := t.k.ask(ctx, first, upstash.Cmd("ZCARD", t.b.Key), redis.IntInto(&players)); err != nil || players < t.k.rules.Adopt {
		return Tended{}, err
	}
	t.l = t.k.born(Birth{Homes: t.k.rules.Homes})
	return Tended{Did: "began to give the board bands", Wait: t.k.set.Grace, More: true}, t.publish(ctx, func(l *Layout) {
		l.Bands = []Band{{Key: t.b.Key, Database: first}}
		l.Filling = &Progress{Since: t.nowMillis()}
	})
}

// fill copies the board's players to their homes. Submissions write both meanwhile.
func (t *tending) fill(ctx context.Context) (Tended, error) {
	if wait, ok := t.waits(*t.l.Filling); ok {
		return wait, nil
	}
	c := &copying{t: t, of: t.l.Bands[0], into: t.intoHomes}
	ended, err := c.chunks(ctx, func(l *Layout) *Progress { return l.Filling })
	switch {
	case err != nil:
		return Tended{}, err
	case !ended:
		return Tended{Did: "copied players to their homes", More: true}, nil
	}
	return Tended{Did: "gave the board bands"}, t.publish(ctx, func(l *Layout) { l.Filling = nil })
}

// begin settles loose players, and begins to split the largest band if it is too large.
func (t *tending) begin(ctx context.Context) (Tended, error) {
	if _, err := t.k.Tighten(ctx, t.b, int(t.k.rules.Chunk)); err != nil {
		return Tended{}, err
	}
	if err := t.end(ctx); err != nil {
		return Tended{}, err
	}
	found, err := t.k.count(ctx, t.b, t.l)
	if err != nil {
		return Tended{}, err
	}
	largest := slices.MaxFunc(t.l.Bands, func(a, b Band) int { return cmp.Compare(found.Players[a.Key], found.Players[b.Key]) })
	players := found.Players[largest.Key]
	if players <= t.k.rules.Split || t.l.Next >= mostBands {
		return Tended{}, nil
	}
	at, ok, err := t.median(ctx, largest, players)
	if err != nil || !ok {
		return Tended{}, err
	}
	return Tended{Did: "began to split a band", Wait: t.k.set.Grace, More: true}, t.publish(ctx, func(l *Layout) {
		l.Split = &Split{Progress: Progress{Since: t.nowMillis()}, Phase: Copying, Of: largest.Key, At: at, New: t.k.newBand(t.b, l, largest.From)}
	})
}

// end makes every key of the board expire with the board.
func (t *tending) end(ctx context.Context) error {
	if t.b.Ends.IsZero() {
		return nil
	}
	keys := slices.Clone(t.l.Bands)
	for n := range t.l.Homes {
		keys = append(keys, t.l.share(t.b, n))
	}
	keys = append(keys, Band{Key: game.BandLooseKey(t.b.Key), Database: t.k.dbs.names[0]})
	w := t.k.wave()
	for _, key := range keys {
		w.add(key.Database, upstash.Cmd("PEXPIREAT", key.Key, redis.Itoa(t.b.Ends.UnixMilli())).Idempotent(), nil)
	}
	_, err := w.run(ctx)
	return err
}

// median is the score that separates a band's better half from its worse one: the worst score
// that the better half keeps. False if all players have one score.
func (t *tending) median(ctx context.Context, band Band, players int64) (at float64, ok bool, err error) {
	var near []Entry
	fromWorst := func(first, last int64) error {
		flipped := t.b
		flipped.Order = game.Desc
		if t.b.Order != game.Asc {
			flipped.Order = game.Asc
		}
		return t.k.ask(ctx, band.Database, flipped.positions(band.Key, first, last), entriesInto(&near))
	}
	if err := fromWorst(players/2, players/2); err != nil || len(near) == 0 {
		return 0, false, err
	}
	at = near[0].Stored
	if err := fromWorst(0, 0); err != nil || len(near) == 0 {
		return 0, false, err
	}
	if worst := near[0].Stored; t.b.Better(at, worst) {
		return at, true, nil
	}
	err = t.k.ask(ctx, band.Database, t.b.upwards(band.Key, "("+game.FormatStored(at), "", 1), entriesInto(&near))
	if err != nil || len(near) == 0 {
		return 0, false, err
	}
	return near[0].Stored, true, nil
}
