package replay

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"

	_ "embed"

	"github.com/framedle/leaderboards/internal/game"
)

// Tries is the number of ways in which a puzzle can end: solved at the first to sixth
// guess, or not at all.
const Tries = 7

// maxPlayers bounds a day, so that the model fits in memory.
const maxPlayers = 10_000_000

// Day is one day of a daily puzzle.
type Day struct {
	Date    game.Date
	Players int
	Shares  [Tries]int // percent by tries; rounded, so they need not add up to 100
}

// sample is a made-up day of an ordinary shape.
//
//go:embed sample_day.csv
var sample string

// Sample is a day of 2,000 players in the form that [ParseDays] reads.
func Sample() string { return sample }

// shareColumns are the columns of Day.Shares, in order.
var shareColumns = [Tries]string{"pct_1", "pct_2", "pct_3", "pct_4", "pct_5", "pct_6", "pct_fail"}

// ParseDays reads CSV with a header that names date, reported_results, pct_1 to pct_6 and
// pct_fail; it ignores other columns. It requires at least one day, 1 to 10,000,000
// players on each day, and each date only once.
func ParseDays(r io.Reader) ([]Day, error) {
	rows := csv.NewReader(r)
	rows.ReuseRecord = true
	header, err := rows.Read()
	if err != nil {
		return nil, fmt.Errorf("the header cannot be read: %w", err)
	}
	at := map[string]int{}
	for i, name := range header {
		at[name] = i
	}
	for _, name := range append([]string{"date", "reported_results"}, shareColumns[:]...) {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("the header lacks the column %s", name)
		}
	}
	var days []Day
	seen := map[game.Date]bool{}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		day, err := parseDay(row, at)
		line, _ := rows.FieldPos(0)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if seen[day.Date] {
			return nil, fmt.Errorf("line %d: %s is there twice", line, day.Date)
		}
		seen[day.Date] = true
		days = append(days, day)
	}
	if len(days) == 0 {
		return nil, errors.New("there is no day below the header")
	}
	return days, nil
}

func parseDay(row []string, at map[string]int) (Day, error) {
	var d Day
	var err error
	if d.Date, err = game.ParseDate(row[at["date"]]); err != nil {
		return d, err
	}
	if d.Players, err = wholeNumber(row[at["reported_results"]], 1, maxPlayers); err != nil {
		return d, fmt.Errorf("reported_results: %w", err)
	}
	sum := 0
	for i, name := range shareColumns {
		if d.Shares[i], err = wholeNumber(row[at[name]], 0, 100); err != nil {
			return d, fmt.Errorf("%s: %w", name, err)
		}
		sum += d.Shares[i]
	}
	if sum == 0 {
		return d, errors.New("all shares are 0")
	}
	return d, nil
}

func wholeNumber(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("%.40q is not a whole number from %d to %d", text, low, high)
	}
	return n, nil
}

// Busiest is the day with the most players, the first of equal ones.
func Busiest(days []Day) Day {
	busiest := days[0]
	for _, d := range days {
		if d.Players > busiest.Players {
			busiest = d
		}
	}
	return busiest
}

// OnDate returns the day with this date.
func OnDate(days []Day, date game.Date) (Day, bool) {
	for _, d := range days {
		if d.Date == date {
			return d, true
		}
	}
	return Day{}, false
}
