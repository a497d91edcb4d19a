package local_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// everything is a game that has every feature but boards of several sites, which need another
// site (see package world); $SHOP is an endpoint of webhooks.
const everything = `
name: everything
anonymous: true
devices: {names: true}
outbox: true
audit: {since: 2026-01-01, months: 24}
presence: true
limits: {submit: {player: off}, boards: {player: off}, duels: {player: off}, purchases: {player: off}, commands: {player: off}}
streak: {freezes: 1}
currencies: {coins: {daily: 100, total: 5}}
leagues: {tiers: [Wood, Tin, Iron]}
seasons: [{name: autumn, first: 2026-10-01, last: 2026-12-31}]
badges:
  often: {title: T, days: 1}
  rich: {title: T, xp: 1}
  again: {title: T, streak: 1}
  fighter: {title: T, wins: 1}
  good: {title: T, score: 1, mode: daily}
  top: {title: T, rank: 50, period: day}
  grouped: {title: T, rank: 50, period: week, mode: daily, scope: group}
  social: {title: T, peers: 1, days: 7}
webhooks: {shop: {url: $SHOP, events: [period.closed, badge.given, league.rolled]}}
duels: {xp: 1, points: {win: 15, round: 1}, provisional: {duels: 3, k: 64}}
races: {}
challenges: {english: [The quick brown fox jumps over the lazy dog.]}
activity:
  groups: [north, south]
  streams:
    app:events: {said: chat.message}
  events:
    chat.message: {who: [from, to], message: true, count: {sent: from}, distinct: {senders: {of: to, by: from}}}
  pillars:
    talk: {sent: 1, senders: 1}
modes:
  daily: {max: 1000, xp: 1, scopes: [country, region, group], teams: sum, details: true, rolling: true}
  best: {policy: best, max: 1000, levels: 40, scopes: [country]}
  fastest: {policy: best, order: asc, decimals: 2, max: 3600}
  newest: {policy: latest, min: -50, max: 50, aggregate: last}
  total: {policy: sum, max: 500, day_max: 5000, scopes: [group], xp: 1}
  fading: {max: 1000, decay: {factor: 0.95, every: 1d}}
  large: {policy: best, max: 1000, bands: on}
  several: {policy: best, score: [{name: points, max: 100}, {name: seconds, max: 100, order: asc}]}
  judged: {max: 100, authoritative: true}
  typed: {policy: best, decimals: 2, max: 350, play: required, proof: keystrokes, challenge: {seconds: 5, texts: english}}
  talk: {policy: latest, ties: shared, max: 10000}
`

// staying are the places that may keep an erased player's id, by their pattern in Redis or
// their name in Postgres, each for a while. docs/operate/privacy.md and docs/operate/removal.md name each.
var staying = map[string]string{
	"removals":      "the note of the erasure, until cron-daily has looked after it",
	"erasure:*":     "the count of the player's erasures, 26 hours",
	"groups:played": "the player's groups, until cron-daily has looked after the erasure, at least 7 hours",
	"limit:*":       "counts of limits, a little longer than their window",
	"export:*":      "the count of exports, 26 hours",
	"presence":      "the second of the last request, 12 minutes",
	"outbox":        "scores on their way to the archive, until cron-save",
	"spends":        "purchases on their way to the archive, until cron-save",
	"usage:*":       "who has cost most today, until the first cron-daily after the day",
	"once:*":        "answers to idempotency keys, 24 hours",
	"claims":        "devices that were claimed, without the player, until cron-daily",
	"scratch:*":     "what a board was being made from, some minutes",
	"app:events":    "the application's own stream, which is not the product's to change",
}

// devicesStay are further places that may keep the ids of devices that the player has claimed,
// until cron-daily erases the devices too.
var devicesStay = []string{"profiles", "claims"}

// lasting are the places that may keep the id for longer than a day.
var lasting = []string{"app:events"}

// all is one player who uses everything, and others.
type all struct {
	*client
	p     *local.Product
	round int // of uses
	sent  int // idempotency keys

	of      []string // texts that are the player's: the id and a name
	codes   []string // of the player's invites
	devices []string // that the player has claimed
}

const (
	erasedPlayer = "user_leaving_7f3"
	chosenName   = "Chosen Eight"
)

