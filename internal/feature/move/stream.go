package move

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/framedle/leaderboards/upstash"
)

// streamPage is the number of entries of a stream that are asked for at a time. An entry of
// the outbox may contain a batch of 1,000 scores: some 100 KB, and a page some 5 MB of the 10
// MB that Upstash transfers.
const streamPage = 50

// noEntryYet is the last id of a stream that has never had an entry.
const noEntryYet = "0-0"

// streamEnds reads the length of streams and the last id that each gave. The id of a deleted
// entry counts too: the product must not give it again, since the archive identifies a
// submission by it.
func streamEnds(ctx context.Context, at *upstash.Client, names []string, found map[string]key) error {
	var commands []upstash.Command
	for _, name := range names {
		commands = append(commands, upstash.Cmd("XINFO", "STREAM", name), upstash.Cmd("EXISTS", name))
	}
	if len(commands) == 0 {
		return nil
	}
	result, err := at.Pipeline(ctx, commands...)
	if err != nil {
		return err
	}
	for i, name := range names {
		if err := result.ErrOf(2 * i); err != nil {
			if there, _ := result.Replies[2*i+1].Int64(); there == 0 && result.ErrOf(2*i+1) == nil {
				delete(found, name) // deleted since it was listed
				continue
			}
			return err
		}
		k := found[name]
		groups := int64(0)
		parts, err := result.Replies[2*i].Array()
		for j := 0; err == nil && j+1 < len(parts); j += 2 {
			switch field, _ := parts[j].Text(); field {
			case "length":
				k.size, err = parts[j+1].Int64()
			case "last-generated-id":
				k.last, err = parts[j+1].Text()
			case "groups":
				groups, err = parts[j+1].Int64()
			}
		}
		if err != nil || k.last == "" {
			return unexpected("XINFO STREAM", err)
		}
		if groups > 0 || k.last == noEntryYet {
			return &UnknownTypeError{name, "stream with consumer groups"}
		}
		found[name] = k
	}
	return nil
}

// streamEntries parses the answer to XRANGE. The value of an entry is the JSON of its fields
// and their values.
func streamEntries(r upstash.Reply) (all []entry, err error) {
	rows, err := r.Array()
	if err != nil {
		return nil, unexpected("XRANGE", err)
	}
	for _, row := range rows {
		parts, err := row.Array()
		if err != nil || len(parts) != 2 {
			return nil, unexpected("XRANGE", err)
		}
		id, err := parts[0].Text()
		if err != nil {
			return nil, unexpected("XRANGE", err)
		}
		fields, err := parts[1].Strings()
		if err != nil {
			return nil, unexpected("XRANGE", err)
		}
		value, err := json.Marshal(fields)
		if err != nil {
			return nil, fmt.Errorf("entry %s: %w", id, err)
		}
		all = append(all, entry{id, string(value)})
	}
	return all, nil
}

// putEntries returns the commands that add a page of a stream under its ids. None may be sent
// twice: Redis refuses an id that it has.
func putEntries(key string, page []entry) (commands []upstash.Command, err error) {
	for _, e := range page {
		var fields []string
		if err := json.Unmarshal([]byte(e.value), &fields); err != nil {
			return nil, err
		}
		commands = append(commands, upstash.Cmd(append([]string{"XADD", key, e.name}, fields...)...))
	}
	return commands, nil
}

// endAt makes a stream give ids after its last one, if the entry with the last id was deleted:
// it adds that entry and deletes it again, since Upstash has no XSETID.
func endAt(k key) []upstash.Command {
	return []upstash.Command{upstash.Cmd("XADD", k.name, k.last, "moved", ""), upstash.Cmd("XDEL", k.name, k.last)}
}
