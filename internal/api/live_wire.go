package api

import (
	"encoding/json"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/live"
)

// An event is encoded once for all its viewers, so encoding/json is fast enough for it.

// versionedPage is a page as the boards route has it, with its version.
type versionedPage struct {
	pageAnswer
	Version int64 `json:"version"`
}

func encodeVersioned(p game.Page, version int64) []byte {
	body, _ := json.Marshal(versionedPage{newPageAnswer(p, ""), version}) // texts and numbers always marshal
	return body
}

// changeAnswer is what has changed on a board.
type changeAnswer struct {
	Version   int64         `json:"version"`
	Total     int64         `json:"total"`
	UpdatedAt string        `json:"updated_at"`
	Entries   []entryAnswer `json:"entries"`
	Gone      []string      `json:"gone"`
}

func encodeChange(of game.Board, e *live.Event) []byte {
	body, _ := json.Marshal(changeAnswer{
		e.Version, e.Total, e.UpdatedAt.UTC().Format(time.RFC3339), newEntries(of, e.Changed, ""), append([]string{}, e.Gone...),
	})
	return body
}
