package backfill_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/backfill"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
)

// played is one play of a past.
type played struct {
	mode, player string
	at           time.Time
	score        game.Score
	groups       []string
	details      string
}

var countries = []string{"BR", "DE", "JP"}

func countryOf(player string) string { return countries[int(player[1]-'0')%len(countries)] }

// drawPast is some weeks of a game, over New Year of a year of 53 weeks.
func drawPast(t *rapid.T, g *game.Game) (first game.Date, days int, plays []played) {
	first = game.NewDate(2026, time.December, rapid.IntRange(1, 29).Draw(t, "first"))
	days = rapid.IntRange(3, 40).Draw(t, "days")
	for n := range days {
		at := first.AddDays(n).Midnight()
		for range rapid.IntRange(0, 8).Draw(t, "plays") {
			at = at.Add(time.Duration(rapid.IntRange(1, 3*3600-1).Draw(t, "later")) * time.Second)
			if game.DateOf(at) != first.AddDays(n) {
				break
			}
			m := rapid.SampledFrom(g.Modes).Draw(t, "mode")
			p := played{
				mode: m.Name, player: fmt.Sprint("p", rapid.IntRange(0, 5).Draw(t, "player")), at: at,
				score: m.Min + game.Score(rapid.IntRange(0, 9).Draw(t, "score")*int(min(m.Max-m.Min, 500)/10)),
			}
			if m.HasScope(game.Group) {
				p.groups = slices.Compact(rapid.SliceOfN(rapid.SampledFrom([]string{"red", "green", "blue"}), 0, 2).Draw(t, "groups"))
			}
			if m.Details && rapid.Bool().Draw(t, "detailed") {
				p.details = fmt.Sprintf(`{"n":%d,"said":"a, \"b\""}`, len(plays))
			}
			plays = append(plays, p)
		}
	}
	return first, days, plays
}

// live plays a past as it happened, with the schedules.
func (k *kit) live(first game.Date, days int, plays []played) {
	k.t.Helper()
	ctx := context.Background()
	for n := range days {
		d := first.AddDays(n)
		store := k.process().Store
		for _, p := range plays {
			if game.DateOf(p.at) != d {
				continue
			}
			k.now = p.at
			sub := game.Submission{
				Mode: k.mode(p.mode), Player: p.player, Date: d, Score: p.score, At: p.at, Details: []byte(p.details),
				Profile:     game.Profile{Name: "N " + p.player, Country: countryOf(p.player)},
				Idempotency: game.IdempotencyRecord{ID: fmt.Sprint(p.at.UnixNano()), Fingerprint: "f"},
			}
			for _, id := range p.groups {
				scope, err := game.GroupScope(id)
				require.NoError(k.t, err)
				sub.Scopes = append(sub.Scopes, scope)
			}
			if p.details == "" {
				sub.Details = nil
			}
			_, err := store.Boards.Submit(ctx, sub)
			require.NoError(k.t, err)
		}
		k.now = d.AddDays(1).Midnight().Add(2 * time.Hour)
		k.expire()
		_, err := k.process().Daily(ctx)
		require.NoError(k.t, err)
		if d.Weekday() == time.Sunday {
			_, err := k.process().Weekly(ctx, k.now)
			require.NoError(k.t, err)
		}
	}
	// An import closes what is over by then, so the product that lived the past must do so
	// too.
	_, err := k.process().Weekly(context.Background(), k.now)
	require.NoError(k.t, err)
}

// csvOf writes plays as a file.
func csvOf(g *game.Game, plays []played) string {
	var b strings.Builder
	b.WriteString("player,mode,played_at,score,country,groups,details,name\n")
	for _, p := range plays {
		m, _ := g.Mode(p.mode)
		fmt.Fprintf(&b, "%s,%s,%s,%s,%s,%s,%s,N %s\n", p.player, p.mode, p.at.Format(time.RFC3339Nano), m.FormatScore(p.score),
			countryOf(p.player), strings.Join(p.groups, " "), quoted(p.details), p.player)
	}
	return b.String()
}

func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// jsonOf writes plays as JSON lines.
func jsonOf(g *game.Game, plays []played) string {
	var b strings.Builder
	for _, p := range plays {
		m, _ := g.Mode(p.mode)
		line := map[string]any{
			"player": p.player, "mode": p.mode, "date": game.DateOf(p.at).String(), "played_at": p.at.Format(time.RFC3339Nano),
			"score": json.RawMessage(m.FormatScore(p.score)), "country": countryOf(p.player), "groups": p.groups, "name": "N " + p.player,
		}
		if p.details != "" {
			line["details"] = json.RawMessage(p.details)
		}
		text, _ := json.Marshal(line)
		b.Write(append(text, '\n'))
	}
	return b.String()
}

