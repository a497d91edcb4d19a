package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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
func SplitScopes(stands float64, scopes []string, stored []float64) ([]ScopedResult, error) {
	if len(scopes) == 0 {
		return nil, nil
	}
	results := make([]ScopedResult, len(scopes))
	for i, name := range scopes {
		scope, err := ParseScope(name)
		if err != nil {
			return nil, fmt.Errorf("read an archived scope: %w", err)
		}
		results[i] = ScopedResult{Scope: scope, Stored: stands}
		if len(stored) == len(scopes) {
			results[i].Stored = stored[i]
		}
	}
	return results, nil
}
