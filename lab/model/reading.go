package model

import (
	"fmt"
	"iter"
)

// Reading compares a board with the model while the board is read from its top.
type Reading struct {
	model  *Model
	board  Board
	rows   []Row
	of     map[string]int // index of a player's row
	places []int64        // where each row was read; 0 for not read yet
	read   int64
}

// Read starts the reading of a board.
func (m *Model) Read(b Board) *Reading {
	rows := m.Rows(b)
	r := &Reading{model: m, board: b, rows: rows, of: make(map[string]int, len(rows)), places: make([]int64, len(rows))}
	for i, row := range rows {
		r.of[m.IDs[row.Player]] = i
	}
	return r
}

// Rows returns the model's rows.
func (r *Reading) Rows() []Row { return r.rows }

// Entries is how many entries were read.
func (r *Reading) Entries() int64 { return r.read }

// Place is where a player was read; 0 for not read yet.
func (r *Reading) Place(id string) int64 {
	i, ok := r.of[id]
	if !ok {
		return 0
	}
	return r.places[i]
}

// Next compares the next entry with the model's row at that place, and returns what is
// wrong, or "". The entry may also be a row that may change places with that one.
func (r *Reading) Next(rank int64, id string, score int64) (fault string) {
	r.read++
	i, ok := r.of[id]
	switch {
	case !ok:
		return fmt.Sprintf("place %d is held by %.140q, who did not play", r.read, id)
	case r.places[i] != 0:
		return fmt.Sprintf("%s stands twice, at %d and at %d", id, r.places[i], r.read)
	}
	r.places[i] = r.read
	decimals := r.model.RuleOf(r.board).Decimals
	if score != r.rows[i].Score {
		return fmt.Sprintf("%s has %s, must have %s", id, Written(score, decimals), Written(r.rows[i].Score, decimals))
	}
	if r.read > int64(len(r.rows)) {
		return fmt.Sprintf("%s stands at place %d of %d", id, r.read, len(r.rows))
	}
	right := r.rows[r.read-1]
	if rank != right.Rank || !r.model.Interchangeable(r.board, r.rows[i], right) {
		return fmt.Sprintf("place %d has rank %d %s %s, must be rank %d %s %s", r.read, rank, id, Written(score, decimals),
			right.Rank, r.model.IDs[right.Player], Written(right.Score, decimals))
	}
	return ""
}

// Missing returns a message for each player who was not read.
func (r *Reading) Missing() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, place := range r.places {
			if id := r.model.IDs[r.rows[i].Player]; place == 0 && !yield(id+" is missing from the board") {
				return
			}
		}
	}
}
