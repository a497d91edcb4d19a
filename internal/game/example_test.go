package game_test

import (
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

func ExampleBoardKey() {
	d, _ := game.ParseDate("2025-02-22")
	brazil, _ := game.CountryScope("BR")
	fmt.Println(game.BoardKey("daily_frame", game.Day.Of(d), game.Scope{}))
	fmt.Println(game.BoardKey("daily_frame", game.Week.Of(d), brazil))
	fmt.Println(game.BoardKey("daily_frame", game.AllTime.Of(d), game.Scope{}))
	// Output:
	// lb:daily_frame:2025-02-22
	// lb:daily_frame:week:2025-W08:country:BR
	// lb:daily_frame:alltime
}

// A submission: is the date open, is the number a score, and what is stored.
func ExampleMode_Encode() {
	g, err := game.New(description(plainMode()))
	if err != nil {
		fmt.Println(err)
		return
	}
	m, _ := g.Mode("daily_frame")
	now := time.Date(2026, 11, 22, 0, 10, 0, 0, time.UTC)
	d, _ := game.ParseDate("2026-11-21")
	fmt.Println("open:", g.OpenDates(now), g.Open(d, now))

	score, err := m.ParseScore("800")
	if err != nil {
		fmt.Println(err)
		return
	}
	early := m.Encode(score, m.Tick(g, d, d.Midnight().Add(time.Hour)))
	late := m.Encode(score, m.Tick(g, d, now))
	fmt.Println(game.FormatStored(early), ">", game.FormatStored(late), early > late)
	fmt.Println(m.FormatScore(m.Decode(early)), m.FormatScore(m.Decode(late)))
	// Output:
	// open: [2026-11-21 2026-11-22] true
	// 800.0299614596879 > 800.0001102758542 true
	// 800 800
}

func ExampleMode_ParseScore() {
	g, err := game.New(description(plainMode()))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, number := range []string{"8e2", "0.5", "9007199254740993", "1200"} {
		score, err := g.Modes[0].ParseScore(number)
		fmt.Println(score, err)
	}
	// Output:
	// 800 <nil>
	// 0 0.5 has too many decimal places; use at most 0
	// 0 9007199254740993 is beyond 2^53; use a smaller number
	// 0 1200 is outside the bounds; use 0 to 1000
}

func ExamplePercentile() {
	fmt.Println(game.Percentile(1, 4), game.Percentile(4, 4))
	// Output: 100 25
}