// history returns everything in the archive except when it was written.
func (k *kit) history() map[string][]string {
	k.t.Helper()
	conn, err := pgx.Connect(context.Background(), k.url)
	require.NoError(k.t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	all := map[string][]string{}
	for name, query := range map[string]string{
		"results": `SELECT concat_ws(' ', mode, date, player, stored::text, (SELECT string_agg(s, ',' ORDER BY s) FROM unnest(scopes) AS s), scoped_stored::text, details::text)
			FROM results ORDER BY mode, date, player`,
		"days":         `SELECT concat_ws(' ', mode, date, players, complete) FROM archived_days WHERE players > 0 ORDER BY mode, date`,
		"snapshots":    `SELECT concat_ws(' ', mode, period_key, scope, total, stale, entries::text) FROM leaderboard_snapshots ORDER BY mode, period_key, scope`,
		"achievements": `SELECT concat_ws(' ', mode, period_key, scope, player, kind, rank) FROM achievements ORDER BY mode, period_key, scope, player, kind`,
		"badges":       `SELECT concat_ws(' ', player, rule, key, mode, scope, period, since, earned) FROM badges ORDER BY 1`,
		"profiles":     `SELECT concat_ws(' ', player, name, country, hidden) FROM profiles ORDER BY player`,
	} {
		rows, err := conn.Query(context.Background(), query)
		require.NoError(k.t, err)
		all[name], err = pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(k.t, err)
		slices.Sort(all[name])
	}
	return all
}

// people is what each player has in the game as a whole.
func (k *kit) people() map[string]leaderboard.Me {
	k.t.Helper()
	all := map[string]leaderboard.Me{}
	for n := range 6 {
		player := fmt.Sprint("p", n)
		me, err := k.process().Store.Boards.Me(context.Background(), player, nil)
		require.NoError(k.t, err)
		me.Today = nil
		all[player] = me
	}
	return all
}

// A past that was imported and one that was lived here are the same: rows, boards, XP,
// streaks, tops and badges; of all days, or of those before the product began. Only the badges
// that it has given for places in a part of a week, month or season stay beside the others.
func TestAPastIsAsIfItHadBeenPlayedHere(t *testing.T) {
	onEngines(t, func(t *testing.T, redis func() string) {
		url := redis()
		rapid.Check(t, func(rt *rapid.T) {
			first, days, plays := drawPast(rt, testkit.Game(t, testGame))
			lived := newKit(t, url, first.Midnight())
			lived.empty()
			lived.live(first, days, plays)
			split := rapid.IntRange(0, days).Draw(rt, "split")
			older := slices.DeleteFunc(slices.Clone(plays), func(p played) bool { return !game.DateOf(p.at).Before(first.AddDays(split)) })
			shuffled := rapid.Permutation(older).Draw(rt, "lines")
			cut := rapid.IntRange(0, len(shuffled)).Draw(rt, "cut")
			boards, history, people := lived.boards(), lived.history(), lived.people()
			lived.empty()
			brought := newKit(t, url, lived.now)
			brought.live(first.AddDays(split), days-split, plays)
			brought.now = lived.now
			brought.agree()
			history["badges"] = append(history["badges"], brought.placed(first.AddDays(split), history["badges"])...)
			slices.Sort(history["badges"])
			o := brought.options(csvOf(brought.game, shuffled[:cut]), jsonOf(brought.game, shuffled[cut:]))
			if cut == len(shuffled) {
				o.Files = o.Files[:1]
			}
			if rapid.Bool().Draw(rt, "small") {
				o = backfill.Small(o)
			}
			summary := brought.bringIn(o)
			require.EqualValues(t, len(older), summary.Lines)
			others := brought.history()
			for name := range history {
				require.Equal(t, history[name], others[name], name)
			}
			has := brought.boards()
			for key := range boards {
				require.Equal(t, boards[key], has[key], key)
			}
			require.Len(t, has, len(boards))
			require.Equal(t, people, brought.people())
			brought.agree()

			again := brought.bringIn(o)
			require.Equal(t, len(older) > 0, !again.DoneAt.IsZero())
			require.Equal(t, has, brought.boards())
			lived.close()
			brought.close()
		})
	})
}

// placed lists the product's badges for places in weeks, months and seasons that began before a
// date, the first that it has lived; without some others.
func (k *kit) placed(from game.Date, others []string) (kept []string) {
	k.t.Helper()
	for _, badge := range k.history()["badges"] {
		fields := strings.Split(badge, " ")
		since, err := game.ParseDate(fields[6])
		require.NoError(k.t, err)
		if slices.Contains([]string{"week", "month", "season"}, fields[5]) && since.Before(from) && !slices.Contains(others, badge) {
			kept = append(kept, badge)
		}
	}
	return kept
}

// empty forgets everything that Redis holds.
func (k *kit) empty() {
	k.t.Helper()
	_, err := k.redis.Server.Redis().Do(context.Background(), "FLUSHALL")
	require.NoError(k.t, err)
}
