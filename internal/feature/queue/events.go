package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/platform/host"
)

// Acts takes events, see [activity.Activity.Take].
type Acts interface {
	Take(ctx context.Context, events []activity.Event) (activity.BatchResult, error)
}

// Events takes messages of events from the queue. The body of such a message is that of POST
// /v1/events.
type Events struct {
	Acts Acts // nil: the game has no activity
	Log  *slog.Logger
}

// holdsEvents reports whether a message has events; a message of a score has no such field.
func holdsEvents(body string) bool {
	var shape struct {
		Events json.RawMessage `json:"events"`
	}
	return strings.Contains(body, `"events"`) && json.Unmarshal([]byte(body), &shape) == nil && shape.Events != nil
}

var errNoActivity = errors.New("the game has no activity, which events would count for")

// readEvents reads the body of a message: 1 to 500 events. An event that cannot be read is
// refused without affecting the others.
func readEvents(body string) (events []activity.Event, refused []activity.Refusal, err error) {
	var batch map[string]json.RawMessage
	var items []json.RawMessage
	if err := json.Unmarshal([]byte(body), &batch); err != nil {
		return nil, nil, err
	}
	switch {
	case len(batch) > 1:
		return nil, nil, errors.New("there are fields other than events")
	case json.Unmarshal(batch["events"], &items) != nil:
		return nil, nil, errors.New("events must be an array")
	case len(items) == 0 || len(items) > activity.MostEvents:
		return nil, nil, fmt.Errorf("there are %d events in a message; put 1 to %d into it", len(items), activity.MostEvents)
	}
	for i, item := range items {
		e, unreadable := activity.Read(item)
		if unreadable != nil {
			unreadable.Index = i
			refused = append(refused, *unreadable)
			continue
		}
		events = append(events, e)
	}
	return events, refused, nil
}

// Take takes the messages of events among the messages, several of them in one batch. It
// returns the other messages; the ids of messages to deliver again, because they cannot be
// written now; and the reasons why some can never be read. Events that the rules refuse are
// logged and done. A message that arrives twice changes nothing.
//
// Cost: that of [activity.Activity.Take] for every 500 events; messages that cannot be read
// cost nothing.
func (in Events) Take(ctx context.Context, messages []host.QueueMessage) (others []host.QueueMessage, again []string, dead map[string]string) {
	dead = map[string]string{}
	var ids []string
	var batch []activity.Event
	write := func() {
		if err := in.write(ctx, batch); err != nil {
			again = append(again, ids...)
			in.Log.LogAttrs(ctx, slog.LevelError, "queued events could not be written: they are retried",
				slog.Int("messages", len(ids)), slog.Int("events", len(batch)), slog.String("error", err.Error()))
		}
		ids, batch = nil, nil
	}
	for _, m := range messages {
		if !holdsEvents(m.Body) {
			others = append(others, m)
			continue
		}
		if in.Acts == nil {
			dead[m.ID] = errNoActivity.Error()
			continue
		}
		events, refused, err := readEvents(m.Body)
		if err != nil {
			dead[m.ID] = err.Error()
			continue
		}
		in.log(ctx, refused)
		if len(batch)+len(events) > activity.MostEvents {
			write()
		}
		ids, batch = append(ids, m.ID), append(batch, events...)
	}
	write()
	return others, again, dead
}

func (in Events) write(ctx context.Context, batch []activity.Event) error {
	if len(batch) == 0 {
		return nil
	}
	taken, err := in.Acts.Take(ctx, batch)
	if err == nil {
		in.log(ctx, taken.Refused)
	}
	return err
}

// log logs how many events were refused for each reason.
func (in Events) log(ctx context.Context, refused []activity.Refusal) {
	reasons := map[activity.Reason]int{}
	for _, r := range refused {
		reasons[r.Reason]++
	}
	for reason, events := range reasons {
		in.Log.LogAttrs(ctx, slog.LevelWarn, "queued events were rejected", slog.String("reason", string(reason)), slog.Int("events", events))
	}
}
