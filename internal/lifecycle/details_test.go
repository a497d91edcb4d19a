package lifecycle_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// Details are shown with the play that they came with, and with no other play of the same
// score, on every way in.
func TestDetailsBelongToTheEntryThatStands(t *testing.T) {
	type play struct {
		score   game.Score
		details string
	}
	old := func(text string) play { return play{-1, text} } // as an earlier version wrote them
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, groupGame)
		for name, row := range map[string]struct {
			mode  string
			plays []play
			shows string
		}{
			"a kept play of the same score":                {"first", []play{{500, ``}, {500, `{"n":2}`}}, ``},
			"a kept play of the same score, details both":  {"first", []play{{500, `{"n":1}`}, {500, `{"n":2}`}}, `{"n":1}`},
			"best, kept with the same score":               {"best", []play{{500, `{"n":1}`}, {500, `{"n":2}`}}, `{"n":1}`},
			"best, kept without details before":            {"best", []play{{500, ``}, {500, `{"n":2}`}}, ``},
			"latest, replaced by the same score":           {"latest", []play{{5, `{"n":1}`}, {5, ``}}, ``},
			"latest, replaced with details":                {"latest", []play{{5, `{"n":1}`}, {5, `{"n":2}`}}, `{"n":2}`},
			"latest, back to the first score":              {"latest", []play{{5, `{"n":1}`}, {6, ``}, {5, ``}}, ``},
			"of an earlier version":                        {"first", []play{{500, ``}, old(`500 {"n":0}`)}, `{"n":0}`},
			"of an earlier version, another score":         {"first", []play{{500, ``}, old(`900 {"n":0}`)}, ``},
			"of an earlier version, then a new play":       {"latest", []play{{5, ``}, old(`5 {"n":0}`), {5, ``}}, ``},
			"of an earlier version, and back to its score": {"latest", []play{{5, ``}, old(`5 {"n":0}`), {6, ``}, {5, ``}}, ``},
			"of an earlier version, improved":              {"best", []play{{500, ``}, old(`500 {"n":0}`), {600, ``}}, ``},
			"of an earlier version, improved with new":     {"best", []play{{500, ``}, old(`500 {"n":0}`), {600, `{"n":1}`}}, `{"n":1}`},
		} {
			for _, way := range wayNames() {
				t.Run(name+", by "+way, func(t *testing.T) {
					k.empty()
					for _, played := range row.plays {
						p := k.process()
						if played.score < 0 {
							_, err := k.server.Redis().Do(context.Background(), "HSET", game.DetailsKey(row.mode, k.dayBoard(p, row.mode).Period.First()), "p", played.details)
							require.NoError(t, err)
							continue
						}
						sub := k.play(row.mode, "p", played.score)
						sub.Details = []byte(played.details)
						require.NoError(t, ways[way](p, sub))
					}
					p := k.process()
					card, err := p.Boards.Card(context.Background(), k.dayBoard(p, row.mode), "p")
					require.NoError(t, err)
					require.Equal(t, row.shows, string(card.Details))
					var archived []byte
					require.NoError(t, p.Restore.ReadDay(context.Background(), k.mode(row.mode), k.dayBoard(p, row.mode).Period.First(), func(page []game.Result) error {
						archived = page[0].Details
						return p.Restore.RestoreDay(context.Background(), k.mode(row.mode), k.dayBoard(p, row.mode).Period.First(), page, true, "")
					}))
					require.Equal(t, row.shows, string(archived))
					card, err = k.process().Boards.Card(context.Background(), k.dayBoard(p, row.mode), "p")
					require.NoError(t, err)
					require.Equal(t, row.shows, string(card.Details), "after a restore")
				})
			}
		}
	})
}

// A replayed sum does not bring its old details back.
func TestAReplayedSumLeavesNewerDetails(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, "name: sums\nmodes: {coins: {policy: sum, max: 500, day_max: 5000, details: true}}\n")
		sub := func(id, details string) game.Submission {
			s := k.play("coins", "p", 5)
			s.Details, s.Idempotency = []byte(details), game.IdempotencyRecord{ID: id, Fingerprint: "f"}
			return s
		}
		p := k.process()
		require.NoError(t, ways["one"](p, sub("a", `{"n":1}`), sub("b", `{"n":2}`), sub("a", `{"n":1}`)))
		card, err := p.Boards.Card(context.Background(), k.dayBoard(p, "coins"), "p")
		require.NoError(t, err)
		require.Equal(t, `{"n":2}`, string(card.Details))
		require.EqualValues(t, 10, card.Score)
	})
}

// In the queue an earlier play may arrive later: its details count, or its lack of details,
// also against those of an earlier version.
func TestALateEarlierPlayBringsItsOwnDetails(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, groupGame)
		for _, mode := range []string{"first", "best"} {
			for _, way := range []string{"queue", "batch"} {
				if mode == "first" && way == "batch" {
					continue // there the play that arrives first is the first
				}
				k.empty()
				p := k.process()
				earlier, later := k.play(mode, "p", 500), k.play(mode, "p", 500)
				require.NoError(t, ways[way](p, later))
				day := k.dayBoard(p, mode)
				_, err := k.server.Redis().Do(context.Background(), "HSET", game.DetailsKey(mode, day.Period.First()), "p", `500 {"n":0}`)
				require.NoError(t, err)
				require.NoError(t, ways[way](k.process(), earlier))
				card, err := k.process().Boards.Card(context.Background(), day, "p")
				require.NoError(t, err)
				require.Empty(t, string(card.Details), "%s by %s", mode, way)
			}
		}
	})
}
