package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// mark is a record in the target while a move is under way.
type mark struct {
	From   string `json:"from"`   // the source
	Cursor string `json:"cursor"` // where the listing of its keys continues
	Keys   int64  `json:"keys"`   // copied so far
	Copied bool   `json:"copied"` // all keys were copied once; now they are compared
}

// ErrNotEmpty is returned for a target with keys that are not from this move.
var ErrNotEmpty = errors.New("the target is not empty")

// begin reads the mark of a move that was cut off, or marks an empty target.
func (o Options) begin(ctx context.Context) (mark, error) {
	result, err := o.To.Pipeline(ctx, upstash.Cmd("GET", game.MoveKey), upstash.Cmd("DBSIZE"))
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return mark{}, fmt.Errorf("look at the target: %w", err)
	}
	if result.Replies[0].IsNil() {
		keys, err := result.Replies[1].Int64()
		if err != nil {
			return mark{}, fmt.Errorf("look at the target: %w", err)
		}
		if keys > 0 {
			return mark{}, fmt.Errorf("%w: it has %d keys that this move did not write; use an empty database", ErrNotEmpty, keys)
		}
		m := mark{From: o.Source, Cursor: firstCursor}
		return m, m.write(ctx, o.To)
	}
	text, err := result.Replies[0].Text()
	if err != nil {
		return mark{}, fmt.Errorf("look at the target: %w", err)
	}
	var m mark
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return mark{}, fmt.Errorf("%w: its key %s is not a move's: %w", ErrNotEmpty, game.MoveKey, err)
	}
	if m.From != o.Source {
		return mark{}, fmt.Errorf("%w: a move from %s into it is in progress; finish that, or use another database", ErrNotEmpty, m.From)
	}
	return m, nil
}

func (m mark) write(ctx context.Context, to *upstash.Client) error {
	text, err := json.Marshal(m)
	if err == nil {
		_, err = to.Do(ctx, upstash.Cmd("SET", game.MoveKey, string(text)).Idempotent())
	}
	if err != nil {
		return fmt.Errorf("note how far the move has come: %w", err)
	}
	return nil
}
