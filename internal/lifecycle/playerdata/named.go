package playerdata

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/framedle/leaderboards/internal/game"
)

// NamedPlayer is a player found by name.
type NamedPlayer struct {
	Player string `json:"player"`
	game.Profile
	LastPlayed string `json:"last_played,omitempty"` // the newest date with a result in the archive
}

// NamedPlayers is a page of players found by name, in the order of their names.
type NamedPlayers struct {
	Players []NamedPlayer `json:"players"`
	Next    *string       `json:"next"`
}

// FindByName reads a page of the players whose names begin with a text, in upper or lower case, as
// cron-save saved them last. Errors: ErrNoArchive, ErrCursor.
//
// Cost: none; 1 query of the archive.
func (s *Service) FindByName(ctx context.Context, prefix, cursor string, limit int) (NamedPlayers, error) {
	if s.Archive == nil {
		return NamedPlayers{}, ErrNoArchive
	}
	after, err := openName(cursor)
	if err != nil {
		return NamedPlayers{}, err
	}
	page := NamedPlayers{}
	rows, err := s.Archive.Named(ctx, prefix, after, limit+1)
	if len(rows) > limit {
		rows = rows[:limit]
		last := rows[limit-1]
		page.Next = PlainCursor(NamedPlayer{Player: last.Player, Profile: game.Profile{Name: last.Name}})
	}
	page.Players = orEmpty(rows)
	return page, err
}

// CheckName reports whether a cursor of players found by name can be read. Errors: ErrCursor.
func CheckName(cursor string) error {
	_, err := openName(cursor)
	return err
}

func openName(cursor string) (after NamedPlayer, err error) {
	if cursor == "" {
		return after, nil
	}
	if err := OpenPlain(cursor, &after); err != nil || game.ValidPlayer(after.Player) != nil || !Searchable(after.Name) {
		return NamedPlayer{}, ErrCursor
	}
	return after, nil
}

// Searchable reports whether a text can be part of a name: Postgres refuses to compare others.
func Searchable(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }
