package lifecycle_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// groupGame has groups under every policy and order.
const groupGame = `
name: groups
grace: 15m
refresh: 5s
modes:
  first: {max: 1000, scopes: [group], details: true}
  golf: {order: asc, min: -20, max: 20, aggregate: sum, scopes: [group]}
  best: {policy: best, max: 1000, scopes: [group], details: true}
  fastest: {policy: best, order: asc, max: 1000, scopes: [group]}
  shared: {policy: best, max: 20, ties: shared, scopes: [group]}
  shared_first: {max: 20, ties: shared, scopes: [group]}
  latest: {policy: latest, min: -50, max: 50, aggregate: last, scopes: [group], details: true}
  soonest: {policy: latest, order: asc, max: 50, aggregate: last, scopes: [group]}
  coins: {policy: sum, max: 500, day_max: 100000, scopes: [group]}
  golds: {policy: sum, order: asc, max: 500, day_max: 100000, ties: shared, scopes: [group]}
`

// ways are all ways in which plays come in.
var ways = map[string]func(p *process, subs ...game.Submission) error{
	"one": func(p *process, subs ...game.Submission) error {
		for _, sub := range subs {
			if _, err := p.Boards.Submit(context.Background(), sub); err != nil {
				return err
			}
		}
		return nil
	},
	"batch": func(p *process, subs ...game.Submission) error {
		for _, o := range p.Boards.SubmitBatch(context.Background(), subs) {
			if o.Err != nil {
				return o.Err
			}
		}
		return nil
	},
	"queue": func(p *process, subs ...game.Submission) error {
		_, errs := p.Boards.SubmitQueued(context.Background(), subs)
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		return nil
	},
}

func wayNames() []string {
	names := make([]string, 0, len(ways))
	for name := range ways {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// raw returns a board as Redis has it.
func (k *kit) raw(tb require.TestingT, key string) map[string]float64 {
	answer, err := k.server.Redis().Do(context.Background(), "ZRANGE", key, "0", "-1", "WITHSCORES")
	require.NoError(tb, err)
	flat := answer.([]any)
	current := map[string]float64{}
	for i := 0; i < len(flat); i += 2 {
		stored, err := strconv.ParseFloat(flat[i+1].(string), 64)
		require.NoError(tb, err)
		current[flat[i].(string)] = stored
	}
	return current
}

// A play that does not count puts the entry that counts onto the boards of the groups that it
// names: on every way in, and also if every answer of Redis is lost once.
func TestAPlayThatIsKeptDoesNotEnterGroups(t *testing.T) {
	overREST(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, groupGame)
		k.impatient()
		for mode, scores := range map[string][2]game.Score{
			"first": {100, 900}, "golf": {5, -3}, "best": {900, 100}, "fastest": {100, 900}, "shared": {9, 3}, "shared_first": {3, 9},
		} {
			for _, way := range wayNames() {
				for _, lost := range []bool{false, true} {
					t.Run(fmt.Sprint(mode, " by ", way, ", answers lost: ", lost), func(t *testing.T) {
						k.empty()
						if lost {
							k.server.Inject(everySecond())
							defer k.server.Inject(nil)
						}
						require.NoError(t, ways[way](k.process(), k.play(mode, "p", scores[0])))
						again := k.play(mode, "p", scores[1])
						again.Scopes = []game.Scope{group(t, "g1"), group(t, "g2")}
						require.NoError(t, ways[way](k.process(), again))
						k.server.Inject(nil)
						p := k.process()
						day := k.raw(t, k.dayBoard(p, mode).Key)
						require.Equal(t, scores[0], k.mode(mode).Decode(day["p"]))
						for _, scope := range again.Scopes {
							b := game.BoardOf(k.mode(mode), k.dayBoard(p, mode).Period, scope)
							require.Equal(t, day, k.raw(t, b.Key))
						}
					})
				}
			}
		}
	})
}

// everySecond loses every second answer, after its effect.
func everySecond() func(upstashtest.Request) upstashtest.Fault {
	n := 0
	return func(upstashtest.Request) upstashtest.Fault {
		n++
		return upstashtest.Fault{CutAfter: n%2 == 1}
	}
}

// A player's entry on the day's board is also on the boards of all groups that any of the
// player's plays has named, and on boards made of them, whatever is lost and whichever process
// writes.
func TestGroupsFollowTheDay(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, groupGame)
		k.impatient()
		for _, m := range k.game.Modes {
			t.Run(m.Name, func(t *testing.T) {
				rapid.Check(t, func(rt *rapid.T) { groupsFollowTheDay(rt, k, m) })
			})
		}
	})
}

