package bands

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// mostAtOnce is how many scores one round of writes carries.
const mostAtOnce = 5_000

// SubmitMany writes many scores and returns what became of each. Of several scores of one
// player the best counts, or under First the first.
//
// Each round of up to 5,000 scores asks the homes and writes the better scores to the bands.
// Then it writes them to the homes, and in the same transaction reads what the homes had
// before. Last, it takes players out of the bands that they have left. In this order two
// writers cannot leave a player in two bands.
//
// What became of a score is worked out from what the homes had when they were first asked.
//
// Cost for a round: 3 billed commands for each home that is asked; 1 for each band that
// is written, and 1 for each that players leave; 2 for each database; 4 round trips.
//
// Errors: ErrNoBands.
func (s *Bands) SubmitMany(ctx context.Context, b Board, entries []Entry) ([]game.Status, error) {
	became := make([]game.Status, 0, len(entries))
	err := s.rounds(ctx, b, entries, func(r *round) { became = append(became, r.became...) })
	return became, err
}

// Changed is an entry that has taken the place of another, or of none.
type Changed struct {
	Entry
	Stood redis.Place
}

// Bring is [Bands.SubmitMany] for a caller that has to know which entries changed, and what
// they were before.
func (s *Bands) Bring(ctx context.Context, b Board, entries []Entry) (changed []Changed, err error) {
	err = s.rounds(ctx, b, entries, func(r *round) {
		for i, e := range r.better {
			changed = append(changed, Changed{e, r.stood[i]})
		}
	})
	return changed, err
}

func (s *Bands) rounds(ctx context.Context, b Board, entries []Entry, done func(*round)) error {
	for len(entries) > 0 {
		n := min(len(entries), mostAtOnce)
		v, err := s.view(ctx, b)
		if err != nil {
			return err
		}
		r := &round{s: s, b: b, v: v}
		if err := r.write(ctx, entries[:n]); err != nil {
			return redis.Wrap("write scores to their bands", err)
		}
		done(r)
		entries = entries[n:]
	}
	return nil
}

// round is one round of writes.
type round struct {
	s *Bands
	b Board
	v *view

	better  []Entry // scores that replace the players' entries, one for each player
	stood   []redis.Place
	before  []redis.Place // what the home had as it was written
	became  []game.Status
	players []string
}

func (r *round) write(ctx context.Context, entries []Entry) error {
	if err := r.choose(ctx, entries); err != nil || len(r.better) == 0 {
		return err
	}
	err := r.enter(ctx)
	if err == nil {
		err = r.tellHomes(ctx)
	}
	if err == nil {
		err = r.leave(ctx)
	}
	if err != nil {
		r.s.loosenAside(ctx, r.b, r.players...)
	}
	return err
}

// choose asks for the players' entries, and keeps for each player the score that is to replace
// the entry, if there is one.
func (r *round) choose(ctx context.Context, entries []Entry) error {
	var players []string
	place := map[string]int{}
	for _, e := range entries {
		if _, ok := place[e.Player]; !ok {
			place[e.Player] = len(players)
			players = append(players, e.Player)
		}
	}
	current := make([]redis.Place, len(players))
	asks := r.s.wave()
	r.v.askScores(r.b, asks, players, current)
	if _, err := asks.run(ctx); err != nil {
		return err
	}
	stood := append([]redis.Place{}, current...)
	for _, e := range entries {
		now := &current[place[e.Player]]
		switch {
		case !now.Found:
			r.became = append(r.became, game.Accepted)
		case r.b.replaces(e.Stored, now.Stored):
			r.became = append(r.became, game.Improved)
		default:
			r.became = append(r.became, game.Kept)
			continue
		}
		*now = redis.Place{Stored: e.Stored, Found: true}
	}
	for i, player := range players {
		if current[i] != stood[i] {
			r.better = append(r.better, Entry{player, current[i].Stored})
			r.stood = append(r.stood, stood[i])
			r.players = append(r.players, player)
		}
	}
	return nil
}

// enter writes the scores to the bands that they belong to.
func (r *round) enter(ctx context.Context) error {
	byBand := gathered[Entry]{}
	for _, e := range r.better {
		for _, band := range r.v.places(r.b, e.Stored) {
			byBand.add(band, e)
		}
	}
	w := r.s.wave()
	for _, g := range byBand.groups {
		w.add(g.Database, r.b.put(g.Key, g.all...), nil)
	}
	_, err := w.run(ctx)
	return err
}

// tellHomes writes the scores to the players' homes, and reads what the homes had before.
func (r *round) tellHomes(ctx context.Context) error {
	byHome := gathered[int]{}
	for i, e := range r.better {
		byHome.add(r.v.home(r.b, e.Player), i)
	}
	r.before = make([]redis.Place, len(r.better))
	w := r.s.wave()
	w.atomic = true
	for _, g := range byHome.groups {
		r.v.askShare(w, g.Band, g.all, r.players, r.before)
		entries := make([]Entry, len(g.all))
		for n, i := range g.all {
			entries[n] = r.better[i]
		}
		w.add(g.Database, r.b.put(g.Key, entries...), nil)
	}
	_, err := w.run(ctx)
	return err
}

// leave takes players out of the bands of their former scores. It uses both the score that the
// home had when it was first asked and the one that it had just before it was written: if the
// write was sent twice, the latter may be the new score itself. If another writer has given the
// home a better score by then, the player leaves the bands of the new score instead.
func (r *round) leave(ctx context.Context) error {
	byBand := gathered[string]{}
	for i, e := range r.better {
		its := r.v.places(r.b, e.Stored)
		for _, stood := range []redis.Place{r.stood[i], r.before[i]} {
			if !stood.Found {
				continue
			}
			left := without(r.v.places(r.b, stood.Stored), its)
			if stood.Stored != e.Stored && !r.b.replaces(e.Stored, stood.Stored) { // another writer was faster
				left = without(its, r.v.places(r.b, stood.Stored))
			}
			for _, band := range left {
				byBand.add(band, e.Player)
			}
		}
	}
	w := r.s.wave()
	for _, g := range byBand.groups {
		w.add(g.Database, take(g.Key, g.all...), nil)
	}
	_, err := w.run(ctx)
	return err
}

// gathered groups things by the sorted set that they are for.
type gathered[T any] struct {
	places map[string]int
	groups []group[T]
}

type group[T any] struct {
	Band
	all []T
}

func (g *gathered[T]) add(band Band, one T) {
	i, ok := g.places[band.Key]
	if !ok {
		if g.places == nil {
			g.places = map[string]int{}
		}
		i = len(g.groups)
		g.places[band.Key], g.groups = i, append(g.groups, group[T]{Band: band})
	}
	g.groups[i].all = append(g.groups[i].all, one)
}
