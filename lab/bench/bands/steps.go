package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/redis"
)

type known = redis.Place

// batch is how many scores the writer of the queue takes at a time.
const batch = 5_000

// send writes scores as the queue does: in batches, several of them concurrently. No
// player is in two batches.
func (b *bench) send(ctx context.Context, s *bands.Bands, entries func(i int) bands.Entry, n int) error {
	batches := make(chan int)
	errs := make([]error, b.workers)
	var all sync.WaitGroup
	for w := range b.workers {
		all.Go(func() {
			some := make([]bands.Entry, 0, batch)
			for from := range batches {
				some = some[:0]
				for i := from; i < min(from+batch, n); i++ {
					some = append(some, entries(i))
				}
				if _, err := s.SubmitMany(ctx, b.board, some); err != nil {
					errs[w] = err
				}
			}
		})
	}
	for from := 0; from < n; from += batch {
		batches <- from
	}
	close(batches)
	all.Wait()
	return errors.Join(errs...)
}

func (b *bench) load(ctx context.Context) error {
	b.scores = make([]float64, b.players)
	for i := range b.scores {
		b.scores[i] = first(i)
	}
	return b.timed(ctx, "new players", b.players, func() error {
		return b.send(ctx, b.bands, func(i int) bands.Entry { return bands.Entry{Player: name(i), Stored: b.scores[i]} }, b.players)
	})
}

// update sends scores of players from all parts of the board; every second score is
// better than the player's last.
func (b *bench) update(ctx context.Context) error {
	n := min(b.updates, b.players)
	step := b.players / n
	entries := make([]bands.Entry, n)
	for i := range entries {
		player := i * step
		score := b.scores[player] / 2
		if i%2 == 0 { // halfway to the top, so that it stays below 2^32 and equals no other
			score = b.scores[player] + (1<<32-b.scores[player])/2 + 0.25
			b.scores[player] = score
		}
		entries[i] = bands.Entry{Player: name(player), Stored: score}
	}
	rand.Shuffle(n, func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return b.timed(ctx, "updates, half of them better,", n, func() error {
		return b.send(ctx, b.bands, func(i int) bands.Entry { return entries[i] }, n)
	})
}

// one measures operations one by one, in a process that knows the layout and not the
// player.
func (b *bench) one(ctx context.Context) error {
	random := rand.New(rand.NewPCG(1, 2))
	s := b.process(0)
	measure := func(what string, f func(player int) error) error {
		var commands []int64
		var took []time.Duration
		for range b.singles {
			player := random.IntN(b.players)
			before, began := b.spent(), time.Now()
			if err := f(player); err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			took = append(took, time.Since(began))
			commands = append(commands, b.spent()-before)
		}
		slices.Sort(commands)
		slices.Sort(took)
		all := int64(0)
		for _, n := range commands {
			all += n
		}
		n := len(took)
		fmt.Printf("%-44s %5.2f commands on average, median %d, p99 %d; %s in the middle, %s at p99\n", what,
			float64(all)/float64(n), commands[n/2], commands[n*99/100], took[n/2].Round(time.Microsecond), took[n*99/100].Round(time.Microsecond))
		return nil
	}
	submit := func(player int, stored float64, was known) error {
		_, err := s.Submit(ctx, b.board, bands.Entry{Player: name(player), Stored: stored}, was)
		if err == nil {
			b.scores[player] = max(b.scores[player], stored)
		}
		return err
	}
	current := func(player int) known { return known{Stored: b.scores[player], Found: true} }
	next := b.players
	return errors.Join(
		measure("submit: new", func(int) error {
			next++
			b.scores = append(b.scores, 0)
			_, err := s.Submit(ctx, b.board, bands.Entry{Player: name(next - 1), Stored: first(next - 1)}, known{})
			b.scores[next-1] = first(next - 1)
			return err
		}),
		measure("submit: a little better", func(p int) error { return submit(p, b.scores[p]+0.0625, known{}) }),
		measure("submit: anything better", func(p int) error {
			return submit(p, b.scores[p]+(1<<32-b.scores[p])*random.Float64(), known{})
		}),
		measure("submit: anything better, the player known", func(p int) error {
			return submit(p, b.scores[p]+(1<<32-b.scores[p])*random.Float64(), current(p))
		}),
		measure("submit: worse, the player known", func(p int) error { return submit(p, b.scores[p]/2, current(p)) }),
		measure("rank", func(p int) error { _, err := s.Rank(ctx, b.board, name(p), known{}, false); return err }),
		measure("rank, the player known", func(p int) error { _, err := s.Rank(ctx, b.board, name(p), current(p), false); return err }),
		measure("rank, exact", func(p int) error { _, err := s.Rank(ctx, b.board, name(p), known{}, true); return err }),
		measure("page of 100 anywhere", func(p int) error { _, err := s.Page(ctx, b.board, int64(p), 100); return err }),
		measure("25 above and below a player", func(p int) error { _, _, err := s.Around(ctx, b.board, name(p), known{}, 25); return err }),
	)
}

// split splits the largest band while others play.
func (b *bench) split(ctx context.Context) error {
	const grace = 12 * time.Second // other processes know a layout that is at most 10 s old
	s := b.process(grace)
	sizes, _, err := s.Counts(ctx, b.board, true)
	if err != nil {
		return err
	}
	keeper := bands.NewKeeper(b.process(grace), bands.Rules{Split: slices.Max(sizes) - 1, Chunks: 10})
	playing, stop := context.WithCancel(ctx)
	played := make(chan error, 1)
	plays, longest := 0, time.Duration(0)
	go func() {
		random := rand.New(rand.NewPCG(3, 4))
		for playing.Err() == nil {
			player := random.IntN(b.players)
			stored := b.scores[player] + (1<<32-b.scores[player])*random.Float64()
			began := time.Now()
			if _, err := s.Submit(ctx, b.board, bands.Entry{Player: name(player), Stored: stored}, known{}); err != nil {
				played <- err
				return
			}
			b.scores[player] = stored
			plays, longest = plays+1, max(longest, time.Since(began))
		}
		played <- nil
	}()
	began, spent := time.Now(), b.spent()
	worked := time.Duration(0)
	for {
		step := time.Now()
		did, err := keeper.Tend(ctx, b.board)
		if err != nil {
			stop()
			return errors.Join(err, <-played)
		}
		worked += time.Since(step)
		if did.Did == "split a band" {
			break
		}
		if did.Wait > 0 {
			time.Sleep(did.Wait)
		}
	}
	stop()
	err = <-played
	fmt.Printf("a band of %d split in %.0f s, of which %.1f s of work; %d submissions meanwhile, the longest %s; %d commands of both\n",
		slices.Max(sizes), time.Since(began).Seconds(), worked.Seconds(), plays, longest.Round(time.Millisecond), b.spent()-spent)
	return err
}
