package usage_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// serve has the function spend commands on a route for a caller; the zero Caller
// is nobody that is known.
func (f function) serve(t require.TestingT, ctx context.Context, route string, who usage.Caller, commands int) {
	mux := http.NewServeMux()
	mux.HandleFunc(route, func(_ http.ResponseWriter, r *http.Request) {
		if who.Kind != "" {
			usage.CalledBy(r.Context(), who)
		}
		require.NoError(t, spend(r.Context(), f.client, commands))
	})
	method, path, _ := strings.Cut(route, " ")
	f.watch.Handler(mux).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, method, path, nil))
}

var player = usage.Caller{Kind: usage.Player}

// readToday is what a ledger knows of today, by part.
func readToday(t require.TestingT, ctx context.Context, client *upstash.Client) usage.Day {
	days, err := usage.NewLedger(client, nil).Days(ctx, today, today)
	require.NoError(t, err)
	return days[0]
}

// Any callers make any calls in any order: once written, the parts are what the client's own
// meter says of each call.
func TestPartsSayWhatTheMeterDoes(t *testing.T) {
	redis := testkit.NewRedis(t, "")
	routes := []string{"GET /a", "POST /v1/scores", "GET /v1/leaderboards/{mode}"}
	callers := []usage.Caller{
		{}, player, {Kind: usage.Server, ID: "1a2b3c4d"}, {Kind: usage.Server, ID: "4d3c2b1a"}, {Kind: usage.Operator}, {Kind: usage.Anonymous},
	}
	labels := []string{"anonymous", "player", "server 1a2b3c4d", "server 4d3c2b1a", "operator", "anonymous"}
	rapid.Check(t, func(rt *rapid.T) {
		redis.Do("FLUSHALL")
		client := redis.Connect()
		now := testkit.Still(noon)
		processes := []function{newFunction(client, now, "submit", "p1"), newFunction(client, now, "submit", "p2"), newFunction(client, now, "all", "p1")}
		want := map[usage.Part]usage.Count{}
		for range rapid.IntRange(0, 60).Draw(rt, "calls") {
			p := rapid.IntRange(0, 2).Draw(rt, "process")
			c := rapid.IntRange(0, len(callers)-1).Draw(rt, "caller")
			route := rapid.SampledFrom(routes).Draw(rt, "route")
			var spent upstash.Meter
			spends := rapid.IntRange(0, 120).Draw(rt, "commands")
			processes[p].serve(rt, upstash.WithMeter(t.Context(), &spent), route, callers[c], spends)
			part := usage.Part{Function: []string{"submit", "submit", "all"}[p], Route: route, Caller: labels[c]}
			sum := want[part]
			sum.Add(usage.Count{Calls: 1, Commands: int64(spends), RoundTrips: min(int64(spends), 1)})
			want[part] = sum
			now.Pass(time.Duration(rapid.IntRange(0, 200).Draw(rt, "seconds")) * time.Second)
		}
		for i, f := range processes { // a process that has spent nothing writes nothing
			part := usage.Part{Function: []string{"submit", "submit", "all"}[i], Route: "GET /last", Caller: "player"}
			f.serve(rt, t.Context(), "GET /last", player, 1)
			sum := want[part]
			sum.Add(usage.Count{Calls: 1, Commands: 1, RoundTrips: 1})
			want[part] = sum
			require.NoError(rt, f.watch.Counters.Write(t.Context()))
		}
		before := client.Meter().Usage()
		day := readToday(rt, t.Context(), client)
		got := map[usage.Part]usage.Count{}
		var all, counting usage.Count
		for part, c := range day.Parts {
			all.Add(c)
			if part.Caller == "counters" {
				require.Equal(rt, "counters", part.Route)
				require.Zero(rt, c.Calls)
				counting.Add(c)
				continue
			}
			got[part] = usage.Count{Calls: c.Calls, Commands: c.Commands, RoundTrips: c.RoundTrips}
		}
		require.Equal(rt, want, got)
		require.Equal(rt, day.Total(), all)
		require.LessOrEqual(rt, before.Commands-all.Commands, int64(3), "a process's last write is told by nobody")
	})
}

// One command writes everything, however much there is, and a later one only what has changed.
func TestAWriteIsOneCommandOfBoundedSize(t *testing.T) {
	_, client := connect(t)
	now := testkit.Still(noon)
	f := newFunction(client, now, "all", strings.Repeat("p", 26))
	for i := range 300 {
		route := fmt.Sprintf("GET /v1/leaderboards/{mode}/players/{player}/%d", i)
		f.serve(t, t.Context(), route, player, 10)
	}
	now.Pass(5 * time.Minute)
	var written upstash.Meter
	require.NoError(t, f.watch.Counters.Write(upstash.WithMeter(t.Context(), &written)))
	require.EqualValues(t, 1, written.Usage().Commands)
	require.EqualValues(t, map[string]int64{"HSET": 1}, written.Usage().ByName)
	require.Less(t, written.Usage().BytesSent, int64(20<<10))

	day := readToday(t, t.Context(), client)
	require.Equal(t, 128+1, len(day.Parts), "with the writing itself, and all that is beyond them")
	require.EqualValues(t, 3000+1, day.Total().Commands, "with the first write, at 100 commands")

	f.serve(t, t.Context(), "GET /v1/leaderboards/{mode}/players/{player}/7", player, 20)
	var again upstash.Meter
	require.NoError(t, f.watch.Counters.Write(upstash.WithMeter(t.Context(), &again)))
	require.Less(t, again.Usage().BytesSent, int64(4<<10), "one part, and the writing's")
	require.EqualValues(t, 3000+20+2, readToday(t, t.Context(), client).Total().Commands)
}

