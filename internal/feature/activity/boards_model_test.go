package activity_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// campus makes processes of games/campus.yaml.
func (k *kit) campus() *kit {
	text, err := games.FS.ReadFile("campus.yaml")
	require.NoError(k.tb, err)
	k.game = loadGame(k.tb, string(text))
	k.clock.Stop()
	return k
}

func message(id string, at time.Time, from, to string) activity.Event {
	return activity.Event{ID: id, Type: "chat.message", At: at, Group: "irvine", From: from, To: to}
}

// points returns a board's players with their points, as "a 1.5 b 0.3".
func (k *kit) points(p *process, mode string, d game.Date, scope game.Scope) string {
	m := k.mode(mode)
	entries := slices.Clone(wholeBoard(k.tb, p, game.BoardOf(m, game.Day.Of(d), scope), 100))
	slices.SortFunc(entries, func(a, b game.Entry) int { return slices.Compare([]byte(a.Player), []byte(b.Player)) })
	text := ""
	for _, e := range entries {
		text += " " + e.Player + " " + m.FormatScore(e.Score)
	}
	return text
}

func (k *kit) take(p *process, events ...activity.Event) activity.BatchResult {
	k.tb.Helper()
	taken, err := p.activity.Take(k.tb.Context(), events)
	require.NoError(k.tb, err)
	return taken
}

func (k *kit) compute(p *process) []activity.Computed {
	k.tb.Helper()
	computed, err := p.activity.Compute(k.tb.Context())
	require.NoError(k.tb, err)
	return computed
}

func TestActsBecomeBoardsWhateverIsToldTwice(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.campus()
		p, q := k.process(), k.process()
		d := game.DateOf(noon)
		at := noon.Add(8 * time.Hour) // noon in Irvine
		k.clock.Set(at.Add(time.Minute))
		events := []activity.Event{
			message("m1", at, "a", "b"), message("m2", at, "a", "c"), message("m3", at, "b", "a"),
			{ID: "g1", Type: "activities.ended", At: at, Group: "irvine", Users: []string{"a", "b"}, Winner: "b"},
			{ID: "h1", Type: "presence.heartbeat", At: at, Group: "irvine", User: "idle"},
			{ID: "h2", Type: "presence.heartbeat", At: at.Add(time.Second), Group: "irvine", User: "idle"},
			{ID: "l1", Type: "rooms.created", At: at, Group: "lisbon", User: "l"},
		}
		taken := k.take(p, events...)
		require.Equal(t, 6, taken.New, "both heartbeats are one act")
		require.Empty(t, taken.Refused)
		require.Equal(t, 0, k.take(q, events[2:]...).New)

		computed := k.compute(q)
		require.Equal(t, []activity.Computed{
			{Group: "irvine", Date: d.String(), Players: 4, Boards: 8}, {Group: "lisbon", Date: d.String(), Players: 1, Boards: 8},
		}, computed)
		irvine := group(t, "irvine")
		require.Equal(t, " a 0.6 b 0.3 c 0 idle 0", k.points(p, "social", d, irvine))
		require.Equal(t, " a 2 b 5 c 0 idle 0", k.points(p, "engagement", d, irvine))
		require.Equal(t, " a 1 b 1 c 1 idle 0", k.points(p, "popularity", d, irvine))
		require.Equal(t, " a 3.6 b 6.3 c 1 idle 0", k.points(p, "overall", d, irvine))
		require.Equal(t, " a 3.6 b 6.3 c 1 idle 0 l 2", k.points(p, "overall", d, game.Scope{}))
		require.Empty(t, k.compute(p), "nothing has changed")

		k.take(q, events...)
		k.compute(p)
		require.Equal(t, " a 3.6 b 6.3 c 1 idle 0 l 2", k.points(p, "overall", d, game.Scope{}))
		k.take(q, message("m4", at.Add(time.Second), "c", "a"))
		k.compute(q)
		require.Equal(t, " a 4.6 b 6.3 c 1.3 idle 0 l 2", k.points(q, "overall", d, game.Scope{}))
	})
}

