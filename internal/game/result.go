package game

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Result is everything that one player has on one day of one mode.
type Result struct {
	Player  string
	Stored  float64         // on the day's board, as Redis has it, tie fraction included
	Scopes  []ScopedResult  // the other boards the player is on
	Details json.RawMessage // nil: none that belong to this score
	Profile Profile         // empty if nothing is known
}

// Score is the true score.
func (r Result) Score() Score { return TrueScore(r.Stored) }

// DayResult is a player's result of some mode's day.
type DayResult struct {
	Mode string
	Date Date
	Result
}

// MostDayRank is the last rank that is counted for a DayRank.
const MostDayRank = 10_000

// DayRank is a player's rank on the board of a mode's day.
type DayRank struct {
	Date  Date
	Rank  int64 // 0: after MostDayRank
	Score Score
}

// DayName names a mode's day.
type DayName struct {
	Mode string
	Date Date
}

// JoinScopes writes scopes and the scores on their boards as two lists in one order, so that
// the same boards always give the same text. The second list is nil if all boards have the same
// score.
func JoinScopes(r Result) (scopes, stored *string) {
	if len(r.Scopes) == 0 {
		return nil, nil
	}
	sorted := slices.Clone(r.Scopes)
	slices.SortFunc(sorted, func(a, b ScopedResult) int { return strings.Compare(a.Scope.String(), b.Scope.String()) })
	names, numbers := make([]string, len(sorted)), make([]string, len(sorted))
	differ := false
	for i, s := range sorted {
		names[i] = s.Scope.String()
		numbers[i] = strconv.FormatFloat(s.Stored, 'g', -1, 64)
		differ = differ || s.Stored != r.Stored
	}
	scopes = joined(names)
	if differ {
		stored = joined(numbers)
	}
	return scopes, stored
}

// joined is a list in one text. None of its items can have a comma.
func joined(items []string) *string {
	text := strings.Join(items, ",")
	return &text
}

// SplitScopes is the inverse of JoinScopes, from the columns of a row.
func SplitScopes(current float64, scopes []string, stored []float64) ([]ScopedResult, error) {
	if len(scopes) == 0 {
		return nil, nil
	}
	results := make([]ScopedResult, len(scopes))
	for i, name := range scopes {
		scope, err := ParseScope(name)
		if err != nil {
			return nil, fmt.Errorf("read an archived scope: %w", err)
		}
		results[i] = ScopedResult{Scope: scope, Stored: current}
		if len(stored) == len(scopes) {
			results[i].Stored = stored[i]
		}
	}
	return results, nil
}

// leastShare is what the smallest share is rounded to. Nobody on a board has 0.
const leastShare = 0.01

// Percentile is the share of players at or below a rank, in percent rounded to two decimals:
// 100*(total-rank+1)/total. The first of 4 has 100 and the last has 25. However many players
// there are, only the first has 100, and nobody has 0. A rank outside 1..total counts as the
// nearest one inside, and an empty board has 0.
func Percentile(rank, total int64) float64 {
	if total < 1 {
		return 0
	}
	if rank <= 1 {
		return 100
	}
	return min(share(total-within(rank, total)+1, total), 100-leastShare)
}

// TopPercent is the x of "top x%", in percent rounded to two decimals:
// 100*rank/total. Nobody has 0; for the rest as with [Percentile].
func TopPercent(rank, total int64) float64 {
	if total < 1 {
		return 0
	}
	return share(within(rank, total), total)
}

func within(rank, total int64) int64 { return min(max(rank, 1), total) }

// share is 100*part/total in hundredths, halves rounded up, and at least [leastShare]. It computes in integers, so that
// every machine and every test gets the same. Totals stay below 2^48.
func share(part, total int64) float64 {
	return max(float64((2*10_000*part+total)/(2*total))/100, leastShare)
}
