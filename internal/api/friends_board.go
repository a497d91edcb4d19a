package api

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/budget"
	"github.com/framedle/leaderboards/internal/game"
)

// FriendLists tells a player's friends, the player among them.
type FriendLists interface {
	Read(ctx context.Context, player string) ([]string, error)
}

// friendsBoard is the endpoint of a player's board of friends.
type friendsBoard struct {
	kernel
	reads reads
	lists FriendLists
}

// friendEntry is an entry of a friends board.
type friendEntry struct {
	entryAnswer
	Me bool `json:"me,omitempty"`
}

// friendsBoardAnswer has the caller and the caller's friends who have an entry,
// ranked among themselves.
type friendsBoardAnswer struct {
	Mode    string        `json:"mode"`
	Period  string        `json:"period"`
	Key     string        `json:"key"`
	Entries []friendEntry `json:"entries"`
}

// getFriendsBoard reads GET /v1/leaderboards/{mode}/friends.
func (f friendsBoard) getFriendsBoard(w http.ResponseWriter, r *request) error {
	player := r.caller.player
	q := newQuery(r)
	b, err := f.whichBoard(r, q)
	if err != nil {
		return err
	}
	if b.Scope != (game.Scope{}) || q.values.Has("scope") {
		q.fault("scope", "friends are ranked among themselves; leave the scope out")
	}
	if err := q.done(); err != nil {
		return err
	}
	entries, err := f.readFriends(r, b, player.ID)
	if err != nil {
		return err
	}
	answer := friendsBoardAnswer{
		Mode: b.Mode.Called(), Period: b.Period.Kind().String(), Key: b.Period.Key(), Entries: make([]friendEntry, len(entries)),
	}
	for i, e := range entries {
		answer.Entries[i] = friendEntry{newEntry(b.Mode, e), e.Player == player.ID}
	}
	tellDegraded(w, budget.Measures{Refresh: f.reads.boards.Degraded(b).Refresh})
	return writePublic(w, r, "private, no-cache", answer)
}

func (f friendsBoard) readFriends(r *request, b game.Board, player string) ([]game.Entry, error) {
	if !f.reads.inHistory(b) {
		entries, err := f.reads.boards.LookupFriends(r.Context(), b, player)
		if err != nil || len(entries) > 0 || f.reads.history == nil || !f.reads.boards.Closed(b) {
			return entries, err
		}
		if missing, err := f.reads.isLost(r.Context(), b); err != nil || !missing {
			return entries, err
		}
	}
	players, err := f.lists.Read(r.Context(), player)
	if err != nil {
		return nil, err
	}
	return f.reads.lookup(r.Context(), b, players)
}