func TestAnEventThatCannotCountSaysWhy(t *testing.T) {
	k := newKit(t, "").campus()
	p := k.process()
	now := k.clock.Now()
	require.NoError(t, p.Notices.Ban(t.Context(), "banned"))
	k.redis.Do("SADD", game.DeletedKey, game.BanMember("deleted"))
	good := message("e", now, "a", "b")
	with := func(change func(*activity.Event)) activity.Event {
		e := good
		change(&e)
		return e
	}
	cases := []struct {
		event activity.Event
		want  activity.Reason
	}{
		{with(func(e *activity.Event) { e.ID = "" }), activity.BadID},
		{with(func(e *activity.Event) { e.ID = "two words" }), activity.BadID},
		{with(func(e *activity.Event) { e.ID = "-" }), activity.BadID},
		{with(func(e *activity.Event) { e.Type = "chat.shout" }), activity.UnknownType},
		{with(func(e *activity.Event) { e.Group = "" }), activity.UnknownGroup},
		{with(func(e *activity.Event) { e.Group = "no group" }), activity.UnknownGroup},
		{with(func(e *activity.Event) { e.To = "" }), activity.BadPlayers},
		{with(func(e *activity.Event) { e.To = "a" }), activity.BadPlayers},
		{with(func(e *activity.Event) { e.From = "a b" }), activity.BadPlayers},
		{with(func(e *activity.Event) { e.Winner = "a" }), activity.BadPlayers},
		{activity.Event{ID: "e", Type: "activities.ended", At: now, Group: "irvine", Users: []string{"a"}}, activity.BadPlayers},
		{activity.Event{ID: "e", Type: "activities.ended", At: now, Group: "irvine", Users: []string{"a", "b"}, Winner: "c"}, activity.BadPlayers},
		{with(func(e *activity.Event) { e.At = time.Time{} }), activity.BadTime},
		{with(func(e *activity.Event) { e.At = now.Add(time.Hour) }), activity.Future},
		{with(func(e *activity.Event) { e.At = now.AddDate(0, 0, -9) }), activity.Sealed},
		{with(func(e *activity.Event) { e.From = "banned" }), activity.Banned},
		{with(func(e *activity.Event) { e.To = "deleted" }), activity.Deleted},
	}
	var events []activity.Event
	for _, tt := range cases {
		events = append(events, tt.event)
	}
	taken := k.take(p, append(events, good)...)
	require.Equal(t, 1, taken.New, "what is refused spoils nothing else")
	require.Len(t, taken.Refused, len(cases))
	for i, refusal := range taken.Refused {
		require.Equal(t, i, refusal.Index)
		require.Equal(t, cases[i].want, refusal.Reason, refusal.Detail)
		require.NotEmpty(t, refusal.Detail)
	}
	k.compute(p)
	require.Equal(t, " a 0.3 b 1", k.points(p, "overall", game.DateOf(now), game.Scope{}))
}

// Acts of a day that arrive late change the streaks, and so the points, of all days that
// follow it, in whatever group they are.
func TestALateEventChangesWhatItWouldHaveChangedInTime(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.campus()
		p := k.process()
		first := noon.Add(8 * time.Hour)
		d := game.DateOf(first)
		for day := range 5 {
			at := first.AddDate(0, 0, day)
			k.clock.Set(at.Add(time.Minute))
			if day == 1 {
				continue // sent at the end
			}
			in := "irvine"
			if day == 3 {
				in = "lisbon"
			}
			k.take(p, activity.Event{ID: fmt.Sprint("f", day), Type: "friendships.accepted", At: at, Group: in, Users: []string{"a", fmt.Sprint("b", day)}})
			k.compute(p)
		}
		overall := func(day int) string {
			return k.points(p, "overall", d.AddDays(day), game.Scope{})
		}
		require.Equal(t, " a 5.09 b3 5", overall(3))
		require.Equal(t, " a 5.17 b4 5", overall(4))
		k.take(p, activity.Event{ID: "f1", Type: "friendships.accepted", At: first.AddDate(0, 0, 1), Group: "irvine", Users: []string{"a", "b1"}})
		computed := k.compute(p)
		require.Len(t, computed, 4, "each day from the late one on")
		require.True(t, computed[0].Final)
		require.False(t, computed[3].Final)
		require.Equal(t, " a 5.09 b1 5", overall(1))
		require.Equal(t, " a 5.17 b2 5", overall(2))
		require.Equal(t, " a 5.26 b3 5", overall(3))
		require.Equal(t, " a 5.34 b4 5", overall(4))
	})
}

