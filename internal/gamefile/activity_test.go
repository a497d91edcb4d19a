package gamefile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
)

func TestTheCampusIsTheOneOfItsFounders(t *testing.T) {
	text, err := games.FS.ReadFile("campus.yaml")
	require.NoError(t, err)
	g, err := parsed(t, "games/campus.yaml", text)
	require.NoError(t, err)
	a := activity.RulesOf(g)
	require.Equal(t, activity.Burst{Most: 50, Within: 10 * time.Second}, a.Burst)
	require.Equal(t, []string{"social", "engagement", "popularity", "overall"}, a.Modes())
	require.Equal(t, "America/Los_Angeles", a.Zone("irvine"))
	require.Equal(t, "UTC", a.Zone("elsewhere"))
	require.Len(t, a.Events, 8)
	require.Len(t, a.Streams, 7)
	kind, counts := a.Streams[2].Type("msg:new")
	require.Equal(t, "chat.message", kind)
	require.True(t, counts)
	_, counts = a.Streams[2].Type("msg:deleted")
	require.False(t, counts)
	kind, _ = a.Streams[6].Type("")
	require.Equal(t, "presence.heartbeat", kind)
	require.Equal(t, activity.Overall{Mode: "overall", Days: 30, Times: 1_500_000}, a.Overall)
	worth := map[string][2]int64{}
	for _, p := range a.Pillars {
		for _, term := range p.Terms {
			worth[p.Mode+"."+term.Counter] = [2]int64{term.Weight, term.Cap}
		}
	}
	require.Equal(t, map[string][2]int64{
		"social.invites_accepted": {3_000_000, 0}, "social.friends_new": {5_000_000, 0},
		"social.dm_sent": {300_000, 60}, "social.room_sent": {150_000, 80},
		"engagement.acts_played": {2_000_000, 0}, "engagement.acts_won": {3_000_000, 0},
		"engagement.rooms_joined": {1_000_000, 6}, "engagement.rooms_created": {2_000_000, 2},
		"popularity.uniq_senders": {1_000_000, 20}, "popularity.uniq_invite_accept_from": {2_000_000, 10},
	}, worth)
	for _, name := range a.Modes() {
		m := mode(t, g, name)
		require.True(t, m.Computed)
		require.True(t, m.HasScope(game.Group))
	}
}

const active = `name: g
day: local
activity:
  groups: [a, b]
  zones: {a: Europe/Lisbon}
  burst: {most: 50, within: 10s}
  events:
    sent: {who: [from, to], message: true, count: {n: from}, distinct: {d: {of: to, by: from}}}
    played: {who: [users], count: {w: winner}}
  streams: {x:s: {new: sent}, x:p: played}
  pillars:
    p: {n: 0.5, d: {weight: 1, cap: 3}, w: 2}
  overall: {mode: o, streak: {days: 30, times: 1.5}}
modes:
  p: {policy: latest, decimals: 2, max: 100}
  o: {policy: latest, decimals: 2, max: 150}
`

