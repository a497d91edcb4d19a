package soak

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/model"
)

// snapshotTop is how many entries a snapshot holds.
const snapshotTop = 100

// snapshotGrace is how long after its close a week or month may be without a snapshot:
// if the run on Monday is left out, the one on Tuesday makes up for it.
const snapshotGrace = 2 * day

type snapshotRow struct {
	Rank   int64       `json:"rank"`
	Player string      `json:"player"`
	Score  json.Number `json:"score"` // scaled
}

type snapshot struct {
	total   int64
	entries []snapshotRow
}

// checkSnapshots compares the snapshots of closed weeks and months with the model. Each
// must exist once, and no others may exist.
func (r *run) checkSnapshots(ctx context.Context) error {
	have, err := r.snapshots(ctx)
	if err != nil {
		return err
	}
	for _, b := range r.closed() {
		name := r.name(b)
		got, there := have[name]
		delete(have, name)
		reading := r.model.Read(b)
		switch {
		case !there && (len(reading.Rows()) == 0 || r.closedFor(b.Period) < snapshotGrace):
		case !there:
			r.wrong("%s: there is no snapshot of %d players", name, len(reading.Rows()))
		default:
			r.judgeSnapshot(name, reading, got)
		}
	}
	for name := range have {
		r.wrong("%s: there is a snapshot of a board that has not closed", name)
	}
	return nil
}

func (r *run) judgeSnapshot(name string, reading *model.Reading, got snapshot) {
	all := len(reading.Rows())
	if want := min(all, snapshotTop); got.total != int64(all) || len(got.entries) != want {
		r.wrong("%s: the snapshot has %d entries of %d, must have %d of %d", name, len(got.entries), got.total, want, all)
		return
	}
	for _, e := range got.entries {
		score, err := e.Score.Int64()
		fault := reading.Next(e.Rank, e.Player, score)
		if err != nil {
			fault = err.Error()
		}
		if fault != "" {
			r.wrong("%s: the snapshot: %s", name, fault)
			return
		}
	}
}

// closed lists the boards of the run's weeks and months that have closed.
func (r *run) closed() (boards []model.Board) {
	for _, p := range r.periods() {
		if kind := p.Kind(); (kind == game.Week || kind == game.Month) && r.closedFor(p) >= 0 {
			boards = append(boards, r.boardsOf(p)...)
		}
	}
	return boards
}

// snapshots reads all snapshots, by the name of their board.
func (r *run) snapshots(ctx context.Context) (map[string]snapshot, error) {
	db, err := pgx.Connect(ctx, r.Product.Secrets.DatabaseURL)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close(ctx) }() // only read
	rows, err := db.Query(ctx, `SELECT mode, period_key, scope, total, entries FROM leaderboard_snapshots`)
	if err != nil {
		return nil, err
	}
	have := map[string]snapshot{}
	var mode, key, scope string
	var total int64
	var entries []byte
	_, err = pgx.ForEachRow(rows, []any{&mode, &key, &scope, &total, &entries}, func() error {
		s := snapshot{total: total}
		if err := json.Unmarshal(entries, &s.entries); err != nil {
			return err
		}
		if scope == "" {
			scope = "global"
		}
		name := fmt.Sprintf("%s %s %s", mode, key, scope)
		if _, twice := have[name]; twice {
			r.wrong("%s: there are two snapshots", name)
		}
		have[name] = s
		return nil
	})
	return have, err
}
