package costday

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/progress"
	"github.com/framedle/leaderboards/lab/stage"
)

// Kept is what Redis holds under keys of one kind.
type Kept struct {
	Kind  string
	Keys  int64
	Bytes int64 // as MEMORY USAGE has it, of all elements
}

// keptBy weighs every key, by kind, the heaviest kind first. It asks Redis itself, so
// nothing of it is billed.
func keptBy(ctx context.Context, u stage.Upstash, modes []string) ([]Kept, error) {
	kinds := map[string]Kept{}
	for cursor := "0"; ; {
		answer, err := u.Server.Redis().Do(ctx, "SCAN", cursor, "COUNT", "1000")
		if err != nil {
			return nil, err
		}
		page, ok := answer.([]any)
		if !ok || len(page) != 2 {
			return nil, fmt.Errorf("SCAN answered %v", answer)
		}
		keys, _ := page[1].([]any)
		for _, key := range keys {
			name := fmt.Sprint(key)
			bytes, err := u.Server.Redis().Do(ctx, "MEMORY", "USAGE", name, "SAMPLES", "0")
			if err != nil {
				return nil, err
			}
			n, _ := bytes.(int64) // none: it has expired since
			kind := kindOf(name, modes)
			of := kinds[kind]
			kinds[kind] = Kept{kind, of.Keys + 1, of.Bytes + n}
		}
		if cursor = fmt.Sprint(page[0]); cursor == "0" {
			break
		}
	}
	return slices.SortedFunc(maps.Values(kinds), func(a, b Kept) int { return int(b.Bytes - a.Bytes) }), nil
}

// parts are what keys of a kind differ by, apart from modes.
var parts = []struct {
	of  *regexp.Regexp
	was string
}{
	{regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}\b`), "{date}"},
	{regexp.MustCompile(`\b\d{4}-W\d{2}\b`), "{week}"},
	{regexp.MustCompile(`\b\d{4}-\d{2}\b`), "{month}"},
	{regexp.MustCompile(`\bcountry:[A-Z]{2}$`), "country:{code}"},
	{regexp.MustCompile(`^(refresh|friends|once|limit|lock|erasure|export|live:turn):.*`), "$1:{…}"},
}

// kindOf is a key with names in the place of what others of its kind have there.
func kindOf(key string, modes []string) string {
	for _, part := range parts {
		key = part.of.ReplaceAllString(key, part.was)
	}
	words := strings.Split(key, ":")
	for i, word := range words {
		if slices.Contains(modes, word) {
			words[i] = "{mode}"
		}
	}
	return strings.Join(words, ":")
}

// KeptTable is what Redis keeps of the players of a day, by kind.
func KeptTable(kept []Kept, players int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "What Redis keeps of %s players once the days are played:\n\n", progress.Count(int64(players)))
	row(&b, "key", "keys", "KB", "bytes a player", "… and key")
	b.WriteString("|---|--:|--:|--:|--:|\n")
	total := Kept{Kind: "**all**"}
	for _, k := range kept {
		total.Keys, total.Bytes = total.Keys+k.Keys, total.Bytes+k.Bytes
	}
	for _, k := range append(kept, total) {
		each := float64(k.Bytes) / float64(players)
		row(&b, k.Kind, progress.Count(k.Keys), progress.Count(k.Bytes/1000), fmt.Sprintf("%.0f", each), fmt.Sprintf("%.1f", each/float64(k.Keys)))
	}
	return b.String()
}
