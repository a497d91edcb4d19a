package redis

import (
	"context"

	"github.com/framedle/leaderboards/upstash"
)

// StreamEntry is an entry of a stream.
type StreamEntry struct {
	ID     string
	Fields map[string]string
}

// StreamInto keeps the answer of XRANGE or XREVRANGE.
func StreamInto(entries *[]StreamEntry) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		rows, err := r.Array()
		if err != nil {
			return err
		}
		read := make([]StreamEntry, len(rows))
		for i, row := range rows {
			pair, err := Values(row, 2, "an id and its fields")
			if err != nil {
				return err
			}
			if read[i].ID, err = pair[0].Text(); err != nil {
				return err
			}
			err = FieldsInto(func(fields map[string]string) error {
				read[i].Fields = fields
				return nil
			})(pair[1])
			if err != nil {
				return err
			}
		}
		*entries = read
		return nil
	}
}

// streamPage is how many entries of a stream are read at once.
const streamPage = 1000

// Oldest reads the first entries of a stream, oldest first.
//
// Cost: 1 billed command.
func (db *DB) Oldest(ctx context.Context, stream string) (entries []StreamEntry, err error) {
	reply, err := db.Redis.Do(ctx, upstash.Cmd("XRANGE", stream, "-", "+", "COUNT", Itoa(streamPage)))
	if err != nil {
		return nil, err
	}
	err = StreamInto(&entries)(reply)
	return entries, err
}

// DropEntries deletes entries from a stream that are kept elsewhere.
//
// Cost: 1 billed command.
func (db *DB) DropEntries(ctx context.Context, stream string, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := db.Redis.Do(ctx, upstash.Cmd(append([]string{"XDEL", stream}, ids...)...).Idempotent())
	return err
}
