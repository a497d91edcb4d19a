package lifecycle

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// field names the day in the record of a claim, as the hash of closed days does.
func (d ClaimedDay) field() string { return game.ClosedDay(d.Mode.Name, d.Date) }

// String is "status score scope…".
func (d ClaimedDay) String() string {
	words := []string{string(d.Status), redis.Itoa(int64(d.Score))}
	for _, scope := range d.scopes {
		words = append(words, scope.String())
	}
	return strings.Join(words, " ")
}

// parseClaimedDay is the inverse of field and String. known is false for a mode that the game
// no longer has.
func parseClaimedDay(g *game.Game, field, record string) (d ClaimedDay, known bool, err error) {
	name, date, _ := strings.Cut(field, ":")
	if d.Date, err = game.ParseDate(date); err != nil {
		return d, false, fmt.Errorf("read a claim: %w", err)
	}
	words := strings.Split(record, " ")
	if len(words) < 2 {
		return d, false, fmt.Errorf("%.80q is not what a claim has of a day", record)
	}
	score, err := strconv.ParseInt(words[1], 10, 64)
	if err != nil {
		return d, false, fmt.Errorf("%.80q is not what a claim has of a day: %w", record, err)
	}
	d.Status, d.Score = game.Status(words[0]), game.Score(score)
	for _, word := range words[2:] {
		scope, err := game.ParseScope(word)
		if err != nil {
			return d, false, fmt.Errorf("%.80q is not what a claim has of a day: %w", record, err)
		}
		d.scopes = append(d.scopes, scope)
	}
	d.Mode, known = g.Mode(name)
	return d, known, nil
}

// MergePlaces merges the device's and the player's place of a day. taken reports whether the
// device's play remains or, in a sum, is the newest.
func MergePlaces(m *game.Mode, device, player redis.Place) (merged redis.Place, taken bool) {
	switch {
	case !device.Found:
		return player, false
	case !player.Found:
		return device, true
	}
	switch m.Policy {
	case game.First:
		taken = playedBefore(m, device, player)
	case game.Best:
		taken = device.Stored > player.Stored
		if m.Order == game.Asc {
			taken = device.Stored < player.Stored
		}
	case game.Latest:
		taken = playedBefore(m, player, device)
	case game.Sum:
		taken = playedBefore(m, player, device)
		newest := player
		if taken {
			newest = device
		}
		total := min(max(m.Decode(device.Stored)+m.Decode(player.Stored), m.DayMin), m.DayMax)
		return redis.Place{Stored: float64(total) + game.Fraction(m, newest.Stored), Found: true}, taken
	}
	if taken {
		return device, true
	}
	return player, false
}

// Merged merges two stored entries of one player and day, as if both had been played here.
// bySecond reports whether the second remains or, in a sum, was added last.
func Merged(m *game.Mode, first, second float64) (stored float64, bySecond bool) {
	merged, bySecond := MergePlaces(m, redis.Place{Stored: second, Found: true}, redis.Place{Stored: first, Found: true})
	return merged.Stored, bySecond
}

// playedBefore reports whether a was played before b, by their tie fractions.
func playedBefore(m *game.Mode, a, b redis.Place) bool {
	if m.Order == game.Asc {
		return game.Fraction(m, a.Stored) < game.Fraction(m, b.Stored)
	}
	return game.Fraction(m, a.Stored) > game.Fraction(m, b.Stored)
}
