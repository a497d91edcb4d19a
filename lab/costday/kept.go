package costday

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/platform/progress"
	"github.com/framedle/leaderboards/lab/stage"
)

// Keeps is what Redis stores after the days are played.
type Keeps struct {
	Kinds []Kept // the largest first
	Used  int64  // bytes in used_memory beyond those of the empty Redis
}

// Kept is what Redis stores under keys of one kind.
type Kept struct {
	Kind  string
	Keys  int64
	Bytes int64 // by MEMORY USAGE over all elements
}

// weigh measures every key, by kind. empty is what Redis used without any key. It asks
// Redis directly, so nothing of it is billed.
func weigh(ctx context.Context, u stage.Upstash, empty int64, modes []string) (all Keeps, err error) {
	used, err := usedMemory(ctx, u)
	if err != nil {
		return all, err
	}
	all.Used = used - empty
	kinds := map[string]Kept{}
	for cursor := "0"; ; {
		answer, err := u.Server.Redis().Do(ctx, "SCAN", cursor, "COUNT", "1000")
		if err != nil {
			return all, err
		}
		page, ok := answer.([]any)
		if !ok || len(page) != 2 {
			return all, fmt.Errorf("SCAN answered %v", answer)
		}
		keys, _ := page[1].([]any)
		for _, key := range keys {
			name := fmt.Sprint(key)
			bytes, err := u.Server.Redis().Do(ctx, "MEMORY", "USAGE", name, "SAMPLES", "0")
			if err != nil {
				return all, err
			}
			n, _ := bytes.(int64) // 0 if the key has expired since
			kind := kindOf(name, modes)
			of := kinds[kind]
			kinds[kind] = Kept{kind, of.Keys + 1, of.Bytes + n}
		}
		if cursor = fmt.Sprint(page[0]); cursor == "0" {
			break
		}
	}
	all.Kinds = slices.SortedFunc(maps.Values(kinds), func(a, b Kept) int { return int(b.Bytes - a.Bytes) })
	return all, nil
}

var usedLine = regexp.MustCompile(`(?m)^used_memory:(\d+)`)

// usedMemory is what Redis uses, including what Redis itself and connections use.
func usedMemory(ctx context.Context, u stage.Upstash) (int64, error) {
	info, err := u.Server.Redis().Do(ctx, "INFO", "memory")
	if err != nil {
		return 0, err
	}
	found := usedLine.FindStringSubmatch(fmt.Sprint(info))
	if found == nil {
		return 0, fmt.Errorf("INFO memory has no used_memory: %v", info)
	}
	return strconv.ParseInt(found[1], 10, 64)
}

// parts are the parts in which keys of one kind differ, apart from modes.
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

// kindOf replaces by placeholders the parts in which keys of one kind differ.
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

// Table is a table of what Redis stores for this number of players, by kind.
func (all Keeps) Table(players int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "What Redis keeps of %s players once the days are played:\n\n", progress.Count(int64(players)))
	row(&b, "key", "keys", "KB", "bytes a player", "… and key")
	b.WriteString("|---|--:|--:|--:|--:|\n")
	total := Kept{Kind: "**all**"}
	for _, k := range all.Kinds {
		total.Keys, total.Bytes = total.Keys+k.Keys, total.Bytes+k.Bytes
	}
	for _, k := range append(all.Kinds, total) {
		each := float64(k.Bytes) / float64(players)
		row(&b, k.Kind, progress.Count(k.Keys), progress.Count(k.Bytes/1000), fmt.Sprintf("%.0f", each), fmt.Sprintf("%.1f", each/float64(k.Keys)))
	}
	row(&b, "by used_memory", "", progress.Count(all.Used/1000), fmt.Sprintf("%.0f", float64(all.Used)/float64(players)), "")
	return b.String()
}
