package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/framedle/leaderboards/internal/platform/progress"
)

const exportPlayerLong = `Exports a player's data as one JSON document, all pages of
GET /v1/ops/players/{player} together. An id without data, except for entries in the
audit log, gives "known": false.
` + operatorToken + `
Exit status: 0 done; 1 no data, and an existing file is left unchanged; 2 failed, and
no file is written.
`

func exportPlayerCommand(c console) *cobra.Command {
	var address, file string
	cmd, flags := define("export-player [flags] PLAYER", "export a player's data", exportPlayerLong, 1)
	addURL(flags, &address, c)
	flags.StringVarP(&file, "output", "o", "", "`file` to write (default standard output)")
	return does(cmd, func(ctx context.Context, plain []string) (int, error) {
		if len(plain) == 0 {
			return statusFailed, errors.New("missing PLAYER")
		}
		document, known, err := exportPlayer(ctx, c, address, plain[0])
		if err != nil {
			return statusFailed, err
		}
		nothing := "no data for " + plain[0] + " (the audit log may have entries)"
		if _, there := os.Stat(file); !known && there == nil {
			c.notice(nothing + "; " + file + " left unchanged")
			return statusFaults, nil
		}
		if file == "" {
			_, err = c.stdout.Write(document)
		} else {
			err = writeWhole(file, document)
		}
		if err != nil {
			return statusFailed, err
		}
		if !known {
			c.notice(nothing)
			return statusFaults, nil
		}
		return statusGood, nil
	})
}

// exportPlayer reads all pages and joins their lists: a list may continue on the next page, or
// begin on a later one. Sources is the same on all pages.
func exportPlayer(ctx context.Context, c console, address, player string) (document []byte, known bool, err error) {
	var rows atomic.Int64
	stop := progress.Show(progress.Options{Out: c.stderr, Terminal: c.terminal}, func() progress.State {
		return progress.State{Count: rows.Load(), Unit: "rows"}
	})
	defer stop()
	var whole map[string]json.RawMessage
	lists := map[string][]json.RawMessage{}
	for cursor := ""; ; {
		body, err := askOperator(ctx, c, address, "/v1/ops/players/"+player, cursorQuery(cursor))
		if err != nil {
			return nil, false, err
		}
		var page map[string]json.RawMessage
		if err := json.Unmarshal(body, &page); err != nil || page["next"] == nil {
			return nil, false, fmt.Errorf("unexpected response to GET /v1/ops/players: %.200q", body)
		}
		if whole == nil {
			whole = page
		}
		for name, value := range page {
			if name == "sources" || value[0] != '[' {
				continue
			}
			var more []json.RawMessage
			if err := json.Unmarshal(value, &more); err != nil {
				return nil, false, fmt.Errorf("read the list %s of the response: %w", name, err)
			}
			lists[name] = append(lists[name], more...)
			rows.Add(int64(len(more)))
		}
		var next *string
		if err := json.Unmarshal(page["next"], &next); err != nil {
			return nil, false, fmt.Errorf("read the next cursor: %w", err)
		}
		if next == nil {
			break
		}
		cursor = *next
	}
	for name, all := range lists {
		if all == nil {
			all = []json.RawMessage{}
		}
		if whole[name], err = json.Marshal(all); err != nil {
			return nil, false, err
		}
	}
	delete(whole, "next")
	raw, err := json.Marshal(whole)
	if err != nil {
		return nil, false, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return nil, false, err
	}
	out.WriteByte('\n')
	return out.Bytes(), string(whole["known"]) == "true", nil
}

func cursorQuery(cursor string) url.Values {
	if cursor == "" {
		return nil
	}
	return url.Values{"cursor": {cursor}}
}

const operatorToken = `
The operator's token is $OPS_TOKEN; without it, it comes from a product that
cmd/local runs on this machine.
`

// addURL adds the flag for the product's address.
func addURL(flags *pflag.FlagSet, address *string, c console) {
	flags.StringVar(address, "url", cmp.Or(c.getenv("LEADERBOARDS_URL"), "http://127.0.0.1:8080"), "`address` of the API; LEADERBOARDS_URL sets the default")
}

// writeWhole writes a file that only its owner may read, in one atomic step: a reader finds
// the old file or the new one.
func writeWhole(file string, data []byte) error {
	next, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = next.Write(data)
	err = errors.Join(err, next.Sync(), next.Close())
	if err == nil {
		err = os.Rename(next.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(next.Name()))
	}
	return nil
}
