package race

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// raceOf reads a race from its hash, given as fields with their values. Times are Unix
// milliseconds; numbers are texts that parse back to the same float64. Without fields it
// returns the zero Race.
func raceOf(id string, pairs []string) (Race, error) {
	h := make(map[string]string, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		h[strings.Clone(pairs[i])] = strings.Clone(pairs[i+1])
	}
	if h["state"] == "" {
		return Race{}, nil
	}
	p := redis.Fields{}
	r := Race{
		ID: strings.Clone(id), State: State(h["state"]), Mode: h["mode"], Text: h["text"], Size: int(p.Whole(h["size"])), Open: h["open"] != "",
		CreatedAt: p.Time(h["at"]), PairedAt: p.Time(h["since"]), StartsAt: p.Time(h["starts"]), Until: p.Time(h["until"]), DecidedAt: p.Time(h["decided"]),
	}
	for i := 1; h[nth("p", i)] != ""; i++ {
		seat := Seat{
			Player: h[nth("p", i)], SeenAt: p.Time(h[nth("seen", i)]), Progress: p.Number(h[nth("progress", i)]),
			Left: h[nth("left", i)] != "", K: p.Number(h[nth("k", i)]), Place: int(p.Whole(h[nth("place", i)])),
			Rating: RatingChange{Before: p.Number(h[nth("before", i)]), After: p.Number(h[nth("after", i)])},
		}
		if text := h[nth("score", i)]; text != "" {
			score := game.Score(p.Whole(text))
			seat.Score = &score
		}
		r.Seats = append(r.Seats, seat)
	}
	if p.Err != nil {
		return Race{}, fmt.Errorf("read the race %s: %w", id, p.Err)
	}
	return r, nil
}

// record is a race's hash as pairs of field and value, without empty fields: the inverse of
// raceOf for a race that no longer waits.
func record(r Race) []string {
	pairs := []string{"state", string(r.State), "mode", r.Mode, "size", strconv.Itoa(r.Size), "at", redis.Millis(r.CreatedAt), "until", redis.Millis(r.Until)}
	put := func(field, value string, there bool) {
		if there {
			pairs = append(pairs, field, value)
		}
	}
	put("open", "1", r.Open)
	put("text", r.Text, r.Text != "")
	put("starts", redis.Millis(r.StartsAt), !r.StartsAt.IsZero())
	put("decided", redis.Millis(r.DecidedAt), !r.DecidedAt.IsZero())
	for i, seat := range r.Seats {
		i++
		put(nth("p", i), seat.Player, true)
		put(nth("seen", i), redis.Millis(seat.SeenAt), !seat.SeenAt.IsZero())
		put(nth("progress", i), game.FormatStored(seat.Progress), seat.Progress != 0)
		put(nth("left", i), "1", seat.Left)
		put(nth("k", i), game.FormatStored(seat.K), seat.K != 0)
		if seat.Score != nil {
			put(nth("score", i), scoreText(*seat.Score), true)
		}
		put(nth("place", i), strconv.Itoa(seat.Place), seat.Place != 0)
		put(nth("before", i), game.FormatStored(seat.Rating.Before), seat.Place != 0)
		put(nth("after", i), game.FormatStored(seat.Rating.After), seat.Place != 0)
	}
	return pairs
}

func nth(field string, seat int) string { return field + strconv.Itoa(seat) }

func scoreText(s game.Score) string { return strconv.FormatInt(int64(s), 10) }
