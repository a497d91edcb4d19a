// Package duelreplay plays a history of matches as duels through the public API. Each
// match is one duel and one result; matches are sent concurrently, but in order for every
// player. Then the package compares all ratings with a plain computation of its own.
//
// It knows matches, the API and the Elo formula. It must not know how the product
// computes ratings, nor how the product was started.
package duelreplay

import (
	"crypto/sha256"
	_ "embed"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/lab/people"
)

// sample is a made-up season.
//
//go:embed sample.csv
var sample []byte

// mostGoals is what a result of a duel may have if the game file says nothing (duels.rounds).
const mostGoals = 50

// Sample is a made-up season in the form that [Parse] reads.
func Sample() []byte { return slices.Clone(sample) }

// Match is one meeting of two teams.
type Match struct {
	ID    string
	Teams [2]int // indexes in History.Teams
	Score [2]int64
}

// result is 1 if the first team won, 0.5 for a draw, 0 if it lost.
func (m Match) result() float64 {
	switch {
	case m.Score[0] > m.Score[1]:
		return 1
	case m.Score[0] == m.Score[1]:
		return 0.5
	}
	return 0
}

// History is matches in the order in which they were played.
type History struct {
	Teams   []string
	Matches []Match
}

// player is the id under which a team plays.
func player(team int) string { return people.Series("team_").ID(team + 1) }

// most bounds the matches of a file.
const most = 10_000_000

// Parse reads CSV with a header that names the columns home_team, away_team, home_score
// and away_score; it ignores other columns. The ids of the matches are derived from the
// text, so the same file gives the same ids.
func Parse(text io.Reader) (*History, error) {
	sum := sha256.New()
	r := csv.NewReader(io.TeeReader(text, sum))
	r.ReuseRecord = true
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("the header cannot be read: %w", err)
	}
	var columns [4]int
	for i, name := range []string{"home_team", "away_team", "home_score", "away_score"} {
		if columns[i] = slices.Index(header, name); columns[i] < 0 {
			return nil, fmt.Errorf("the header has no column %s", name)
		}
	}
	h := &History{}
	teams := map[string]int{}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		var m Match
		for i := range 2 {
			name, goals := row[columns[i]], row[columns[2+i]]
			if name == "" {
				return nil, fmt.Errorf("line %d: a team has no name", line)
			}
			if _, known := teams[name]; !known {
				name = string([]byte(name)) // a copy, so that the whole row can be freed
				teams[name] = len(h.Teams)
				h.Teams = append(h.Teams, name)
			}
			m.Teams[i] = teams[name]
			if m.Score[i], err = strconv.ParseInt(goals, 10, 64); err != nil || m.Score[i] < 0 || m.Score[i] > mostGoals {
				return nil, fmt.Errorf("line %d: %.20q is not a score; use a whole number from 0 to %d", line, goals, mostGoals)
			}
		}
		if m.Teams[0] == m.Teams[1] {
			return nil, fmt.Errorf("line %d: a team plays against itself", line)
		}
		if len(h.Matches) == most {
			return nil, fmt.Errorf("line %d: there are more than %d matches", line, most)
		}
		h.Matches = append(h.Matches, m)
	}
	if len(h.Matches) == 0 {
		return nil, errors.New("there are no matches")
	}
	name := hex.EncodeToString(sum.Sum(nil)[:4])
	for i := range h.Matches {
		h.Matches[i].ID = fmt.Sprintf("match-%s-%06d", name, i+1)
	}
	return h, nil
}
