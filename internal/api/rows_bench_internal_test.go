package api

import (
	"fmt"
	"testing"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// BenchmarkPageOf100 makes a page's bytes and its tag of what a board has.
func BenchmarkPageOf100(b *testing.B) {
	mode := &game.Mode{Name: "daily_frame", Max: 1000}
	page := game.Page{
		Board: game.BoardOf(mode, game.Day.Of(game.DateOf(time.Unix(1_790_000_000, 0))), game.Scope{}),
		Total: 1_000_000, UpdatedAt: time.Unix(1_790_000_000, 0),
	}
	for i := range 100 {
		page.Entries = append(page.Entries, game.Entry{
			Rank: int64(i + 1), Player: fmt.Sprintf("user_2abcdefghijklmno%03d", i), Score: game.Score(1000 - i),
			Profile: game.Profile{Name: fmt.Sprintf("Player %d", i), Country: "DE"},
		})
	}
	b.ReportAllocs()
	for b.Loop() {
		encodePage(newPageAnswer(page, ""))
	}
}
