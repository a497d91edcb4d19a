package closing_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

// playMany makes players play every mode in batches, some of them in a group.
func (k *kit) playMany(d game.Date, names []string, score func(m *game.Mode, i int) game.Score) {
	k.t.Helper()
	red, err := game.GroupScope("red")
	require.NoError(k.t, err)
	store := k.process().Store
	for _, m := range k.game.Modes {
		for from := 0; from < len(names); from += 1000 {
			var subs []game.Submission
			for i, player := range names[from:min(from+1000, len(names))] {
				k.keys++
				sub := game.Submission{
					Mode: m, Player: player, Date: d, Score: score(m, from+i), At: k.now, Idempotency: game.IdempotencyRecord{ID: fmt.Sprint("k", k.keys), Fingerprint: "f"},
				}
				if m.HasScope(game.Group) && i%3 == 0 {
					sub.Scopes = []game.Scope{red}
				}
				if m.Details {
					sub.Details = []byte(fmt.Sprintf(`{"n":%d}`, k.keys))
				}
				subs = append(subs, sub)
			}
			for _, o := range store.Boards.SubmitBatch(context.Background(), subs) {
				require.NoError(k.t, o.Err)
			}
		}
	}
}

// More players than one step of a merge takes have played before Redis was lost, and as many
// since, half of them the same players. Under every policy each player has the result of both
// plays, counted once, even if the restore is cut off and repeated.
func TestAMergeOfManyPlayers(t *testing.T) {
	onEngines(t, func(k *kit) {
		const many = 1900
		d := monday
		names := make([]string, many+many/2)
		for i := range names {
			names[i] = fmt.Sprintf("p%04d", i)
		}
		before, since := names[:many], names[many/2:]
		early := func(_ *game.Mode, i int) game.Score { return game.Score(i % 50) }
		late := func(_ *game.Mode, i int) game.Score { return game.Score((i*7 + 20) % 50) }
		ctx := context.Background()
		k.at(d, 10, 0)
		k.playMany(d, before, early)
		_, err := k.process().Save(ctx)
		require.NoError(k.t, err)
		k.lose()
		k.at(d, 12, 0)
		k.playMany(d, since, late)

		for cut := range 4 {
			inner, cancel := context.WithCancel(ctx)
			seen := 0
			o := closing.RestoreOptions{Step: func(int, int, string) {
				if seen++; seen == 2*cut+1 {
					cancel()
				}
			}}
			_, err := k.process().Restore(inner, o)
			require.Error(k.t, err)
			cancel()
		}
		for range 2 {
			k.restore()
		}
		k.at(d.AddDays(1), 0, 20)
		_, err = k.process().Daily(ctx)
		require.NoError(k.t, err)
		k.agree()
		for _, m := range k.game.Modes {
			want := map[string]game.Score{}
			for i, player := range before {
				want[player] = early(m, i)
			}
			for i, player := range since {
				now := stand{late(m, i), 1}
				if was, both := want[player]; both {
					now = together(m, stand{was, 0}, now)
				}
				want[player] = now.score
			}
			require.Equal(k.t, want, k.archived(m.Name, d), m.Name)
		}
	})
}

// outboxes is a model of a product whose game has an outbox: which plays of a day each store
// has.
type outboxes struct {
	*kit
	date           game.Date
	plays          map[string][]stand // by mode and player, in the order of plays
	redis, waiting map[int]bool       // plays that Redis has, and those of them that are not saved yet
	kept           map[int]bool       // plays that the archive has
	n              int
}

// With an outbox, plays, saves, losses and restores happen in any order: nothing that was
// saved is lost, and nothing counts twice, even if processes play and save between a loss and
// the restore.
func TestLossesUnderAnOutboxLoseNothingThatWasSaved(t *testing.T) {
	step := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"play", "play", "play", "play", "save", "save", "lose", "restore"}).Draw(t, "step")
	})
	for seed := range 8 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			k := newKit(t)
			k.game.Outbox = true
			k.at(monday, 1, 0)
			w := &outboxes{kit: k, date: monday, plays: map[string][]stand{}, redis: map[int]bool{}, waiting: map[int]bool{}, kept: map[int]bool{}}
			steps := rapid.SliceOfN(step, 14, 24).Example(seed)
			for _, what := range append(steps, "save", "restore") {
				w.step(what)
			}
			k.at(monday.AddDays(1), 0, 20)
			_, err := k.process().Daily(context.Background())
			require.NoError(t, err)
			w.check()
			k.lose()
			if w.n > 0 {
				k.restore()
				w.check()
			}
		})
	}
}

func (w *outboxes) step(what string) {
	w.t.Helper()
	ctx := context.Background()
	switch what {
	case "play":
		w.n++
		for i, m := range w.kit.game.Modes {
			player := fmt.Sprintf("p%d", (w.n*7+i)%3)
			score := m.Min + game.Score((w.n*13+i*5)%40)
			w.kit.play(m.Name, player, w.date, score)
			w.plays[m.Name+" "+player] = append(w.plays[m.Name+" "+player], stand{score, w.n})
		}
		w.redis[w.n], w.waiting[w.n] = true, true
	case "save":
		_, err := w.process().Save(ctx)
		require.NoError(w.t, err)
		for n := range w.waiting {
			w.kept[n] = true
		}
		clear(w.waiting)
	case "lose":
		w.lose()
		clear(w.redis)
		clear(w.waiting)
	case "restore":
		w.restore()
		for n := range w.kept {
			w.redis[n] = true
		}
		w.check()
	}
}

// check compares the day's boards with the result of the plays that Redis has.
func (w *outboxes) check() {
	w.t.Helper()
	for _, m := range w.kit.game.Modes {
		want := map[string]game.Score{}
		for _, player := range []string{"p0", "p1", "p2"} {
			var has *stand
			for _, play := range w.plays[m.Name+" "+player] {
				switch {
				case !w.redis[play.play]:
				case has == nil:
					has = &play
				default:
					both := together(m, *has, play)
					has = &both
				}
			}
			if has != nil {
				want[player] = has.score
			}
		}
		current, err := w.process().Store.DB.ReadBoard(context.Background(), game.DayBoardKey(m.Name, w.date))
		require.NoError(w.t, err)
		got := map[string]game.Score{}
		for player, stored := range current {
			got[player] = m.Decode(stored)
		}
		require.Equal(w.t, want, got, m.Name)
	}
}