func TestWrongActivitySaysWhatWouldBeRight(t *testing.T) {
	_, err := parsed(t, "g.yaml", []byte(active))
	require.NoError(t, err)
	for _, tt := range []struct{ right, wrong, want string }{
		{"groups: [a, b]", "groups: [a, a]", `g.yaml:4: activity.groups[1]: "a" is declared twice; keep one of them`},
		{"groups: [a, b]", "groups: [a, 'b c']", `g.yaml:4: activity.groups[1]: "b c" is not a group; use 1 to 64 characters of A-Z, a-z, 0-9, _ and -`},
		{"groups: [a, b]", "groups: a", "g.yaml:4: activity.groups: \"a\" is text; use a list of groups"},
		{"groups: [a, b]", "groups: [b]", "g.yaml:5: activity.zones.a: there is no such group; add it to the groups"},
		{"Europe/Lisbon", "Europe/Berlinn", `g.yaml:5: activity.zones.a: "Europe/Berlinn" is not a time zone; use a name of the IANA time zone database, such as America/Los_Angeles`},
		{"day: local", "day: utc", "g.yaml:5: activity.zones.a: a day of the game ends at midnight UTC for everybody; set day: local"},
		{"most: 50", "most: 0", "g.yaml:6: activity.burst.most: 0 is out of range; use 1 to 1000"},
		{"within: 10s", "within: 2m", "g.yaml:6: activity.burst.within: 2m is out of range; use 1s to 1m"},
		{"sent: {who: [from, to]", "Sent: {who: [from, to]", "g.yaml:8: activity.events.Sent: it is not a type of event; use a letter a-z and up to 59 more of a-z, 0-9, _ and ."},
		{"who: [users]", "who: [user, user]", "g.yaml:9: activity.events.played.who: an event has not these players; use [from, to], [user] or [users]"},
		{"{n: from}", "{n: winner}", "g.yaml:8: activity.events.sent.count.n: the event has no winner; use from or to"},
		{"{n: from}", "{n: sender}", `g.yaml:8: activity.events.sent.count.n: "sender" is not a player of an event; use from, to, user, users or winner`},
		{"{of: to, by: from}", "{of: to, by: to}", "g.yaml:8: activity.events.sent.distinct.d: different players are counted between from and to; use {of: to, by: from} or {of: from, by: to}, in an event with both"},
		{"who: [users],", "who: [users], message: true,", "g.yaml:9: activity.events.played.message: it has no sender; leave it out, or use [from, to] or [user]"},
		{"n: 0.5,", "m: 0.5,", "g.yaml:12: activity.pillars.p.m: no event adds to it; use a counter of an event"},
		{"n: 0.5,", "n: 0.125,", "g.yaml:12: activity.pillars.p.n.weight: 0.125 is finer than the 2 decimals of the mode; use fewer decimals here, or more there"},
		{"n: 0.5,", "n: -1,", "g.yaml:12: activity.pillars.p.n.weight: -1 is out of range; use more than 0, up to 10000"},
		{"cap: 3", "cap: 0", "g.yaml:12: activity.pillars.p.d.cap: 0 is out of range; use 1 or more"},
		{"    p: {n", "    q: {n", `g.yaml:12: activity.pillars.q: "q" is not a mode; use a name among the modes`},
		{"new: sent", "new: send", `g.yaml:10: activity.streams.x:s.new: "send" is not a type of event; use one of the events`},
		{"x:p: played", "x:p: play", `g.yaml:10: activity.streams.x:p: "play" is not a type of event; use one of the events`},
		{"x:p: played", "x p: played", "it is not the key of a stream; use 1 to 80 characters of A-Z, a-z, 0-9, _ . : @ and -"},
		{"x:p: played", "x:p: [played]", "g.yaml:10: activity.streams.x:p: this is a list; use a type of event, or types by what an entry says in its field event"},
		{"mode: o,", "mode: p,", "g.yaml:13: activity.overall.mode: it is one of the pillars; use a mode of its own"},
		{"times: 1.5", "times: 0.5", "g.yaml:13: activity.overall.streak.times: 0.5 is out of range; use 1 to 10"},
		{"max: 150", "max: 149", "g.yaml:16: modes.o.max: 149 is less than all pillars together can give; use 150 or more"},
		{"p: {policy: latest,", "p: {policy: best,", "g.yaml:15: modes.p.policy: the scores of p are computed, and computed again; use latest"},
		{"p: {policy: latest,", "p: {policy: latest, min: 1,", "g.yaml:15: modes.p.min: active players have at least 0 points; use 0"},
		{"o: {policy: latest, decimals: 2,", "o: {policy: latest, decimals: 1,", "g.yaml:16: modes.o.decimals: p has 2; use the same in all pillars and their sum"},
		{"  pillars:\n    p: {n: 0.5, d: {weight: 1, cap: 3}, w: 2}\n", "", "g.yaml:3: activity.pillars: it is missing; declare at least one formula, by the name of its mode"},
	} {
		text := strings.Replace(active, tt.right, tt.wrong, 1)
		require.NotEqual(t, active, text, tt.right)
		_, err := parsed(t, "g.yaml", []byte(text))
		require.ErrorContains(t, err, tt.want)
	}
}

func TestCountersHaveTitles(t *testing.T) {
	file := func(titles string) []byte {
		return []byte("name: g\nactivity:\n  events: {sent: {who: [user], count: {n: user}}}\n  pillars: {p: {n: {weight: 1, cap: 9, " + titles + "}}}\nmodes:\n  p: {policy: latest, max: 9}\n")
	}
	g, err := parsed(t, "g.yaml", file("title: Notes, titles: {de: Notizen}"))
	require.NoError(t, err)
	require.Equal(t, "Notes", activity.RulesOf(g).Pillars[0].Terms[0].Title)
	require.Equal(t, map[string]string{"de": "Notizen"}, activity.RulesOf(g).Pillars[0].Terms[0].Titles)
	_, err = parsed(t, "g.yaml", file("titles: {german: Notizen}"))
	require.ErrorContains(t, err, `activity.pillars.p.n.titles: "german" is not a language`)
	_, err = parsed(t, "g.yaml", file(`title: "a\tb"`))
	require.ErrorContains(t, err, `activity.pillars.p.n.title: "a\tb" is not a title`)
}
