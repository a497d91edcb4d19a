package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

const gameExit = `

Exit status: 0 OK, 1 the file is invalid or a change is refused, 2 a file could not
be read.`

const gameCheckLong = `Validates a game file as the functions do, and prints its modes, or every error with
its line and the fix.` + gameExit

const gameDiffLong = `Shows what replacing OLD by NEW would do to a game that is being played: every rule
that differs, whether the change is safe, takes effect from now on, or is refused
because stored scores would be misread or lost, and what to do instead. It needs no
database; with --redis, one FILE is compared with the rules stored in the Redis of
$UPSTASH_REDIS_REST_URL and _TOKEN, or of $REDIS_URL.` + gameExit

const gameAcceptLong = `Makes the boards in the Redis of $UPSTASH_REDIS_REST_URL and _TOKEN, or of
$REDIS_URL, use the rules of FILE from now on, whatever that does to stored data, and prints what will be misread.
Otherwise functions with refused rules read everything and write nothing. It takes
effect within a minute.` + gameExit

func gameCommand(c console) *cobra.Command {
	check, _ := define("check FILE", "validate a game file", gameCheckLong, 1)
	form := addForm(check)
	does(check, func(_ context.Context, files []string) (int, error) {
		if len(files) == 0 {
			return statusFailed, errors.New("missing FILE: use lbctl game check FILE")
		}
		return checkGame(files[0], c, form.json())
	})
	diff, flags := define("diff OLD NEW | --redis FILE", "show what a change of the rules would do", gameDiffLong, 2)
	stored := flags.Bool("redis", false, "compare with what is stored")
	does(diff, func(ctx context.Context, files []string) (int, error) {
		switch {
		case *stored && len(files) == 1:
			return diffStored(ctx, files[0], c)
		case !*stored && len(files) == 2:
			return diffGames(files[0], files[1], c.stdout)
		}
		return statusFailed, errors.New("use lbctl game diff OLD NEW, or lbctl game diff --redis FILE")
	})
	accept, _ := define("accept FILE", "accept other rules for the stored boards", gameAcceptLong, 1)
	does(accept, func(ctx context.Context, files []string) (int, error) {
		if len(files) == 0 {
			return statusFailed, errors.New("missing FILE: use lbctl game accept FILE")
		}
		return acceptGame(ctx, files[0], c)
	})
	return family("game", "validate a game file, or show what a change would do", "", check, diff, accept)
}

// gameFrom reads a game file. wrong is what is wrong with the file's content; err says that it
// could not be read.
func gameFrom(path string) (g *game.Game, wrong, err error) {
	g, err = readGame(path)
	if fault := (*gamefile.Error)(nil); errors.As(err, &fault) {
		return nil, err, nil
	}
	return g, nil, err
}

// checkedMode is a mode in the answer of lbctl game check -o json.
type checkedMode struct {
	Mode       string   `json:"mode"`
	Policy     string   `json:"policy"`
	Order      string   `json:"order"`
	Bounds     string   `json:"bounds"`
	Aggregate  string   `json:"aggregate"`
	Scopes     []string `json:"scopes"`
	Resolution string   `json:"resolution"`
}

func checkGame(path string, c console, asJSON bool) (int, error) {
	out := c.stdout
	g, wrong, err := gameFrom(path)
	if err != nil {
		return statusFailed, err
	}
	if wrong != nil {
		_, _ = fmt.Fprintln(out, wrong)
		return statusFaults, nil
	}
	modes := make([]checkedMode, len(g.Modes))
	for i, m := range g.Modes {
		scopes := []string{"global"}
		for _, kind := range m.Scopes {
			scopes = append(scopes, kind.String())
		}
		modes[i] = checkedMode{fmt.Sprint(m.Called()), fmt.Sprint(m.Policy), fmt.Sprint(m.Order), boundsOf(m), fmt.Sprint(m.Aggregate), scopes, fmt.Sprint(m.Resolution())}
	}
	if asJSON {
		return statusGood, writeJSON(c, map[string]any{"game": g.Name, "day": fmt.Sprint(g.Day), "modes": modes})
	}
	_, _ = fmt.Fprintf(out, "%s: OK (%s, days in %s)\n", path, g.Name, g.Day)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "mode\tpolicy\torder\tbounds\tperiods are the\tscopes\ttie resolution")
	for _, m := range modes {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", m.Mode, m.Policy, m.Order, m.Bounds, m.Aggregate, strings.Join(m.Scopes, ", "), m.Resolution)
	}
	return statusGood, w.Flush()
}

// boundsOf returns a mode's bounds, or those of each of its values with its order.
func boundsOf(m *game.Mode) string {
	if !m.Composite() {
		return m.FormatScore(m.Min) + " to " + m.FormatScore(m.Max)
	}
	said := make([]string, len(m.Values))
	for i, v := range m.Values {
		said[i] = fmt.Sprintf("%s %s %s to %s", v.Name, v.Order, v.Format(v.Min), v.Format(v.Max))
	}
	return strings.Join(said, ", ")
}

func diffGames(before, after string, out io.Writer) (int, error) {
	var games [2]*game.Game
	for i, path := range []string{before, after} {
		g, wrong, err := gameFrom(path)
		if err != nil {
			return statusFailed, err
		}
		if wrong != nil {
			_, _ = fmt.Fprintln(out, wrong)
			return statusFaults, nil
		}
		games[i] = g
	}
	return printChanges(out, ruleset.Diff(ruleset.Of(games[0]), ruleset.Of(games[1]), games[1].Today(time.Now())), "the rules are the same")
}

// printChanges prints changes, or same if there are none.
func printChanges(out io.Writer, changes []ruleset.Change, same string) (int, error) {
	if len(changes) == 0 {
		_, _ = fmt.Fprintln(out, "unchanged:", same)
		return statusGood, nil
	}
	for _, c := range changes {
		printChange(out, c)
	}
	if ruleset.Worst(changes) == ruleset.Refused {
		return statusFaults, nil
	}
	return statusGood, nil
}

func printChange(out io.Writer, c ruleset.Change) {
	line := func(path, before, after string) {
		values := before + " -> " + after
		switch {
		case before == "":
			values = after
		case after == "":
			values = "removed"
		}
		_, _ = fmt.Fprintf(out, "%-11s  %s: %s\n", c.Effect, path, values)
	}
	if c.Path == "badges" {
		before, after := badgeRules(c.Old), badgeRules(c.New)
		for _, id := range slices.Sorted(maps.Keys(before)) {
			if before[id] != after[id] {
				line("badges."+id, before[id], after[id])
			}
		}
		for _, id := range slices.Sorted(maps.Keys(after)) {
			if before[id] == "" {
				line("badges."+id, "", after[id])
			}
		}
	} else {
		line(c.Path, c.Old, c.New)
	}
	if c.Why != "" {
		_, _ = fmt.Fprintf(out, "%-11s    %s\n", "", c.Why)
	}
	if c.Instead != "" {
		_, _ = fmt.Fprintf(out, "%-11s    instead: %s\n", "", c.Instead)
	}
}

// badgeStart finds where the rule of a badge begins in the text of all of them. In a title a
// quotation mark has a backslash before it.
var badgeStart = regexp.MustCompile(`(?:^|, )([a-z0-9_]+): "`)

// badgeRules takes the text of all badges of a game apart, by their ids.
func badgeRules(all string) map[string]string {
	rules := map[string]string{}
	starts := badgeStart.FindAllStringSubmatchIndex(all, -1)
	for i, at := range starts {
		end := len(all)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		rules[all[at[2]:at[3]]] = all[at[3]+len(": ") : end]
	}
	return rules
}
