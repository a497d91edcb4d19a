package activity_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
)

func (k *kit) add(stream string, at time.Time, words ...string) {
	k.redis.Do(append([]string{"XADD", stream, fmt.Sprintf("%d-*", at.UnixMilli())}, words...)...)
}

func (k *kit) stream(p *process) activity.Streamed {
	k.tb.Helper()
	s, err := p.activity.TakeStreams(k.tb.Context())
	require.NoError(k.tb, err)
	return s
}

func TestStreamsAreReadFromWhereTheLastReadingEnded(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.campus()
		p, q := k.process(), k.process()
		at := noon.Add(8 * time.Hour)
		d := game.DateOf(at)
		k.clock.Set(at.Add(time.Minute))
		require.Equal(t, activity.Streamed{Read: map[string]int{}, Lag: map[string]float64{}}, k.stream(p))
		k.add("x:invites.events", at, "event", "sent", "from", "a", "to", "b", "group", "irvine")
		k.add("x:invites.events", at, "event", "accepted", "from", "a", "to", "b", "campus_id", "irvine")
		k.add("x:friendships.events", at, "event", "accepted", "user_a", "a", "user_b", "b", "group", "irvine")
		k.add("x:chat.events", at, "event", "msg:new", "convo_id", "7", "from", "b", "to", "a", "group", "irvine", "at", at.Add(-time.Hour).Format(time.RFC3339))
		k.add("x:roomchat.events", at, "event", "msg:new", "room_id", "7", "user_id", "c", "group", "irvine")
		k.add("x:rooms.events", at, "event", "join", "user_id", "c", "group", "irvine")
		k.add("x:rooms.events", at, "event", "leave", "user_id", "c", "group", "irvine")
		k.add("x:activities.events", at, "event", "ended", "users", "a,b", "winner", "b", "group", "irvine")
		k.add("x:presence.heartbeats", at, "user_id", "idle", "group", "irvine")
		k.add("x:rooms.events", at, "event", "created", "user_id", "no group") // of none
		s := k.stream(p)
		require.Equal(t, 10, s.Entries)
		require.Equal(t, 7, s.New)
		require.Equal(t, 3, s.Read["x:rooms.events"])
		require.Equal(t, 1, s.Dead)
		require.InDelta(t, 60, s.Lag["x:chat.events"], 0)
		k.compute(p)
		// a: 3 + 5, 2; b: 0.3 + 5, 2 + 3; each has one sender or accepter of the other.
		require.Equal(t, " a 11 b 12.3 c 1.15 idle 0", k.points(p, "overall", d, group(t, "irvine")))

		dead := k.redis.Do("LRANGE", activity.DeadActsKey, "0", "-1").([]any)
		require.Len(t, dead, 1)
		var letter struct{ Stream, Reason, Detail string }
		require.NoError(t, json.Unmarshal([]byte(fmt.Sprint(dead[0])), &letter))
		require.Equal(t, "x:rooms.events", letter.Stream)
		require.Equal(t, "unknown_group", letter.Reason)

		require.NoError(t, p.activity.Erase(t.Context(), "no group")) // no player has such an id
		require.NoError(t, p.activity.Erase(t.Context(), "nobody"))
		require.Equal(t, "1", fmt.Sprint(k.redis.Do("LLEN", activity.DeadActsKey)))

		require.Zero(t, k.stream(q).Entries, "another process goes on from there")
		k.redis.Do("DEL", activity.StreamsKey) // as if the run had been cut off before it noted that they are read
		again := k.stream(q)
		require.Equal(t, 10, again.Entries)
		require.Zero(t, again.New)
		k.compute(q)
		require.Equal(t, " a 11 b 12.3 c 1.15 idle 0", k.points(q, "overall", d, group(t, "irvine")))
	})
}

func TestDeadLettersOfWhoIsErasedGo(t *testing.T) {
	k := newKit(t, "").campus()
	p := k.process()
	k.clock.Set(noon.Add(time.Minute))
	k.add("x:rooms.events", noon, "event", "created", "user_id", "a", "group", "no group")
	k.add("x:activities.events", noon, "event", "ended", "users", "b,a,c", "group", "irvine")
	k.add("x:rooms.events", noon, "event", "created", "user_id", "b", "group", "no group")
	require.Equal(t, 3, k.stream(p).Dead)
	require.NoError(t, p.activity.Erase(t.Context(), "a"))
	require.Equal(t, "1", fmt.Sprint(k.redis.Do("LLEN", activity.DeadActsKey)))
}

func TestALongStreamIsReadToItsEnd(t *testing.T) {
	k := newKit(t, "").campus()
	k.ageless()
	p := k.process()
	at := noon.Add(8 * time.Hour)
	k.clock.Set(at.Add(time.Hour))
	for i := range 1200 {
		k.add("x:rooms.events", at.Add(time.Duration(i)*time.Second), "event", "join", "user_id", fmt.Sprint("u", i%50), "group", "irvine")
	}
	k.stream(k.process())
	require.Equal(t, "1200", fmt.Sprint(k.redis.Do("ZCARD", activity.ActsKey("irvine", game.DateOf(at)))))
	k.add("x:rooms.events", at.Add(time.Hour), "event", "join", "user_id", "u1", "group", "irvine")
	require.Equal(t, 1, k.stream(p).New)
}