// After an upgrade, or a rollback from a later version to this one, records that only the other
// one knows are left alone.
func TestARecordOfAnotherVersionIsPassedOver(t *testing.T) {
	server, client := connect(t)
	f := newFunction(client, testkit.Still(noon), "submit", "p")
	f.serve(t, t.Context(), "POST /v1/scores", player, 120)
	before := readToday(t, t.Context(), client)
	_, err := server.Redis().Do(t.Context(), "HSET", usage.Key(today), "submit:p:weather", "rain 3", "submit:p:callers", "2 0 player:user_a 2 0")
	require.NoError(t, err)
	require.Equal(t, before, readToday(t, t.Context(), client))
	require.EqualValues(t, 120, before.Total().Commands)
}

func TestADrainedDayIsToldAsBeforeAndExpires(t *testing.T) {
	server, client := connect(t)
	now := testkit.Still(noon)
	archive := shelf{}
	ledger := usage.NewLedger(client, archive)
	f := newFunction(client, now, "submit", "p")
	f.serve(t, t.Context(), "POST /v1/scores", player, 120)
	f.serve(t, t.Context(), "GET /a", usage.Caller{}, 60)
	// The process writes what is left when the day is over.
	now.Pass(13 * time.Hour)
	f.serve(t, t.Context(), "POST /v1/scores", player, 120)

	drain := func(day game.Date) int64 {
		before := client.Meter().Usage().Commands
		require.NoError(t, ledger.Drain(t.Context(), day))
		return client.Meter().Usage().Commands - before
	}
	require.EqualValues(t, 3+2, drain(today.AddDays(1)))
	require.EqualValues(t, 3, drain(today.AddDays(1)), "nothing is new")
	end, err := server.Redis().Do(t.Context(), "EXPIRETIME", usage.Key(today))
	require.NoError(t, err)
	require.EqualValues(t, today.AddDays(8).Midnight().Unix(), end)
	require.EqualValues(t, 3+2, drain(today.AddDays(2)))
	fields, err := client.Do(t.Context(), upstash.Cmd("HVALS", usage.Key(today)))
	require.NoError(t, err)
	values, err := fields.Strings()
	require.NoError(t, err)
	for _, value := range values {
		_, err := usage.ParseCount(value)
		require.NoError(t, err, "versions before read every field as a count")
	}

	days, err := ledger.Days(t.Context(), today, today.AddDays(2))
	require.NoError(t, err)
	want := map[usage.Part]int64{
		{Function: "submit", Route: "POST /v1/scores", Caller: "player"}: 120, {Function: "submit", Route: "GET /a", Caller: "anonymous"}: 60,
		{Function: "submit", Route: "counters", Caller: "counters"}: 1,
	}
	require.Equal(t, want, commandsOf(days[0].Parts))
	require.Equal(t, want, commandsOf(archive[today].Parts))
}

func commandsOf(parts map[usage.Part]usage.Count) map[usage.Part]int64 {
	commands := map[usage.Part]int64{}
	for of, c := range parts {
		commands[of] = c.Commands
	}
	return commands
}

// A day on which processes of two versions have counted is known by function; by part only as
// far as the newer version has written.
func TestPartsOfAnEarlierVersionAreUnknown(t *testing.T) {
	_, client := connect(t)
	archive := shelf{today.AddDays(-30): {Date: today.AddDays(-30), ByFunction: map[string]usage.Count{"me": {Commands: 7}}}}
	put(t, client, today, "submit:old", usage.Count{Calls: 4, Commands: 40})
	f := newFunction(client, testkit.Still(noon), "submit", "new")
	f.serve(t, t.Context(), "POST /v1/scores", player, 100)
	ledger := usage.NewLedger(client, archive)
	days, err := ledger.Days(t.Context(), today.AddDays(-30), today)
	require.NoError(t, err)
	require.EqualValues(t, 140, days[30].ByFunction["submit"].Commands)
	require.Equal(t, map[usage.Part]int64{
		{Function: "submit", Route: "unknown", Caller: "unknown"}: 40, {Function: "submit", Route: "POST /v1/scores", Caller: "player"}: 100,
	}, commandsOf(days[30].Parts))
	require.Nil(t, days[0].Parts)
	require.NoError(t, ledger.Detail(t.Context(), days))
	require.Equal(t, map[usage.Part]int64{{Function: "me", Route: "unknown", Caller: "unknown"}: 7}, commandsOf(days[0].Parts))
	require.Nil(t, days[1].Parts)
}

// Where the answer to a write was lost, the process's own parts say whether the month's total
// has its addition.
func TestAnAdditionInDoubtIsResolvedFromTheParts(t *testing.T) {
	server, client := connect(t)
	now := testkit.Still(noon)
	f, _ := budgeted(client, now, "submit", "p", of30000)
	for i := range 4 {
		f.serve(t, t.Context(), fmt.Sprintf("GET /%d", i), player, 90)
	}
	for i, lose := range []upstashtest.Fault{{CutAfter: true}, {CutBefore: true}} {
		now.Pass(5 * time.Minute)
		server.Inject(func(upstashtest.Request) upstashtest.Fault { return lose })
		require.Error(t, f.watch.Counters.Write(t.Context()))
		server.Inject(nil)
		f.serve(t, t.Context(), fmt.Sprintf("GET /again%d", i), player, 5)
		require.NoError(t, f.watch.Counters.Write(t.Context()))
		require.Equal(t, readToday(t, t.Context(), client).Total().Commands, monthOf(t, t.Context(), client, today).Today)
	}
}
