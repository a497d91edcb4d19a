package bands

import (
	"cmp"
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// copy copies the worse half of a band into the new one. By now every process writes that half
// to both bands, so only entries that do not change are still missing in the new one.
func (t *tending) copy(ctx context.Context) (Tended, error) {
	split := t.l.Split
	if wait, ok := t.waits(split.Progress); ok {
		return wait, nil
	}
	c := &copying{t: t, of: t.l.Bands[t.l.named(split.Of)], before: &split.At, into: t.intoBand}
	ended, err := c.chunks(ctx, func(l *Layout) *Progress { return &l.Split.Progress })
	switch {
	case err != nil:
		return Tended{}, err
	case !ended:
		return Tended{Did: "copied players into a new band", More: true}, nil
	}
	return Tended{Did: "read the worse half of a band from its new one", Wait: t.k.set.Grace, More: true}, t.publish(ctx, t.parted)
}

// parted gives the new band its place. The worse half is still written to both bands, since
// other processes may read the old one for a while.
func (t *tending) parted(l *Layout) {
	i := l.named(l.Split.Of)
	l.Bands[i].From = &l.Split.At
	l.Bands = slices.Insert(l.Bands, i+1, l.Split.New)
	l.Split.Phase, l.Split.Progress = Serving, Progress{Since: t.nowMillis()}
	l.Version++
}

// serve ends the writing to both.
func (t *tending) serve(ctx context.Context) (Tended, error) {
	if wait, ok := t.waits(t.l.Split.Progress); ok {
		return wait, nil
	}
	return Tended{Did: "wrote a new band alone", Wait: t.k.set.Grace, More: true}, t.publish(ctx, func(l *Layout) {
		l.Split.Phase, l.Split.Progress = Trimming, Progress{Since: t.nowMillis()}
	})
}

// trim takes the worse half out of the band that had it. It takes out ranges of scores only,
// so a player who improves into the better half meanwhile stays.
func (t *tending) trim(ctx context.Context) (Tended, error) {
	split := t.l.Split
	if wait, ok := t.waits(split.Progress); ok {
		return wait, nil
	}
	band := t.l.Bands[t.l.named(split.Of)]
	for range t.k.rules.Chunks {
		var chunk []Entry
		if err := t.k.ask(ctx, band.Database, t.b.upwards(band.Key, "", "("+game.FormatStored(split.At), t.k.rules.Chunk), entriesInto(&chunk)); err != nil {
			return Tended{}, err
		}
		if len(chunk) == 0 {
			return Tended{Did: "split a band"}, t.publish(ctx, func(l *Layout) { l.Split = nil })
		}
		low, high := "-inf", game.FormatStored(chunk[len(chunk)-1].Stored)
		if t.b.Order == game.Asc {
			low, high = high, "+inf"
		}
		if err := t.k.ask(ctx, band.Database, upstash.Cmd("ZREMRANGEBYSCORE", band.Key, low, high).Idempotent(), nil); err != nil {
			return Tended{}, err
		}
	}
	return Tended{Did: "took players out of a band that was split", More: true}, nil
}

// copying copies a band, or the worse half of it, from the worst score upwards.
type copying struct {
	t      *tending
	of     Band
	before *float64 // the score at which copying ends, not included; nil: it continues to the end
	into   func(ctx context.Context, chunk []Entry, from, to string) error
}

// chunks copies as much as one run may, and notes in the layout how far it has come. It reports
// whether nothing is left to copy.
func (c *copying) chunks(ctx context.Context, progress func(*Layout) *Progress) (ended bool, err error) {
	for range c.t.k.rules.Chunks {
		done, ended, err := c.chunk(ctx, progress(c.t.l).Done)
		if err != nil || ended {
			return ended, err
		}
		if err := c.t.publish(ctx, func(l *Layout) { progress(l).Done = done }); err != nil {
			return false, err
		}
	}
	return false, nil
}

// chunk copies the next entries, beginning with the score that is done: that score once more,
// since some of its entries may be left. It returns the score that is done afterwards.
func (c *copying) chunk(ctx context.Context, done *float64) (now *float64, ended bool, err error) {
	from, to := "", ""
	if done != nil {
		from = game.FormatStored(*done)
	}
	if c.before != nil {
		to = "(" + game.FormatStored(*c.before)
	}
	for size := c.t.k.rules.Chunk; ; size *= 2 { // until the chunk goes beyond the entries of one score
		var chunk []Entry
		if err := c.t.k.ask(ctx, c.of.Database, c.t.b.upwards(c.of.Key, from, to, size), entriesInto(&chunk)); err != nil {
			return nil, false, err
		}
		ended = int64(len(chunk)) < size
		if !ended {
			last := chunk[len(chunk)-1].Stored
			if done != nil && last == *done {
				continue
			}
			now, to = &last, game.FormatStored(last)
		}
		return now, ended, c.into(ctx, chunk, from, to)
	}
}

// upwards reads entries between two bounds, worst first; "" is no bound.
func (b Board) upwards(key, from, to string, most int64) upstash.Command {
	worst, best := "-inf", "+inf"
	if b.Order == game.Asc {
		worst, best = best, worst
	}
	args := []string{"ZRANGE", key, worst, best, "BYSCORE"}
	if from != "" {
		args[2] = from
	}
	if to != "" {
		args[3] = to
	}
	if b.Order == game.Asc {
		args = append(args, "REV")
	}
	if most > 0 {
		args = append(args, "LIMIT", "0", redis.Itoa(most))
	}
	return upstash.Cmd(append(args, "WITHSCORES")...)
}

// intoBand writes entries into the new band. Then it settles the players who are in the new
// band, but not in the worse half of the old one: they have left that half since they were
// read, or are about to arrive in both, or an interrupted run has brought them. It does not
// simply take them out, since others may have gone on while this run was paused.
func (t *tending) intoBand(ctx context.Context, chunk []Entry, from, to string) error {
	split, b := t.l.Split, t.b
	if len(chunk) > 0 {
		if err := t.k.ask(ctx, split.New.Database, b.copied(split.New.Key, chunk), nil); err != nil {
			return err
		}
	}
	var there []Entry
	if err := t.k.ask(ctx, split.New.Database, b.upwards(split.New.Key, from, to, 0), entriesInto(&there)); err != nil {
		return err
	}
	current, err := t.scores(ctx, t.l.Bands[t.l.named(split.Of)], there)
	if err != nil {
		return err
	}
	for i, e := range there {
		if current[i].Found && !b.reaches(current[i].Stored, split.At) {
			continue
		}
		if _, err := t.k.Settle(ctx, b, e.Player); err != nil && !isNotOn(err) {
			return err
		}
	}
	return nil
}

// intoHomes writes entries to their players' homes, and takes the entries of those players out
// again who were removed since their entries were read.
func (t *tending) intoHomes(ctx context.Context, chunk []Entry, _, _ string) error {
	byHome := gathered[Entry]{}
	for _, e := range chunk {
		byHome.add(t.l.home(t.b, e.Player), e)
	}
	w := t.k.wave()
	for _, g := range byHome.groups {
		w.add(g.Database, t.b.copied(g.Key, g.all), nil)
	}
	if _, err := w.run(ctx); err != nil {
		return err
	}
	current, err := t.scores(ctx, t.l.Bands[0], chunk)
	if err != nil {
		return err
	}
	w = t.k.wave()
	for i, e := range chunk {
		if !current[i].Found {
			home := t.l.home(t.b, e.Player)
			w.add(home.Database, take(home.Key, e.Player), nil)
		}
	}
	if len(w.names) == 0 {
		return nil
	}
	if v, err := t.k.read(ctx, t.b); err != nil || v.text != t.text { // others have gone on while this run was paused
		return cmp.Or(err, errChanged)
	}
	_, err = w.run(ctx)
	return err
}

// copied writes copies of entries. Under First it replaces the entry that the copy has: a later
// score may have reached the copy first, while the original has kept it out.
func (b Board) copied(key string, entries []Entry) upstash.Command {
	if !b.First {
		return b.put(key, entries...)
	}
	args := []string{"ZADD", key}
	for _, e := range entries {
		args = append(args, game.FormatStored(e.Stored), e.Player)
	}
	return upstash.Cmd(args...).Idempotent()
}

// scores reads the scores that the players of some entries have in a band.
func (t *tending) scores(ctx context.Context, band Band, entries []Entry) ([]redis.Place, error) {
	found := make([]redis.Place, len(entries))
	if len(entries) == 0 {
		return nil, nil
	}
	args := []string{"ZMSCORE", band.Key}
	for _, e := range entries {
		args = append(args, e.Player)
	}
	return found, t.k.ask(ctx, band.Database, upstash.Cmd(args...), redis.PlacesInto(found))
}