// A burst continues over midnight, also if its first half is sent last.
func TestABurstGoesOnOverMidnight(t *testing.T) {
	k := newKit(t, "").campus()
	p := k.process()
	midnight := time.Date(2026, 11, 19, 8, 0, 0, 0, time.UTC) // in Irvine
	tomorrow := game.NewDate(2026, 11, 19)
	k.clock.Set(midnight.Add(time.Minute))
	k.take(p, message("early", midnight.Add(-time.Hour), "b", "a"), message("after", midnight.Add(2*time.Second), "a", "b"))
	k.compute(p)
	require.Equal(t, " a 0.31 b 1.02", k.points(p, "overall", tomorrow, game.Scope{}), "on the second day of a streak")
	var before []activity.Event
	for i := range 50 {
		before = append(before, message(fmt.Sprint("before", i), midnight.Add(-time.Second), "a", "b"))
	}
	k.take(p, before...)
	k.compute(p)
	require.Equal(t, " a 0 b 0", k.points(p, "overall", tomorrow, game.Scope{}))
	require.Equal(t, " a 16 b 1.3", k.points(p, "overall", tomorrow.AddDays(-1), game.Scope{}))
	k.take(p, message("again", midnight.Add(9*time.Second), "a", "b"))
	k.compute(p)
	require.Equal(t, " a 0.31 b 1.02", k.points(p, "overall", tomorrow, game.Scope{}))
}

// Events of a sender that sends far too many are refused, without harm to other senders.
// Events that only show presence may be sent as often as wanted.
func TestAFloodOfOneSenderEnds(t *testing.T) {
	k := newKit(t, "").campus()
	k.ageless()
	p := k.process()
	refused := 0
	batch := make([]activity.Event, activity.MostEvents)
	for n := range 102 {
		for i := range batch {
			batch[i] = activity.Event{ID: fmt.Sprint(n, "-", i), Type: "rooms.join", At: noon, Group: "irvine", User: "wild"}
		}
		taken := k.take(p, batch...)
		refused += len(taken.Refused)
		for _, refusal := range taken.Refused {
			require.Equal(t, activity.TooMany, refusal.Reason)
		}
	}
	require.Equal(t, 1000, refused)
	require.Empty(t, k.take(p, message("m", noon, "a", "wild"), activity.Event{ID: "h", Type: "presence.heartbeat", At: noon, Group: "irvine", User: "b"}).Refused)
	k.compute(p)
	require.Equal(t, " a 0.3 b 0 wild 7", k.points(p, "overall", game.DateOf(noon), game.Scope{}))
}

// No act of an erased player is left, and no other player has points from one.
func TestWhoIsErasedLeavesNoAct(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.campus()
		p := k.process()
		at := noon.Add(8 * time.Hour)
		k.clock.Set(at.Add(25 * time.Hour))
		d := game.DateOf(at)
		k.take(p, message("1", at, "a", "b"), message("2", at, "b", "a"), message("3", at, "b", "c"))
		k.compute(p)
		k.take(p, message("4", at.AddDate(0, 0, 1), "c", "a"), message("5", at.AddDate(0, 0, 1), "b", "c")) // not computed
		_, err := p.Repair.Erase(t.Context(), "a", lifecycle.Erasure{})
		require.NoError(t, err)
		for range 2 {
			require.NoError(t, p.activity.Erase(t.Context(), "a"))
			k.compute(p)
			require.Equal(t, " b 0.3 c 1", k.points(p, "overall", d, game.Scope{}))
			require.Equal(t, " b 0.31 c 1.02", k.points(p, "overall", d.AddDays(1), group(t, "irvine")))
		}
		for _, key := range []string{activity.ActsKey("irvine", d), activity.ActsKey("irvine", d.AddDays(1)), activity.ActiveKey(d)} {
			require.NotContains(t, fmt.Sprint(k.redis.Do("ZRANGE", key, "0", "-1")), " a", key)
		}
	})
}