func groupsFollowTheDay(rt *rapid.T, k *kit, m *game.Mode) {
	k.server.Inject(nil)
	k.empty()
	k.clock.Set(noon)
	processes := []*process{k.process(), k.process()}
	model := newModel(m)
	members := map[string]map[string]bool{} // players by group
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "faults"), 0))
	n := 0
	for range rapid.IntRange(1, 6).Draw(rt, "rounds") {
		var subs []game.Submission
		for range rapid.IntRange(1, 4).Draw(rt, "plays") {
			n++
			player := fmt.Sprint("p", rapid.IntRange(1, 3).Draw(rt, "player"))
			sub := k.play(m.Name, player, game.Score(rapid.IntRange(0, 20).Draw(rt, "score")))
			sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint("once-", n), Fingerprint: "f"}
			for _, id := range []string{"red", "blue"} {
				if rapid.IntRange(0, 3).Draw(rt, id) > 0 {
					continue
				}
				sub.Scopes = append(sub.Scopes, group(k.tb, id))
				if members[id] == nil {
					members[id] = map[string]bool{}
				}
				members[id][player] = true
			}
			model.submit(player, sub.Score, sub.At)
			subs = append(subs, sub)
		}
		way, p := ways[rapid.SampledFrom(wayNames()).Draw(rt, "way")], rapid.SampledFrom(processes).Draw(rt, "process")
		k.server.Inject(func(upstashtest.Request) upstashtest.Fault {
			return upstashtest.Fault{CutBefore: random.IntN(8) == 0, CutAfter: random.IntN(8) == 1}
		})
		for way(p, subs...) != nil { // sent again, as a client does that got no answer
		}
		k.server.Inject(nil)
		k.checkGroups(rt, rapid.SampledFrom(processes).Draw(rt, "reader"), model, members)
	}
}

// checkGroups compares boards of groups with the model: cards as they are read at once, and
// whole boards after the interval of a refresh.
func (k *kit) checkGroups(rt *rapid.T, p *process, model *model, members map[string]map[string]bool) {
	ctx := context.Background()
	m := model.mode
	day := k.dayBoard(p, m.Name)
	current := k.raw(rt, day.Key)
	for player, stored := range current {
		require.Equal(rt, model.entries[player].score, m.Decode(stored), player)
	}
	for id, players := range members {
		want := map[string]float64{}
		scores := map[string]game.Score{}
		b := game.BoardOf(m, day.Period, group(k.tb, id))
		for player := range players {
			want[player], scores[player] = current[player], m.Decode(current[player])
			card, err := p.Boards.Card(ctx, b, player)
			require.NoError(rt, err)
			require.Equal(rt, scores[player], card.Score, "the card of %s in %s", player, id)
		}
		k.clock.Set(k.clock.Now().Add(k.game.Refresh))
		for _, read := range []game.Board{b, game.BoardOf(m, game.Week.Of(day.Period.First()), b.Scope)} {
			got := map[string]game.Score{}
			for _, e := range wholeBoard(rt, k.process(), read, 2) {
				got[e.Player] = e.Score
			}
			require.Equal(rt, scores, got, read.Key)
		}
		require.Equal(rt, want, k.raw(rt, b.Key))
	}
}

// The roll-up of a group takes the entries of the day's board, whether or not anybody has
// looked at the group or closed the day.
func TestAFoldTakesGroupsAsTheDayHasThem(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, groupGame)
		ctx := context.Background()
		p := k.process()
		first := k.play("best", "p", 100)
		first.Scopes = []game.Scope{group(t, "red")}
		require.NoError(t, ways["one"](p, first, k.play("best", "p", 900)))
		k.clock.Set(noon.AddDate(0, 0, 7))
		p = k.process()
		view, err := p.Rollup.Calendar.Survey(ctx)
		require.NoError(t, err)
		report, err := p.Days.RollUpDays(ctx, view)
		require.NoError(t, err)
		require.Len(t, report.Boards, 2)
		for _, kind := range []game.PeriodKind{game.Month, game.AllTime} {
			entries := wholeBoard(t, p, game.BoardOf(k.mode("best"), kind.Of(first.Date), first.Scopes[0]), 5)
			require.Len(t, entries, 1)
			require.EqualValues(t, 900, entries[0].Score)
		}
	})
}