func newAll(t *testing.T) *all {
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }))
	t.Cleanup(shop.Close)
	g, err := gamefile.Parse("everything.yaml", []byte(strings.Replace(everything, "$SHOP", shop.URL, 1)))
	require.NoError(t, err)
	p, err := local.Start(t.Context(), local.Options{
		Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: io.Discard, DatabaseURL: archivetest.Database(t), Counters: true,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return &all{client: &client{t, p.URL}, p: p, of: []string{erasedPlayer, chosenName}}
}

// now is the time in the form of requests.
func (a *all) now() string { return a.p.Clock.Now().UTC().Format(time.RFC3339) }

func (a *all) passes(d time.Duration) { a.at(a.p.Clock.Now().UTC().Add(d).Format(time.RFC3339)) }

// at moves the product's clock, and has keys expire by it, since Redis has a clock of its own.
func (a *all) at(now string) {
	a.t.Helper()
	before := a.p.Clock.Now()
	a.clock(now)
	passed := a.p.Clock.Now().Sub(before).Milliseconds()
	for _, key := range a.redis("KEYS", "*").([]any) {
		left, err := strconv.ParseInt(fmt.Sprint(a.redis("PTTL", key.(string))), 10, 64)
		require.NoError(a.t, err)
		switch {
		case left < 0: // it never expires
		case left <= passed:
			a.redis("DEL", key.(string))
		default:
			a.redis("PEXPIRE", key.(string), strconv.FormatInt(left-passed, 10))
		}
	}
}

// as sends a request of a player, and requires that it succeeds.
func (a *all) as(player, method, where, body string) map[string]any {
	a.t.Helper()
	status, token := a.do("POST", "/_local/token", fmt.Sprintf(`{"player":%q,"name":"Name %s","country":"BR","groups":["org_a"]}`, player, player), nil)
	require.Equal(a.t, 200, status)
	return a.with(token["token"].(string), method, where, body)
}

func (a *all) with(token, method, where, body string) map[string]any {
	a.t.Helper()
	header := map[string]string{"Authorization": "Bearer " + token}
	if method == "POST" && body != "" {
		header["Content-Type"] = "application/json"
		a.sent++
		header["Idempotency-Key"] = fmt.Sprint("key-", a.sent)
	}
	status, answer := a.do(method, where, body, header)
	require.Less(a.t, status, 300, "%s %s: %v", method, where, answer)
	return answer
}

func (a *all) server(where, body string) map[string]any {
	a.t.Helper()
	sign := auth.SignRequest(a.p.Secrets.SigningKey, a.p.Clock.Now(), auth.Request{Method: "POST", Path: where, Body: []byte(body)})
	status, answer := a.do("POST", where, body, map[string]string{"Content-Type": "application/json", "Framedle-Signature": sign})
	require.Less(a.t, status, 300, "%s: %v", where, answer)
	return answer
}

func (a *all) fires(schedules ...string) {
	a.t.Helper()
	for _, schedule := range schedules {
		status, answer := a.do("POST", "/_local/schedules/"+schedule, "", nil)
		require.Equal(a.t, 200, status, "%s: %v", schedule, answer)
	}
}

// uses has a player, and others about the player, use every feature.
func (a *all) uses(x string) {
	a.t.Helper()
	a.round++
	of := func(name string) string { return fmt.Sprintf("user_%s%d", name, a.round) }
	// Scores of all policies, with groups, levels, values and details.
	for _, player := range []string{x, of("b"), of("c")} {
		a.as(player, "POST", "/v1/scores", `{"mode":"daily","score":500,"groups":["org_a"],"details":{"by":"`+player+`"}}`)
		for _, score := range []string{`"best","score":7,"level":3`, `"best","score":9`, `"fastest","score":12.5`, `"newest","score":3`, `"fading","score":5`, `"large","score":6`, `"several","values":{"points":5,"seconds":7}`} {
			a.as(player, "POST", "/v1/scores", `{"mode":`+score+`}`)
		}
		a.as(player, "POST", "/v1/scores", `{"mode":"total","score":7,"groups":["org_a"]}`)
	}
	a.server("/v1/scores", `{"mode":"judged","player":"`+x+`","score":5}`)
	a.server("/v1/scores/batch", `{"scores":[{"mode":"daily","player":"`+x+`","score":6,"groups":["g2"]},{"mode":"judged","player":"`+x+`","score":7,"name":"Batch"}]}`)
	// Plays: one that counts and one that is held.
	a.types(x, a.play(x), false)
	a.types(x, a.play(x), true)
	// What a credential, an authority and the player say.
	a.as(x, "PATCH", "/v1/me", `{"name":"`+chosenName+`","country":"DE"}`)
	a.clerkTells(x)
	// Friends, requests both ways, blocks both ways, invites.
	askFriend := func(from, to string) { a.as(from, "POST", "/v1/friends/requests", `{"player":"`+to+`"}`) }
	askFriend(x, of("b"))
	a.as(of("b"), "POST", "/v1/friends/requests/"+x+"/accept", "")
	askFriend(x, of("asked"))
	askFriend(of("asking"), x)
	askFriend(x, of("blocking"))
	askFriend(of("blocked"), x)
	a.as(of("before"), "POST", "/v1/duels", `{"opponent":"`+x+`"}`) // the player will not see it any more
	code := a.as(x, "POST", "/v1/friends/invites", `{}`)["code"].(string)
	a.as(of("c"), "POST", "/v1/friends/invites/"+code+"/accept", "")
	a.codes = append(a.codes, code, a.as(x, "POST", "/v1/friends/invites", `{"uses":3}`)["code"].(string))
	a.as(x, "PUT", "/v1/friends/blocks/"+of("blocked"), "")
	a.as(x, "PUT", "/v1/friends/blocks/"+of("before"), "")
	a.as(of("blocking"), "PUT", "/v1/friends/blocks/"+x, "")
	// Duels: decided, ready, waiting, open, unseen, in the queue.
	d := idOf(a.as(x, "POST", "/v1/duels", `{"opponent":"`+of("b")+`"}`))
	a.as(of("b"), "POST", "/v1/duels/"+d+"/accept", "")
	a.as(x, "POST", "/v1/duels/"+d+"/result", `{"winner":"`+x+`","score":[3,1]}`)
	a.as(of("b"), "POST", "/v1/duels/"+d+"/result", `{"winner":"`+x+`","score":[3,1]}`)
	a.as(of("b"), "POST", "/v1/duels/"+d+"/rematch", "")
	e := idOf(a.as(of("c"), "POST", "/v1/duels", `{"opponent":"`+x+`","mode":"daily"}`))
	a.as(x, "POST", "/v1/duels/"+e+"/accept", "")
	a.as(x, "POST", "/v1/duels/"+e+"/result", `{"winner":"`+x+`"}`)
	a.as(x, "POST", "/v1/duels", `{}`)
	a.as(x, "POST", "/v1/duels", `{"opponent":"`+of("blocking")+`"}`)
	a.as(of("blocking"), "POST", "/v1/duels", `{"opponent":"`+x+`"}`)
	a.as(of("blocked"), "POST", "/v1/duels", `{"opponent":"`+x+`"}`)
	a.as(x, "GET", "/v1/duels", "")
	a.as(x, "POST", "/v1/duels/queue", `{"mode":"daily"}`)
	// Races: one that has ended, and one that the player waits in.
	r := idOf(a.as(x, "POST", "/v1/races", `{"mode":"typed","players":2,"invite":true}`))
	a.as(of("b"), "POST", "/v1/races/"+r+"/join", "")
	a.passes(4 * time.Second)
	a.as(x, "POST", "/v1/races/"+r+"/progress", `{"progress":0.4}`)
	a.as(x, "POST", "/v1/races/"+r+"/leave", "")
	a.as(of("b"), "POST", "/v1/races/"+r+"/leave", "")
	a.as(x, "POST", "/v1/races", `{"mode":"typed","players":3,"invite":true}`)
	// Acts, by events and by a stream, with a dead letter.
	chatEvent := fmt.Sprintf(`{"id":"e%d","type":"chat.message","at":%q,"group":"north","from":%q,"to":%q}`, a.round, a.now(), x, of("b"))
	a.server("/v1/events", `{"events":[`+chatEvent+`]}`)
	a.redis("XADD", "app:events", "*", "event", "said", "at", a.now(), "group", "south", "from", of("c"), "to", x)
	a.redis("XADD", "app:events", "*", "event", "said", "at", a.now(), "group", "south", "from", x, "to", x)
	a.fires("compute")
	a.server("/v1/events", strings.Replace(`{"events":[`+chatEvent+`]}`, `"id":"e`, `"id":"late`, 1))
	a.claimsADevice(x)
	// What is earned.
	a.as(x, "POST", "/v1/me/wallets/coins/spend", `{"amount":1,"item":"hat"}`)
	for _, about := range []string{
		"/v1/me", "/v1/me/results", "/v1/me/ranks?mode=daily", "/v1/me/export",
		"/v1/leagues/me",
		"/v1/me/badges",
		"/v1/me/wallets",
		"/v1/friends",
		"/v1/feed?mode=daily",
		"/v1/presence",
	} {
		a.as(x, "GET", about, "")
	}
	// Boards that are made when somebody looks.
	for _, mode := range []string{"daily", "best", "fastest", "newest", "total", "fading", "large", "several", "judged", "typed", "talk", "xp", "duels"} {
		for _, query := range []string{"", "?period=week", "?period=month", "?period=alltime", "?period=season", "?period=last7", "?period=week&scope=country:DE", "?scope=region:EU", "?period=week&scope=group:org_a", "?period=week&scope=groups", "?scope=level:3"} {
			_, _ = a.do("GET", "/v1/leaderboards/"+mode+query, "", nil)
		}
		_, _ = a.do("GET", "/v1/leaderboards/"+mode+"/players/"+x+"?period=week", "", nil)
	}
	a.as(x, "GET", "/v1/leaderboards/daily/friends", "")
	_, _ = a.do("GET", "/v1/leaderboards/daily/distribution", "", nil)
	// What the operator does.
	a.ops("DELETE", "/v1/ops/scores", `{"mode":"fastest","date":"`+a.now()[:10]+`","player":"`+x+`"}`)
	a.ops("GET", "/v1/ops/players/"+x, "")
}

func idOf(answer map[string]any) string { return answer["id"].(string) }

func (a *all) ops(method, where, body string) map[string]any {
	a.t.Helper()
	status, answer := a.do(method, where, body, map[string]string{"Authorization": "Bearer " + a.p.Secrets.OpsToken, "Content-Type": "application/json"})
	require.Less(a.t, status, 300, "%s %s: %v", method, where, answer)
	return answer
}

func (a *all) redis(words ...string) any {
	a.t.Helper()
	reply, err := a.p.Upstash.Redis().Do(a.t.Context(), words...)
	require.NoError(a.t, err)
	return reply
}

// places returns the keys and the columns of tables that have one of some texts, in whatever
// form, with an example of each.
func (a *all) places(texts ...string) map[string]string {
	a.t.Helper()
	found := map[string]string{}
	has := func(place, value string) {
		for _, text := range texts {
			for _, form := range []string{text, hex.EncodeToString([]byte(text)), base64.StdEncoding.EncodeToString([]byte(text))} {
				if at := strings.Index(value, form); at >= 0 {
					found[place] = fmt.Sprintf("%.300s", value[max(0, at-100):])
				}
			}
		}
	}
	for _, key := range a.redis("KEYS", "*").([]any) {
		has(key.(string), key.(string))
	}
	for key, value := range testkit.Values(a.t, a.p.Upstash, a.redis("KEYS", "*")) {
		has(key, fmt.Sprint(value))
	}
	db, err := pgx.Connect(a.t.Context(), a.p.Database)
	require.NoError(a.t, err)
	defer func() { _ = db.Close(context.Background()) }()
	rows, err := db.Query(a.t.Context(), `SELECT table_name || ' ' || column_name FROM information_schema.columns
		WHERE table_schema = 'public' AND table_name IN (SELECT relname FROM pg_class WHERE relkind = 'r')`)
	require.NoError(a.t, err)
	columns, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(a.t, err)
	require.Greater(a.t, len(columns), 150)
	for _, name := range columns {
		table, column, _ := strings.Cut(name, " ")
		rows, err := db.Query(a.t.Context(), `SELECT `+pgx.Identifier{column}.Sanitize()+`::text FROM `+pgx.Identifier{table}.Sanitize())
		require.NoError(a.t, err)
		values, err := pgx.CollectRows(rows, pgx.RowTo[*string])
		require.NoError(a.t, err)
		for _, value := range values {
			if value != nil {
				has("table "+table+"."+column, *value)
			}
		}
	}
	return found
}

// hasUsed requires that the player is in keys and tables of every feature.
func (a *all) hasUsed() {
	a.t.Helper()
	kinds := map[string]bool{}
	for place := range a.places(erasedPlayer) {
		kind, _, _ := strings.Cut(place, ":")
		kind, _, _ = strings.Cut(kind, ".")
		kinds[kind] = true
		if strings.HasPrefix(kind, "table score_audit_") { // of the month by Redis' own clock
			kinds["table score_audit"] = true
		}
	}
	for of, names := range placesOf {
		for kind := range strings.FieldsSeq(names) {
			require.True(a.t, kinds[kind], "%s: %s", of, kind)
		}
	}
	for of, names := range tablesOf {
		for table := range strings.FieldsSeq(names) {
			require.True(a.t, kinds["table "+table], "%s: %s", of, table)
		}
	}
}

// placesOf are kinds of keys that name players, and tablesOf tables, by what has them.
var (
	placesOf = map[string]string{
		"the kernel":  "base countries details export groups lb profiles removals streaks xp",
		"activity":    "active acts",
		"a claim":     "claims",
		"memberships": "told",
		"of duels":    "duel duels",
		"friends":     "blocks friends lists",
		"leagues":     "league",
		"held plays":  "held once",
		"races":       "race races",
		"wallets":     "earned spent",
	}
	tablesOf = map[string]string{
		"the kernel":  "achievements audit profiles results_2026_11 leaderboard_snapshots submissions",
		"audit":       "score_audit",
		"activity":    "act_parts",
		"badges":      "badges peers",
		"of duels":    "duels open_duels",
		"friends":     "friend_invites friend_pairs friend_players",
		"leagues":     "league_seats",
		"memberships": "memberships",
		"held plays":  "held_plays",
		"races":       "race_seats",
		"wallets":     "earned spends",
		"webhooks":    "webhooks_out", // of badges
	}
)

// nowhere requires that nothing of the erased player is anywhere but in some places.
func (a *all) nowhere(when string, but []string) {
	a.t.Helper()
	a.without(a.of, when, but)
	a.without(a.codes, when, nil)
	stay := but
	if slices.Contains(but, "claims") { // no night has passed
		stay = slices.Concat(but, devicesStay)
	}
	a.without(a.devices, when, stay)
}

func (a *all) without(texts []string, when string, but []string) {
	a.t.Helper()
	left := a.places(texts...)
	maps.DeleteFunc(left, func(place, _ string) bool {
		return slices.ContainsFunc(but, func(pattern string) bool {
			is, err := path.Match(pattern, place)
			require.NoError(a.t, err)
			return is
		})
	})
	text, err := json.MarshalIndent(left, "", " ")
	require.NoError(a.t, err)
	require.Empty(a.t, left, "%s, these still have who was erased: %s", when, text)
}

// Whatever a player has used, an erasure leaves the player's id nowhere in Redis and Postgres,
// however often on one date, nor do the schedules of the next days bring it back.
func TestWhoHasUsedEverythingIsErasedFromEverywhere(t *testing.T) {
	for _, banned := range []bool{false, true} {
		t.Run(fmt.Sprint("banned ", banned), func(t *testing.T) {
			a, x := newAll(t), erasedPlayer
			a.clock("2026-11-13T10:00:00Z") // a Friday
			a.uses(x)
			a.at("2026-11-14T00:20:00Z")
			a.fires("cron-save", "cron-daily")
			a.fires("compute")
			a.at("2026-11-16T00:20:00Z") // the week is over
			a.fires("compute")
			a.fires("cron-daily", "cron-weekly", "cron-save")
			a.at("2026-11-16T10:00:00Z")
			for again := range 2 {
				a.uses(x)
				if again == 0 {
					a.fires("cron-save")
					a.hasUsed()
				}
				if banned {
					a.ops("PUT", "/v1/ops/bans/"+x, `{"reason":"leaves"}`)
					a.fires("compute")
				}
				answer := a.ops("DELETE", "/v1/ops/players/"+x, "")
				require.Equal(t, true, answer["known"])
				a.nowhere(fmt.Sprint("right after erasure ", again+1), slices.Collect(maps.Keys(staying)))
				if banned {
					a.ops("DELETE", "/v1/ops/bans/"+x, "")
				}
				a.passes(time.Minute)
			}
			require.Equal(t, false, a.ops("DELETE", "/v1/ops/players/"+x, "")["known"])
			for _, at := range []string{"2026-11-16T10:30:00Z", "2026-11-17T00:20:00Z", "2026-11-18T00:20:00Z", "2026-11-19T00:20:00Z", "2026-11-23T00:30:00Z", "2026-11-26T00:20:00Z"} {
				a.at(at)
				a.server("/v1/events", fmt.Sprintf(`{"events":[{"id":"o%s","type":"chat.message","at":%q,"group":"north","from":"user_o","to":"user_p"}]}`, at[8:10], a.now()))
				a.fires("compute")
				a.fires("cron-save", "cron-daily", "cron-weekly", "cron-usage", "cron-save")
				but := lasting
				if at < "2026-11-19" {
					but = slices.Collect(maps.Keys(staying))
				}
				a.nowhere(at, but)
			}
		})
	}
}
