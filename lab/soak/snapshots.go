package soak

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// snapshotTop is how many entries a snapshot holds.
const snapshotTop = 100

// snapshotGrace is how long after its close a week or month may still wait for
// its snapshot: a Monday that was missed is made up for by the end of Tuesday.
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

// checkSnapshots holds the snapshots of closed weeks and months against the
// model: each once, and none besides.
func (r *run) checkSnapshots(ctx context.Context) error {
	have, err := r.snapshots(ctx)
	if err != nil {
		return err
	}
	for _, b := range r.closedPeriods() {
		name := r.name(b)
		got, there := have[name]
		delete(have, name)
		rows := r.model.rows(b)
		switch {
		case !there && (len(rows) == 0 || r.closedFor(b.period) < snapshotGrace):
		case !there:
			r.wrong("%s: there is no snapshot of %d players", name, len(rows))
		default:
			r.judgeSnapshot(b, rows, got)
		}
	}
	for name := range have {
		r.wrong("%s: there is a snapshot of a board that has not closed", name)
	}
	return nil
}

func (r *run) judgeSnapshot(b board, rows []row, got snapshot) {
	name, m := r.name(b), r.model.ruleOf(b)
	top := rows[:min(len(rows), snapshotTop)]
	if got.total != int64(len(rows)) || len(got.entries) != len(top) {
		r.wrong("%s: the snapshot has %d entries of %d, must have %d of %d", name, len(got.entries), got.total, len(top), len(rows))
		return
	}
	byName := map[string]row{}
	for _, w := range rows {
		byName[r.model.people[w.player].id] = w
	}
	for i, e := range got.entries {
		w := top[i]
		score, err := e.Score.Int64()
		same, known := byName[e.Player]
		if err != nil || score != w.score || e.Rank != w.rank || !known || !r.model.interchangeable(b, same, w) {
			r.wrong("%s: the snapshot's place %d has rank %d %s %s, must be rank %d %s %s", name, i+1,
				e.Rank, e.Player, e.Score, w.rank, r.model.people[w.player].id, written(w.score, m.Decimals))
			return
		}
	}
}

// closedPeriods are the weeks and months of the run that have closed.
func (r *run) closedPeriods() []board {
	var boards []board
	seen := map[game.Period]bool{}
	for d := r.Start; !d.After(game.DateOf(r.now)); d = d.AddDays(1) {
		for _, p := range []game.Period{game.Week.Of(d), game.Month.Of(d)} {
			if seen[p] || r.closedFor(p) < 0 {
				continue
			}
			seen[p] = true
			for mode, m := range r.model.rules {
				for scope := range r.model.places.names {
					if r.model.places.kept(m.Mode, scope) {
						boards = append(boards, board{mode, p, scope})
					}
				}
			}
		}
	}
	return boards
}

// snapshots reads all of them, by the name of their board.
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
