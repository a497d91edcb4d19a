package closing_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

// archived returns the true scores that the archive has of a day, by player.
func (k *kit) archived(mode string, d game.Date) map[string]game.Score {
	k.t.Helper()
	all := map[string]game.Score{}
	err := k.archive().Results.OfDay(context.Background(), mode, d, func(page []game.Result) error {
		for _, r := range page {
			all[r.Player] = k.mode(mode).Decode(r.Stored)
		}
		return nil
	})
	require.NoError(k.t, err)
	return all
}

// Ninety players are archived, Redis is lost, five players play. Neither a save nor a closing
// removes the ninety from the archive, and a restore merges both.
func TestWhatALostRedisHadStaysInTheArchive(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	d := monday
	k.at(d, 12, 0)
	for i := range 9 {
		for _, m := range []string{"first", "coins"} {
			k.play(m, fmt.Sprintf("before%d", i), d, 100)
		}
	}
	_, err := k.process().Save(ctx)
	require.NoError(t, err)
	k.lose()
	for _, m := range []string{"first", "coins"} {
		k.play(m, "before3", d, 7)
		k.play(m, "after", d, 5)
	}
	before := k.archived("first", d)
	require.Len(t, before, 9)
	_, err = k.process().Save(ctx)
	require.ErrorIs(t, err, archive.ErrOtherSource)
	require.ErrorContains(t, err, "lbctl restore")
	require.Equal(t, before, k.archived("first", d))
	k.at(d.AddDays(1), 0, 20)
	_, err = k.process().Daily(ctx)
	require.ErrorIs(t, err, archive.ErrOtherSource)
	require.Equal(t, before, k.archived("first", d))

	k.restore()
	_, err = k.process().Daily(ctx)
	require.NoError(t, err)
	k.agree()
	first, coins := k.archived("first", d), k.archived("coins", d)
	require.Len(t, first, 10)
	require.EqualValues(t, 100, first["before3"], "the first play counts")
	require.EqualValues(t, 107, coins["before3"], "all plays count, once")
	require.EqualValues(t, 5, coins["after"])
	k.restore()
	require.Equal(t, coins, k.archived("coins", d), "restoring again adds nothing")
	k.agree()
}

// stand is a player's entry in a model: the score, and the play it is from.
type stand struct {
	score game.Score
	play  int
}

// together returns what the policy makes of two entries of one player.
func together(m *game.Mode, a, b stand) stand {
	older, newer := a, b
	if b.play < a.play {
		older, newer = b, a
	}
	switch m.Policy {
	case game.First:
		return older
	case game.Latest:
		return newer
	case game.Sum:
		return stand{older.score + newer.score, newer.play}
	}
	if newer.score == older.score || (newer.score > older.score) == (m.Order == game.Asc) {
		return older
	}
	return newer
}

// side is a model of one mode's day in Redis or in the archive.
type side struct {
	players map[string]stand
	source  int
}

// Plays, saves, losses and restores happen in any order: the archive never knows less than
// before, and in the end both stores have what the policies make of everything that either had
// when Redis was lost.
func TestLossesAtAnyMomentTakeNothingFromTheArchive(t *testing.T) {
	step := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"play", "play", "play", "play", "save", "save", "lose", "restore", "cut"}).Draw(t, "step")
	})
	for seed := range 10 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			k := newKit(t)
			k.at(monday, 12, 0)
			w := newLosses(k, monday)
			for i, what := range rapid.SliceOfN(step, 14, 22).Example(seed) {
				w.step(what, i*7+seed)
			}
			w.step("restore", 0)
			k.at(monday.AddDays(1), 0, 20)
			_, err := k.process().Daily(context.Background())
			require.NoError(t, err)
			w.save(true)
			w.check()
			for _, m := range k.game.Modes {
				if len(w.redis[m].players) > 0 {
					k.agree()
					break
				}
			}
		})
	}
}

// losses is the model beside the product.
type losses struct {
	*kit
	date           game.Date
	redis, archive map[*game.Mode]*side
	source, plays  int
}

func newLosses(k *kit, d game.Date) *losses {
	w := &losses{kit: k, date: d, redis: map[*game.Mode]*side{}, archive: map[*game.Mode]*side{}, source: 1}
	for _, m := range k.game.Modes {
		w.redis[m], w.archive[m] = &side{players: map[string]stand{}}, &side{players: map[string]stand{}}
	}
	return w
}

func (w *losses) step(what string, n int) {
	w.t.Helper()
	ctx := context.Background()
	switch what {
	case "play":
		for i, m := range w.kit.game.Modes {
			player := fmt.Sprintf("p%d", (n+i)%3)
			score := m.Min + game.Score((n*13+i*5)%40)
			w.plays++
			w.kit.play(m.Name, player, w.date, score)
			now := stand{score, w.plays}
			if was, has := w.redis[m].players[player]; has {
				now = together(m, was, now)
			}
			w.redis[m].players[player] = now
		}
	case "save":
		_, err := w.process().Save(ctx)
		require.Equal(w.t, w.save(false), err == nil, "%v", err)
		w.check()
	case "lose":
		w.lose()
		w.source++
		for _, side := range w.redis {
			clear(side.players)
		}
	case "restore", "cut":
		if what == "cut" { // a restore that ends before the archive knows of it
			cut, cancel := context.WithCancel(ctx)
			o := closing.RestoreOptions{Step: func(done, all int, _ string) {
				if done == all-4 {
					cancel()
				}
			}}
			_, _ = w.process().Restore(cut, o)
			cancel()
		}
		w.restore()
		for m, kept := range w.archive {
			if kept.source != 0 && kept.source != w.source {
				for player, at := range kept.players {
					if has, both := w.redis[m].players[player]; both {
						at = together(m, at, has)
					}
					w.redis[m].players[player] = at
				}
				kept.source = w.source
			}
		}
	}
}

// save makes the model archive what may be archived, and reports whether that was everything.
func (w *losses) save(complete bool) bool {
	all := true
	for m, has := range w.redis {
		kept := w.archive[m]
		switch {
		case len(has.players) == 0:
		case kept.source != 0 && kept.source != w.source:
			all = false
		default:
			kept.source = w.source
			if complete {
				clear(kept.players)
			}
			for player, at := range has.players {
				kept.players[player] = at
			}
		}
	}
	return all
}

// check compares the archive with the model.
func (w *losses) check() {
	w.t.Helper()
	for m, kept := range w.archive {
		want := map[string]game.Score{}
		for player, at := range kept.players {
			want[player] = at.score
		}
		require.Equal(w.t, want, w.archived(m.Name, w.date), m.Name)
	}
}
