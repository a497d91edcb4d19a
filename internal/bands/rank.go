package bands

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// tries is how often Rank looks for a player who moves to another band meanwhile.
const tries = 3

// Rank reads a player's standing. Known is the player's entry, if the process knows it. With
// exact, the better bands are counted now; otherwise the last counts are used.
//
// Cost: 2 billed commands in 2 round trips: the home and the rank in the band; 1 in 1 if the
// entry is known. With exact 1 more for each better band, in the same round trip.
//
// Errors: ErrNotOnBoard, ErrNoBands.
func (s *Bands) Rank(ctx context.Context, b Board, player string, known redis.Place, exact bool) (Standing, error) {
	v, err := s.view(ctx, b)
	if err != nil {
		return Standing{}, err
	}
	if known.Found || v.Filling != nil { // while homes are filled there is one band
		standing, err := s.standAt(ctx, b, v, player, known.Stored, exact)
		if v.Filling != nil || !isNotOn(err) {
			return standing, err
		}
	}
	for range tries {
		stored, err := s.Scores(ctx, b, []string{player})
		if err != nil {
			return Standing{}, err
		}
		if !stored[0].Found {
			return Standing{}, ErrNotOnBoard
		}
		standing, err := s.standAt(ctx, b, v, player, stored[0].Stored, exact)
		if !isNotOn(err) {
			return standing, err
		}
	}
	return s.Settle(ctx, b, player)
}

// standAt reads a player's standing in the band of a score. It returns ErrNotOnBoard if the
// player is not in that band.
func (s *Bands) standAt(ctx context.Context, b Board, v *view, player string, stored float64, exact bool) (Standing, error) {
	var at redis.Place
	i := v.bandIndex(b, stored)
	above := make([]int64, i)
	w := s.wave()
	w.add(v.Bands[i].Database, b.rank(v.Bands[i].Key, player), redis.PlaceInto(&at))
	counted := s.set.Now()
	if exact {
		for j := range above {
			w.add(v.Bands[j].Database, b.count(v.Bands[j]), redis.IntInto(&above[j]))
		}
	}
	if _, err := w.run(ctx); err != nil {
		return Standing{}, redis.Wrap("rank the player in the band", err)
	}
	if !at.Found || v.bandIndex(b, at.Stored) != i { // the player has moved to another band
		return Standing{}, ErrNotOnBoard
	}
	standing := v.standing(i, at)
	if exact {
		standing.Rank = at.Position + 1
		for _, n := range above {
			standing.Rank += n
		}
		standing.Total, standing.Counted = max(v.total(), standing.Rank), counted
	}
	return standing, nil
}

// Scores reads players' entries, in their order.
//
// Cost: 1 billed command for each home that is asked, in 1 round trip.
//
// Errors: ErrNoBands.
func (s *Bands) Scores(ctx context.Context, b Board, players []string) ([]redis.Place, error) {
	v, err := s.view(ctx, b)
	if err != nil {
		return nil, err
	}
	found := make([]redis.Place, len(players))
	w := s.wave()
	v.askScores(b, w, players, found)
	_, err = w.run(ctx)
	return found, redis.Wrap("look players up", err)
}

// askScores asks the players' homes for their scores.
func (v *view) askScores(b Board, w *wave, players []string, found []redis.Place) {
	byHome := gathered[int]{}
	for i, player := range players {
		home := v.home(b, player)
		if v.Filling != nil {
			home = v.Bands[0]
		}
		byHome.add(home, i)
	}
	for _, g := range byHome.groups {
		v.askShare(w, g.Band, g.all, players, found)
	}
}

// askShare asks one home for the players at some indexes.
func (*view) askShare(w *wave, home Band, places []int, players []string, found []redis.Place) {
	args := append(make([]string, 0, 2+len(places)), "ZMSCORE", home.Key)
	for _, i := range places {
		args = append(args, players[i])
	}
	w.add(home.Database, upstash.Cmd(args...), func(r upstash.Reply) error {
		its := make([]redis.Place, len(places))
		if err := redis.PlacesInto(its)(r); err != nil {
			return err
		}
		for n, i := range places {
			found[i] = its[n]
		}
		return nil
	})
}

// Counts returns how many players each band has, best band first, and when they were counted.
// Errors: ErrNoBands.
func (s *Bands) Counts(ctx context.Context, b Board, exact bool) ([]int64, time.Time, error) {
	v, err := s.view(ctx, b)
	if err != nil {
		return nil, time.Time{}, err
	}
	c := v.counts
	if exact {
		if c, err = s.count(ctx, b, v.Layout); err != nil {
			return nil, time.Time{}, err
		}
	}
	players := make([]int64, len(v.Bands))
	for i, band := range v.Bands {
		players[i] = c.Players[band.Key]
	}
	return players, time.UnixMilli(c.At), nil
}
