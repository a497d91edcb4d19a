package api

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/board"
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
	reads *board.Reader
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
	b, err := whichBoard(f.game, f.now(), r, q)
	if err != nil {
		return err
	}
	if b.Scope != (game.Scope{}) || q.values.Has("scope") {
		q.fault("scope", "friends are ranked among themselves; leave the scope out")
	}
	if err := q.done(); err != nil {
		return err
	}
	read, err := f.reads.Friends(r.Context(), b, player.ID, f.lists.Read)
	if err != nil {
		return err
	}
	answer := friendsBoardAnswer{
		Mode: b.Mode.Called(), Period: b.Period.Kind().String(), Key: b.Period.Key(), Entries: make([]friendEntry, len(read.Found)),
	}
	for i, e := range read.Found {
		answer.Entries[i] = friendEntry{newEntry(b.Mode, e), e.Player == player.ID}
	}
	tellDegraded(w, budget.Measures{Refresh: read.Degraded.Refresh})
	return writePublic(w, r, "private, no-cache", answer)
}
