// This file records how each scheduled function's runs end, so that an operator sees
// in the morning what was done at night. It also decides when a run is late. It must not
// know what a run does.

package status

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// maxError is how many bytes of an error are kept.
const maxError = 500

// Run is how one run ended.
type Run struct {
	Due          time.Time `json:"due"` // when the run was due
	Ended        time.Time `json:"ended"`
	Milliseconds int64     `json:"milliseconds"`
	Error        string    `json:"error,omitempty"` // empty where the run ended well
}

// Good reports whether the run ended well.
func (r Run) Good() bool { return r.Error == "" }

// LastRuns is the last runs of one function. The zero LastRuns belongs to a function that has
// never run.
type LastRuns struct {
	Last, LastGood Run
}

// Log stores runs in Redis.
type Log struct{ Redis *upstash.Client }

// goodField, after the function's name, is the field with its last good run.
const goodField = " good"

// Note records how a run ended. Cost: 1 billed command.
func (l Log) Note(ctx context.Context, function string, r Run) error {
	r.Error = strings.ToValidUTF8(r.Error[:min(len(r.Error), maxError)], "")
	record, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("note a run of %s: %w", function, err)
	}
	command := []string{"HSET", game.RunsKey, function, string(record)}
	if r.Good() {
		command = append(command, function+goodField, string(record))
	}
	if _, err = l.Redis.Do(ctx, upstash.Cmd(command...).Idempotent()); err != nil {
		return fmt.Errorf("note a run of %s: %w", function, err)
	}
	return nil
}

// Read returns the last runs, by function. Cost: 1 billed command.
func (l Log) Read(ctx context.Context) (map[string]LastRuns, error) {
	reply, err := l.Redis.Do(ctx, upstash.Cmd("HGETALL", game.RunsKey))
	if err != nil {
		return nil, fmt.Errorf("read the runs of schedules: %w", err)
	}
	flat, err := reply.Strings()
	if err != nil {
		return nil, fmt.Errorf("read the runs of schedules: %w", err)
	}
	all := map[string]LastRuns{}
	for i := 0; i+1 < len(flat); i += 2 {
		var r Run
		if err := json.Unmarshal([]byte(flat[i+1]), &r); err != nil {
			return nil, fmt.Errorf("read the runs of %s: %w", flat[i], err)
		}
		function, good := strings.CutSuffix(flat[i], goodField)
		past := all[function]
		if good {
			past.LastGood = r
		} else {
			past.Last = r
		}
		all[function] = past
	}
	return all, nil
}
