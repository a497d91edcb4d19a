package activity

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// mostDead is how many dead letters are kept; older ones are deleted.
const mostDead = 10_000

// Streamed is the result of reading the streams.
type Streamed struct {
	Entries int `json:"entries"` // read, including those that do not count
	New     int `json:"new"`     // acts that were not known
	Dead    int `json:"dead"`    // entries that became dead letters
	// Read is how many entries were read of each stream that had any.
	Read map[string]int `json:"read,omitempty"`
	// Lag is the age in seconds of the newest entry that was read, for each stream that had
	// any.
	Lag map[string]float64 `json:"lag,omitempty"`
}

// deadLetter is a stored entry that does not count.
type deadLetter struct {
	Stream string            `json:"stream"`
	ID     string            `json:"id"`
	Fields map[string]string `json:"fields"`
	Reason Reason            `json:"reason"`
	Detail string            `json:"detail"`
}

// TakeStreams takes the entries of the rules' streams from where the last reading ended. It
// writes the new position after it has taken the entries. If it is interrupted in between, or
// runs concurrently, it takes the same entries twice, which changes nothing. Entries that do
// not count become dead letters, with the reason.
//
// Cost: nothing without streams; 1 billed command and 1 for each stream; for every 500
// entries that of Take, 1 for each stream that had as many, and 1, or 3 with dead letters.
func (a *Activity) TakeStreams(ctx context.Context) (Streamed, error) {
	s := Streamed{Read: map[string]int{}, Lag: map[string]float64{}}
	if len(a.rules.Streams) == 0 {
		return s, nil
	}
	positions := map[string]string{}
	var p redis.Pipeline
	p.Add(upstash.Cmd("HGETALL", StreamsKey), redis.FieldsInto(func(fields map[string]string) error {
		positions = fields
		return nil
	}))
	if _, err := p.Run(ctx, a.DB.Redis); err != nil {
		return s, redis.Wrap("look how far streams were read", err)
	}
	for streams := a.rules.Streams; len(streams) > 0; {
		more, err := a.takePages(ctx, streams, positions, &s)
		if err != nil {
			return s, redis.Wrap("read streams", err)
		}
		streams = more
	}
	return s, nil
}

// takePages takes one page of each stream, and returns the streams that have more.
func (a *Activity) takePages(ctx context.Context, streams []StreamRule, positions map[string]string, s *Streamed) (more []StreamRule, err error) {
	pages := make([][]redis.StreamEntry, len(streams))
	var p redis.Pipeline
	for i, stream := range streams {
		from := "-"
		if last := positions[stream.Key]; last != "" {
			from = "(" + last
		}
		p.Add(upstash.Cmd("XRANGE", stream.Key, from, "+", "COUNT", redis.Itoa(MostEvents)), redis.StreamInto(&pages[i]))
	}
	if _, err := p.Run(ctx, a.DB.Redis); err != nil {
		return nil, err
	}
	var dead []string
	moved := []string{"HSET", StreamsKey}
	for i, stream := range streams {
		if len(pages[i]) == 0 {
			continue
		}
		letters, err := a.takePage(ctx, stream, pages[i], s)
		if err != nil {
			return nil, err
		}
		dead = append(dead, letters...)
		last := pages[i][len(pages[i])-1].ID
		positions[stream.Key] = last
		moved = append(moved, stream.Key, last)
		if at, ok := moment(last); ok {
			s.Lag[stream.Key] = a.DB.Now().Sub(at).Seconds()
		}
		if len(pages[i]) == MostEvents {
			more = append(more, stream)
		}
	}
	if len(moved) == 2 {
		return nil, nil
	}
	var note redis.Pipeline
	if len(dead) > 0 {
		note.Add(upstash.Cmd(append([]string{"RPUSH", DeadActsKey}, dead...)...), nil)
		note.Add(upstash.Cmd("LTRIM", DeadActsKey, redis.Itoa(-mostDead), "-1").Idempotent(), nil)
	}
	note.Add(upstash.Cmd(moved...).Idempotent(), nil)
	_, err = note.Run(ctx, a.DB.Redis)
	return more, err
}

// takePage takes entries of a stream, and returns dead letters for those that do not count.
func (a *Activity) takePage(ctx context.Context, stream StreamRule, page []redis.StreamEntry, s *Streamed) (dead []string, err error) {
	s.Entries += len(page)
	s.Read[stream.Key] += len(page)
	var events []Event
	var of []redis.StreamEntry
	bury := func(e redis.StreamEntry, why Refusal) error {
		letter, err := json.Marshal(deadLetter{stream.Key, e.ID, e.Fields, why.Reason, why.Detail})
		dead = append(dead, string(letter))
		s.Dead++
		return err
	}
	for _, e := range page {
		kind, counts := stream.Type(e.Fields["event"])
		if !counts {
			continue
		}
		event, refusal := eventOf(stream.Key, kind, e)
		if refusal != nil {
			if err := bury(e, *refusal); err != nil {
				return nil, err
			}
			continue
		}
		events, of = append(events, event), append(of, e)
	}
	if len(events) == 0 {
		return dead, nil
	}
	taken, err := a.Take(ctx, events)
	if err != nil {
		return nil, err
	}
	s.New += taken.New
	for _, why := range taken.Refused {
		if err := bury(of[why.Index], why); err != nil {
			return nil, err
		}
	}
	return dead, nil
}

// eventOf reads an entry. Fields that the entry lacks follow from its id in the stream: the
// event's id and its time.
func eventOf(stream, kind string, e redis.StreamEntry) (Event, *Refusal) {
	f := e.Fields
	event := Event{
		ID: cmp.Or(f["id"], stream+":"+e.ID), Type: kind, Group: cmp.Or(f["group"], f["campus_id"]),
		From: f["from"], To: f["to"], User: cmp.Or(f["user"], f["user_id"]), Winner: f["winner"],
	}
	switch {
	case f["users"] != "":
		event.Users = usersOf(f["users"])
	case f["user_a"] != "" || f["user_b"] != "":
		event.Users = []string{f["user_a"], f["user_b"]}
	}
	if text := f["at"]; text != "" {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return event, refuse(BadTime, "%.60q is not a time such as 2004-04-15T14:56:01Z", text)
		}
		event.At = at
		return event, nil
	}
	at, ok := moment(e.ID)
	if !ok {
		return event, refuse(BadTime, "neither the entry nor its id says when")
	}
	event.At = at
	return event, nil
}

// usersOf are the players in a field that lists several.
func usersOf(field string) []string {
	return strings.FieldsFunc(field, func(r rune) bool { return r == ',' || r == ' ' })
}

// moment is when an entry was written, from its id.
func moment(id string) (time.Time, bool) {
	ms, _, _ := strings.Cut(id, "-")
	n, err := strconv.ParseInt(ms, 10, 64)
	return time.UnixMilli(n).UTC(), err == nil
}
