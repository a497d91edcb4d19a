package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

const bansLong = `Lists banned players, newest first. Without a database it prints only their
number, since Redis has digests of their ids.
` + operatorToken + `
Exit status: 0 done, 2 failed.
`

const logLong = `Shows the audit log, newest first: bans, removals, deletions and manual runs. It
needs a database; without one, actions are lines in the functions' logs.
` + operatorToken + `
Exit status: 0 done, 2 failed.
`

// listFlags are the flags of commands that print a list.
type listFlags struct {
	url    string
	player string
	most   int
	more   url.Values // further parameters of some lists
}

// add adds the flags to those of a command.
func (f *listFlags) add(flags *pflag.FlagSet, c console, byPlayer bool) {
	addURL(flags, &f.url, c)
	flags.IntVarP(&f.most, "rows", "n", 100, "how many `rows` to print at most; 0 for all")
	if byPlayer {
		flags.StringVar(&f.player, "player", "", "only actions on or by a `player`")
	}
}

// pageRows is how many rows are asked for at once.
const pageRows = 1000

// pages reads pages until there are no more, or enough rows are read.
func (f *listFlags) pages(ctx context.Context, c console, path string, take func(body []byte) (rows int, next *string, err error)) error {
	if f.most < 0 {
		return fmt.Errorf("--rows %d: use a number of rows, or 0 for all", f.most)
	}
	for read, cursor := 0, ""; ; {
		query := url.Values{"limit": {strconv.Itoa(pageRows)}}
		if f.most > 0 {
			query.Set("limit", strconv.Itoa(min(pageRows, f.most-read)))
		}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		if f.player != "" {
			query.Set("player", f.player)
		}
		maps.Copy(query, f.more)
		body, err := askOperator(ctx, c, f.url, path, query)
		if err != nil {
			return err
		}
		rows, next, err := take(body)
		if err != nil {
			return fmt.Errorf("unexpected response to GET %s: %w", path, err)
		}
		read += rows
		if next == nil || f.most > 0 && read >= f.most {
			return nil
		}
		cursor = *next
	}
}

// rowsOf reads pages of an answer as pages does, and returns the rows of all of them. of takes a
// page's rows, and where the next page begins.
func rowsOf[Page, Row any](ctx context.Context, f *listFlags, c console, path string, of func(Page) (rows []Row, next *string)) ([]Row, error) {
	all := []Row{}
	err := f.pages(ctx, c, path, func(body []byte) (int, *string, error) {
		var page Page
		if err := json.Unmarshal(body, &page); err != nil {
			return 0, nil, err
		}
		rows, next := of(page)
		all = append(all, rows...)
		return len(rows), next, nil
	})
	return all, err
}

func bansCommand(c console) *cobra.Command {
	var f listFlags
	cmd, flags := define("bans [flags]", "list banned players", bansLong, 0)
	f.add(flags, c, false)
	form := addForm(cmd)
	return does(cmd, func(ctx context.Context, _ []string) (int, error) {
		var all playerdata.Bans
		bans, err := rowsOf(ctx, &f, c, "/v1/ops/bans", func(page playerdata.Bans) ([]game.Ban, *string) {
			all.Total, all.Source = page.Total, page.Source
			return page.Bans, page.Next
		})
		all.Bans = bans
		if err != nil {
			return statusFailed, err
		}
		if form.json() {
			return statusGood, writeJSON(c, all)
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		if len(all.Bans) > 0 {
			_, _ = fmt.Fprintln(w, "PLAYER\tSINCE\tBY\tREASON")
		}
		for _, b := range all.Bans {
			_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", b.Player, shortTime(b.At), b.By, oneLine(b.Reason))
		}
		if err := w.Flush(); err != nil {
			return statusFailed, err
		}
		note := ""
		if all.Source == "redis" {
			note = "; no database, and Redis has digests only"
		}
		c.notice(fmt.Sprintf("%d banned%s", all.Total, note))
		return statusGood, nil
	})
}

func logCommand(c console) *cobra.Command {
	var f listFlags
	cmd, flags := define("log [flags]", "show the audit log", logLong, 0)
	f.add(flags, c, true)
	form := addForm(cmd)
	return does(cmd, func(ctx context.Context, _ []string) (int, error) {
		acts, err := rowsOf(ctx, &f, c, "/v1/ops/log", func(page playerdata.Log) ([]playerdata.Act, *string) { return page.Entries, page.Next })
		if err != nil {
			return statusFailed, err
		}
		if form.json() {
			return statusGood, writeJSON(c, playerdata.Log{Entries: acts})
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(w, "WHEN\tWHO\tWHAT\tPLAYER\tOF\tDETAIL\tREQUEST")
		for _, act := range acts {
			// A part of an act has the id of its request, then words that OF shows already.
			request, _, _ := strings.Cut(act.ID, " ")
			_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
				shortTime(act.At), act.Actor, act.Action, act.Player, oneLine(act.Mode+" "+act.Date), act.Detail, request)
		}
		return statusGood, w.Flush()
	})
}

func shortTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}

// oneLine keeps typed text from spoiling a table or a terminal.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}
