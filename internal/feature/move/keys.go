package move

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

const (
	listed  = 500 // keys in a page of the listing, about
	handled = 50  // keys whose first pages are read in one round trip: a few MB
)

// noExpiry is what PEXPIRETIME answers for a key without an expiry.
const noExpiry = -1

// key is a key that exists.
type key struct {
	name string
	kind kind
	ends int64  // Unix milliseconds, or noExpiry
	size int64  // number of entries; 1 for a string
	last string // the last id that a stream gave
}

// UnknownTypeError is returned for a key of a type that the product does not keep.
type UnknownTypeError struct{ Key, Type string }

func (e *UnknownTypeError) Error() string {
	return fmt.Sprintf("the key %q is a %s, which the leaderboards never store: the source also has data of another program; move that separately and delete the key", e.Key, e.Type)
}

// page returns the names of some keys, without the mark, and the cursor of the next page; ""
// at the end.
func page(ctx context.Context, of *upstash.Client, cursor string) (names []string, next string, err error) {
	all, next, err := upstash.ScanKeys(ctx, of, "*", cursor, listed)
	if err != nil {
		return nil, "", err
	}
	for _, name := range all {
		if name != game.MoveKey {
			names = append(names, name)
		}
	}
	return names, next, nil
}

// look returns those of some keys that exist.
func look(ctx context.Context, at *upstash.Client, names []string) (map[string]key, error) {
	var commands []upstash.Command
	for _, name := range names {
		commands = append(commands, upstash.Cmd("TYPE", name), upstash.Cmd("PEXPIRETIME", name))
	}
	replies, err := pipeline(ctx, at, commands)
	if err != nil {
		return nil, err
	}
	found := map[string]key{}
	var sizes []upstash.Command
	var sized, streams []string
	for i, name := range names {
		typ, err := replies[2*i].Text()
		if err != nil {
			return nil, unexpected("TYPE", err)
		}
		if typ == "none" {
			continue
		}
		k, known := kinds[typ]
		if !known {
			return nil, &UnknownTypeError{name, typ}
		}
		ends, err := replies[2*i+1].Int64()
		if err != nil {
			return nil, unexpected("PEXPIRETIME", err)
		}
		if ends < noExpiry {
			continue // the key has just expired
		}
		found[name] = key{name: name, kind: k, ends: ends, size: 1}
		switch {
		case k.stream:
			streams = append(streams, name)
		case !k.isString():
			sizes, sized = append(sizes, upstash.Cmd(k.size, name)), append(sized, name)
		}
	}
	if replies, err = pipeline(ctx, at, sizes); err != nil {
		return nil, err
	}
	for i, name := range sized {
		k := found[name]
		if k.size, err = replies[i].Int64(); err != nil {
			return nil, unexpected(k.kind.size, err)
		}
		found[name] = k
	}
	if err := streamEnds(ctx, at, streams, found); err != nil {
		return nil, err
	}
	return found, nil
}

// contents calls f for each page of each key. It reads the first pages of all keys in one
// round trip.
func (r *run) contents(ctx context.Context, keys []key, f func(key, []entry) error) error {
	type more struct {
		key
		cursor string
	}
	open := make([]more, len(keys))
	for i, k := range keys {
		open[i] = more{k, firstCursor}
	}
	for len(open) > 0 {
		var commands []upstash.Command
		for _, k := range open {
			commands = append(commands, k.kind.read(k.key, k.cursor))
		}
		replies, err := pipeline(ctx, r.From, commands)
		if err != nil {
			return err
		}
		var rest []more
		var hashes []hashPage
		for i, k := range open {
			page, next, err := k.kind.entries(replies[i])
			if err != nil {
				return fmt.Errorf("read %s: %w", k.name, err)
			}
			if k.kind.ending && len(page) > 0 {
				hashes = append(hashes, hashPage{k.name, page})
			}
			if len(page) > 0 {
				if err := f(k.key, page); err != nil {
					return err
				}
			}
			if next != "" {
				rest = append(rest, more{k.key, next})
			}
		}
		if err := r.refuseFieldEnds(ctx, hashes); err != nil {
			return err
		}
		open = rest
	}
	return nil
}

func pipeline(ctx context.Context, c *upstash.Client, commands []upstash.Command) ([]upstash.Reply, error) {
	result, err := c.Pipeline(ctx, commands...)
	if err == nil {
		err = result.Err()
	}
	return result.Replies, err
}

func unexpected(command string, err error) error {
	if err != nil {
		return fmt.Errorf("answer to %s: %w", command, err)
	}
	return fmt.Errorf("the answer to %s is not one of Redis'", command)
}
