package move

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/upstash"
)

// copyAll copies every key of the source, beginning where the mark says.
func (r *run) copyAll(ctx context.Context) error {
	for !r.mark.Copied {
		names, next, err := page(ctx, r.From, r.mark.Cursor)
		if err != nil {
			return err
		}
		if err := r.eachKey(ctx, names, r.copyKeys); err != nil {
			return err
		}
		r.mark.Cursor, r.mark.Keys = next, r.mark.Keys+int64(len(names))
		r.mark.Copied = next == ""
		if err := r.mark.write(ctx, r.To); err != nil {
			return err
		}
		r.reportProgress(Progress{Keys: r.mark.Keys, Total: r.total})
	}
	return nil
}

// eachKey looks the named keys up and calls f with as many as are handled at once.
func (r *run) eachKey(ctx context.Context, names []string, f func(context.Context, []key) error) error {
	for some := range slices.Chunk(names, handled) {
		found, err := look(ctx, r.From, some)
		if err != nil {
			return fmt.Errorf("look at the source: %w", err)
		}
		var keys []key
		for _, name := range some {
			if k, ok := found[name]; ok {
				keys = append(keys, k)
				delete(found, name) // a listing may name a key twice
			}
		}
		if err := f(ctx, keys); err != nil {
			return err
		}
	}
	return nil
}

// copyKeys makes keys in the target equal to those in the source.
func (r *run) copyKeys(ctx context.Context, keys []key) error {
	var writes []upstash.Command
	for _, k := range keys {
		writes = append(writes, upstash.Cmd("DEL", k.name).Idempotent())
	}
	entries := 0
	flush := func() error {
		_, err := pipeline(ctx, r.To, writes)
		writes, entries = nil, 0
		return err
	}
	ended := map[string]string{} // streams, by the id of the last entry written
	err := r.contents(ctx, keys, func(k key, page []entry) error {
		puts, err := k.kind.put(k.name, page)
		if err != nil {
			return err
		}
		writes = append(writes, puts...)
		r.report.Entries += int64(len(page))
		weight := len(page)
		if k.kind.stream {
			ended[k.name] = page[len(page)-1].name
			weight *= pageSize / streamPage
		}
		if entries += weight; entries >= handled*pageSize/10 {
			return flush()
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("copy keys: %w", err)
	}
	for _, k := range keys {
		if k.kind.stream && ended[k.name] != k.last {
			writes = append(writes, endAt(k)...)
		}
		if k.ends != noExpiry {
			writes = append(writes, upstash.Cmd("PEXPIREAT", k.name, strconv.FormatInt(k.ends, 10)).Idempotent())
		}
	}
	if err := flush(); err != nil {
		return fmt.Errorf("write keys to the target: %w", err)
	}
	return nil
}
