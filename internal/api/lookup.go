package api

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
)

// lookupAnswer holds those of the named players who have an entry, ranked among themselves.
type lookupAnswer struct {
	Board
	Entries []Entry `json:"entries"`
}

// postLookup reads POST /v1/leaderboards/{mode}/lookup.
func (s *Boards) postLookup(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	b, err := s.WhichBoard(r, q)
	if err != nil {
		return err
	}
	if err := q.Done(); err != nil {
		return err
	}
	f := decode.Open(r.Sent, "")
	players, ok := f.Texts("players", decode.Required, maxLookup)
	if ok && len(players) == 0 {
		f.Fault("players", "this is empty; send 1 to 500 players")
	}
	seen := make(map[string]bool, len(players))
	distinct := players[:0]
	for i, id := range players {
		if err := game.ValidPlayer(id); err != nil {
			f.ItemFault("players", i, err.Error())
			break
		}
		if !seen[id] {
			seen[id] = true
			distinct = append(distinct, id)
		}
	}
	if err := f.Done(); err != nil {
		return err
	}
	read, err := s.Reads.Lookup(r.Context(), b, distinct)
	if err != nil {
		return err
	}
	ShowDegraded(w, read.Degraded)
	return respond.JSON(w, r.Request, http.StatusOK, lookupAnswer{
		Board:   NewBoard(b),
		Entries: NewEntries(b, read.Found, r.Caller.Player.ID),
	})
}
