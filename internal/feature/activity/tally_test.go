package activity_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
)

func campus(t testing.TB) *game.Game {
	text, err := games.FS.ReadFile("campus.yaml")
	require.NoError(t, err)
	g, err := gamefile.Parse("games/campus.yaml", text)
	require.NoError(t, err)
	return g
}

var midday = time.Date(2004, time.April, 15, 12, 0, 0, 0, time.UTC)

// sent makes messages of u1 to another player each, at seconds after midday.
func sent(seconds ...float64) (acts []activity.Act) {
	for i, s := range seconds {
		acts = append(acts, activity.Act{
			ID: fmt.Sprintf("e%d", i), Type: "chat.message",
			At: midday.Add(time.Duration(s * float64(time.Second))).UnixMilli(), Who: []string{"u1", fmt.Sprintf("to%d", i)},
		})
	}
	return acts
}

func evenly(n int, within float64) (seconds []float64) {
	for i := range n {
		seconds = append(seconds, within*float64(i)/float64(n-1))
	}
	return seconds
}

func TestTheFoundersExampleOfADay(t *testing.T) {
	g := campus(t)
	at := midday.UnixMilli()
	var acts []activity.Act
	add := func(n int, kind string, who func(i int) []string, winner string) {
		for i := range n {
			acts = append(acts, activity.Act{ID: fmt.Sprintf("%s-%d", kind, i), Type: kind, At: at + int64(i)*1000, Who: who(i), Winner: winner})
		}
	}
	u := func(int) []string { return []string{"u"} }
	from := func(i int) []string { return []string{"u", fmt.Sprintf("p%d", i)} }
	add(2, "invites.accepted", from, "")
	add(1, "friendships.accepted", from, "")
	add(61, "chat.message", from, "")
	add(81, "roomchat.message", func(int) []string { return []string{"u"} }, "")
	add(3, "activities.ended", from, "u")
	add(7, "rooms.join", u, "")
	add(3, "rooms.created", u, "")
	add(100, "presence.heartbeat", u, "")
	// Messages of both kinds are one sender's: one a second each are no burst.
	all := activity.Of(activity.RulesOf(g), acts, nil)
	require.Equal(t, map[string]int64{
		"invites_accepted": 2, "friends_new": 1, "dm_sent": 61, "room_sent": 81,
		"acts_played": 3, "acts_won": 3, "rooms_joined": 7, "rooms_created": 3,
	}, all["u"].Counts)
	// 3·2 + 5 + 0.3·60 + 0.15·80 = 41; 2·3 + 3·3 + 6 + 2·2 = 25; nobody wrote to u.
	require.Equal(t, []game.Score{4100, 2500, 0, 6600}, all["u"].Points(g, 1))
	require.Equal(t, []game.Score{4100, 2500, 0, 9900}, all["u"].Points(g, 30))
	// 66 · (1 + 0.5·1/29) = 67.1379…
	require.Equal(t, game.Score(6714), all["u"].Points(g, 2)[3])
	// p0 has an accepted invitation of u, a friend, a message and a lost game.
	require.Equal(t, []game.Score{500, 200, 300, 1000}, all["p0"].Points(g, 1))
	require.Len(t, all, 62)
}

func TestWhereABurstBegins(t *testing.T) {
	g := campus(t)
	for name, tt := range map[string]struct {
		messages, before []float64
		counted          int64
	}{
		"fifty in ten seconds":                     {messages: evenly(50, 9.999), counted: 50},
		"the fifty-first within ten seconds":       {messages: evenly(51, 9.999), counted: 50},
		"the fifty-first ten seconds after":        {messages: evenly(51, 10), counted: 51},
		"all at one moment":                        {messages: make([]float64, 51), counted: 0},
		"fifty at one moment":                      {messages: make([]float64, 50), counted: 50},
		"the burst is over":                        {messages: append(evenly(60, 5), 20), counted: 51},
		"of the day before":                        {messages: []float64{3}, before: evenly(50, 2), counted: 0},
		"of the day before, ten seconds ago":       {messages: []float64{12}, before: evenly(50, 2), counted: 1},
		"what is muted keeps on muting":            {messages: append(evenly(50, 9), 9.5, 9.6, 9.7), counted: 50},
		"one in ten seconds has room again and no": {messages: append(evenly(51, 9), 9.5, 19.01), counted: 51},
	} {
		acts := sent(tt.messages...)
		got := activity.Of(activity.RulesOf(g), acts, sent(tt.before...))["u1"]
		require.Equal(t, tt.counted, got.Counts["dm_sent"], name)
		require.Len(t, got.Peers, int(tt.counted), name)
	}
	received := activity.Of(activity.RulesOf(g), sent(make([]float64, 51)...), nil)["to7"]
	require.Empty(t, received.Counts)
	require.Equal(t, []game.Score{0, 0, 0, 0}, received.Points(g, 5), "who is written to in a burst is active")
}

func TestAnActIsItsText(t *testing.T) {
	for _, a := range []activity.Act{
		{ID: "e-1", Type: "chat.message", Who: []string{"u1", "u2"}},
		{ID: "1526919030474-0", Type: "activities.ended", Who: []string{"a", "b"}, Winner: "b"},
		{ID: "x", Type: "rooms.join", Who: []string{"user_2abc@campus:1.-"}},
	} {
		back, err := activity.ReadAct(a.Text(), 7)
		require.NoError(t, err)
		a.At = 7
		require.Equal(t, a, back)
	}
	for _, wrong := range []string{"", " ", "e", "e chat", "e chat a b c", "e  a", "e chat =1", " chat a"} {
		_, err := activity.ReadAct(wrong, 0)
		require.Error(t, err, wrong)
	}
}

func TestAnIdOfTwoActsIsOneInAnyOrder(t *testing.T) {
	g := campus(t)
	one := activity.Act{ID: "e", Type: "chat.message", At: 5000, Who: []string{"a", "b"}}
	other := activity.Act{ID: "e", Type: "chat.message", At: 6000, Who: []string{"a", "c"}}
	require.Equal(t, activity.Of(activity.RulesOf(g), []activity.Act{one, other}, nil), activity.Of(activity.RulesOf(g), []activity.Act{other, one, one}, nil))
	require.Equal(t, int64(1), activity.Of(activity.RulesOf(g), []activity.Act{one, other}, nil)["a"].Counts["dm_sent"])
}
