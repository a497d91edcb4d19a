package lifecycle_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
)

// Any sequence of submissions, single and in batches, through two processes, leaves every
// board as the plain model has it, and every answer on the way has the model's score, status,
// rank and total.
func TestStandingsEqualThePlainModel(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		for _, mode := range k.game.Modes {
			t.Run(mode.Name, func(t *testing.T) {
				rapid.Check(t, func(rt *rapid.T) {
					k.empty()
					k.clock.Set(noon)
					s := &rows{rt: rt, k: k, mode: mode, model: newModel(mode), processes: []*process{k.process(), k.process()}}
					rt.Repeat(map[string]func(*rapid.T){
						"submit": s.submit,
						"batch":  s.batch,
						"":       s.check,
					})
				})
			})
		}
	})
}

type rows struct {
	rt        *rapid.T
	k         *kit
	mode      *game.Mode
	model     *model
	processes []*process
	keys      int
}

func (s *rows) process(t *rapid.T) *process {
	return rapid.SampledFrom(s.processes).Draw(t, "process")
}

func (s *rows) submission(t *rapid.T) game.Submission {
	score := game.Score(rapid.Int64Range(int64(s.mode.Min), int64(s.mode.Max)).Draw(t, "score"))
	if rapid.Bool().Draw(t, "near others") {
		score = max(s.mode.Min, s.mode.Min+game.Score(rapid.IntRange(0, 3).Draw(t, "small")))
	}
	sub := s.k.play(s.mode.Name, fmt.Sprintf("p%d", rapid.IntRange(1, 9).Draw(t, "player")), score)
	s.keys++
	sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprintf("k%d", s.keys), Fingerprint: "f"}
	return sub
}

func (s *rows) submit(t *rapid.T) {
	sub := s.submission(t)
	outcome, err := s.process(t).Boards.Submit(context.Background(), sub)
	status, ok := s.model.submit(sub.Player, sub.Score, sub.At)
	if !ok {
		require.ErrorIs(t, err, leaderboard.ErrDayTotal)
		return
	}
	require.NoError(t, err)
	row, _ := s.model.row(sub.Player)
	require.Equal(t, game.Status(status), outcome.Status)
	require.Equal(t, row.score, outcome.Score)
	require.Equal(t, row.rank, outcome.Rank)
	require.LessOrEqual(t, outcome.Rank, outcome.Total)
	require.LessOrEqual(t, outcome.Total, int64(len(s.model.entries)))
}

func (s *rows) batch(t *rapid.T) {
	var subs []game.Submission
	for range rapid.IntRange(1, 6).Draw(t, "size") {
		subs = append(subs, s.submission(t))
	}
	outcomes := s.process(t).Boards.SubmitBatch(context.Background(), subs)
	for i, sub := range subs {
		status, ok := s.model.submit(sub.Player, sub.Score, sub.At)
		if !ok {
			require.ErrorIs(t, outcomes[i].Err, leaderboard.ErrDayTotal)
			continue
		}
		require.NoError(t, outcomes[i].Err)
		require.Equal(t, game.Status(status), outcomes[i].Status, "item %d", i)
	}
	for i, sub := range subs {
		if outcomes[i].Err != nil || s.mode.Policy == game.Sum {
			continue
		}
		row, _ := s.model.row(sub.Player)
		require.Equal(t, row.rank, outcomes[i].Rank, "the rank after the whole batch")
		require.Equal(t, int64(len(s.model.entries)), outcomes[i].Total)
	}
}

// check reads the board in every possible way.
func (s *rows) check(t *rapid.T) {
	ctx := context.Background()
	p := s.process(t)
	if rapid.Bool().Draw(t, "a process that knows nothing") {
		p = s.k.process()
	}
	b := s.k.dayBoard(p, s.mode.Name)
	rows := s.model.rows()
	offset := rapid.IntRange(0, 4).Draw(t, "offset")
	page, err := s.k.process().Boards.Page(ctx, b, game.PageRequest{Limit: 3, Offset: int64(offset)})
	require.NoError(t, err)
	s.same(t, rows[min(offset, len(rows)):min(offset+3, len(rows))], page.Entries)
	s.same(t, rows, wholeBoard(t, s.k.process(), b, 2))
	players := []string{"nobody"}
	for _, row := range rows {
		players = append(players, row.player)
		card, err := s.k.process().Boards.Card(ctx, b, row.player)
		require.NoError(t, err)
		s.same(t, []modelRow{row}, []game.Entry{card.Entry})
		require.Equal(t, int64(len(rows)), card.Total)
	}
	found, err := p.Boards.Lookup(ctx, b, players)
	require.NoError(t, err)
	s.same(t, rows, found)
	if len(rows) > 0 {
		i := rapid.IntRange(0, len(rows)-1).Draw(t, "around")
		reach := rapid.IntRange(1, 3).Draw(t, "reach")
		near, err := s.k.process().Boards.Around(ctx, b, rows[i].player, int64(reach))
		require.NoError(t, err)
		from := max(0, min(i-reach, len(rows)-(2*reach+1)))
		s.same(t, rows[from:min(from+2*reach+1, len(rows))], near.Entries)
		require.Equal(t, int64(len(rows)), near.Total)
	}
	_, err = p.Boards.Card(ctx, b, "nobody")
	require.ErrorIs(t, err, leaderboard.ErrNotOnBoard)
	_, err = p.Boards.Around(ctx, b, "nobody", 5)
	require.ErrorIs(t, err, leaderboard.ErrNotOnBoard)
}

func (s *rows) same(t *rapid.T, want []modelRow, got []game.Entry) {
	read := make([]modelRow, len(got))
	for i, e := range got {
		read[i] = modelRow{e.Player, e.Score, e.Rank}
	}
	if len(want) == 0 {
		want = []modelRow{}
	}
	require.Equal(t, want, read)
}
