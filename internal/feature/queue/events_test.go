package queue_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/platform/host"
)

const activeGame = `
name: testing
grace: 15m
activity:
  groups: [g1]
  events:
    chat.message: {who: [from, to], message: true, count: {sent: from}, distinct: {senders: {of: to, by: from}}}
  pillars:
    social: {sent: 0.5, senders: 1}
modes:
  social: {policy: latest, ties: shared, decimals: 2, max: 1000, scopes: [group]}
  best: {policy: best, max: 1000}
`

// active is the parts of a process of a game with activity.
type active struct {
	*lifecycle.Parts
	activity *activity.Activity
}

// active is a process of a game with activity.
func (k *kit) active() (*queue.Ingest, active) {
	s := k.store()
	acts := activity.NewIn(s)
	log := slog.New(k.log)
	return &queue.Ingest{Game: k.game, Store: s.Boards, Log: log, Events: queue.Events{Acts: acts, Log: log}}, active{s, acts}
}

func chat(n int, from, to string) string {
	return fmt.Sprintf(`{"id":"e-%d","type":"chat.message","at":%q,"group":"g1","from":%q,"to":%q}`,
		n, noon.Add(-time.Duration(n)*time.Minute).Format(time.RFC3339), from, to)
}

func eventsBody(events ...string) string { return `{"events":[` + strings.Join(events, ",") + `]}` }

// Messages of events come one to three times, in any order and batches, to three processes
// whose connections are cut: boards are those of the events, each once, and scores beside
// them are written.
func TestQueuedEventsCountOnceHoweverTheyCome(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = testkit.Game(t, activeGame)
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
			name := func() string { return string(rune('a' + random.IntN(5))) }
			sent, senders := map[string]int{}, map[string]map[string]bool{}
			var messages []host.QueueMessage
			for n := 0; n < 60; {
				var events []string
				for range 1 + random.IntN(8) {
					from, to := name(), name()
					n++
					events = append(events, chat(n, from, to))
					if from != to { // whom a game refuses
						sent[from]++
						if senders[to] == nil {
							senders[to] = map[string]bool{}
						}
						senders[to][from] = true
					}
				}
				m := host.QueueMessage{ID: fmt.Sprint("m-", n), Body: eventsBody(events...), Receives: 1}
				for range 1 + random.IntN(3) {
					messages = append(messages, m)
				}
			}
			score, err := queue.Encode(k.play(1, "best", "player", 7))
			require.NoError(rt, err)
			messages = append(messages, host.QueueMessage{ID: "score", Body: score, Receives: 1})
			random.Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })

			var all []*queue.Ingest
			var last active
			for range 3 {
				in, s := k.active()
				all, last = append(all, in), s
			}
			k.Server.Inject(cuts(random))
			for len(messages) > 0 {
				some := messages[:min(len(messages), 1+random.IntN(10))]
				failed, err := all[random.IntN(len(all))].Take(t.Context(), some)
				require.NoError(rt, err)
				messages = messages[len(some):]
				for _, m := range some {
					for _, id := range failed {
						if m.ID == id {
							messages = append(messages, m)
							break
						}
					}
				}
			}
			k.Server.Inject(nil)
			_, err = last.activity.Compute(t.Context())
			require.NoError(rt, err)

			want := map[string]game.Score{}
			for player, n := range sent {
				want[player] += game.Score(50 * n)
			}
			for player, from := range senders {
				want[player] += game.Score(100 * len(from))
			}
			m := k.mode("social")
			page, err := last.Boards.Page(t.Context(), game.BoardOf(m, game.Day.Of(k.game.Today(noon)), game.Scope{}), game.PageRequest{Limit: 100})
			require.NoError(rt, err)
			got := map[string]game.Score{}
			for _, e := range page.Entries {
				got[e.Player] = e.Score
			}
			require.Equal(rt, want, got)
			_, err = last.Boards.Card(t.Context(), game.BoardOf(k.mode("best"), game.Day.Of(k.game.Today(noon)), game.Scope{}), "player")
			require.NoError(rt, err)
		})
	})
}

// What is no batch of events goes to the dead letters and costs nothing; an event that
// the rules refuse spoils nothing beside it, and is not named in the log.
func TestEventsThatCannotBeReadGoToTheDeadLetters(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = testkit.Game(t, activeGame)
		var log bytes.Buffer
		k.log = slog.NewJSONHandler(&log, nil)
		in, _ := k.active()
		many := make([]string, activity.MostEvents+1)
		for i := range many {
			many[i] = chat(i, "a", "b")
		}
		var messages []host.QueueMessage
		for i, body := range []string{`{"events":7}`, `{"events":[]}`, `{"events":[` + chat(1, "a", "b") + `],"more":1}`, eventsBody(many...), `{"events":`} {
			messages = append(messages, host.QueueMessage{ID: fmt.Sprint(i), Body: body, Receives: 1})
		}
		before := k.Ran()
		failed, err := in.Take(t.Context(), messages)
		require.NoError(t, err)
		require.ElementsMatch(t, []string{"0", "1", "2", "3", "4"}, failed)
		require.Equal(t, before, k.Ran())
		for _, why := range []string{"events must be an array", "there are 0 events in a message; put 1 to 500 into it", "there are fields other than events", "there are 501 events"} {
			require.Contains(t, log.String(), why)
		}

		log.Reset()
		failed, err = in.Take(t.Context(), []host.QueueMessage{{ID: "m", Body: eventsBody("7", `{"id":"x","type":"dance","at":"2026-11-18T11:00:00Z","group":"g1","from":"secret"}`, chat(1, "secret", "b"))}})
		require.NoError(t, err)
		require.Empty(t, failed)
		require.Equal(t, 2, strings.Count(log.String(), "queued events were rejected"))
		require.NotContains(t, log.String(), "secret")

		k.game = testkit.Game(t, testGame)
		failed, err = (&queue.Ingest{Game: k.game, Log: slog.New(k.log)}).Take(t.Context(), messages[:1])
		require.NoError(t, err)
		require.Equal(t, []string{"0"}, failed, "a game without activity")
	})
}

// A thousand events in full messages cost what they cost over HTTP.
func TestQueuedEventsCostWhatBatchesDo(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = testkit.Game(t, activeGame)
		in, _ := k.active()
		messages := func(begin int) (all []host.QueueMessage) {
			for m := range 10 {
				var events []string
				for i := range 100 {
					events = append(events, chat(begin+m*100+i, fmt.Sprint("user_", i), "b"))
				}
				all = append(all, host.QueueMessage{ID: fmt.Sprint(m), Body: eventsBody(events...)})
			}
			return all
		}
		_, err := in.Take(t.Context(), messages(0)) // what a process asks once
		require.NoError(t, err)
		var failed []string
		commands, _ := testkit.Spent(k.Client.Meter(), func() { failed, err = in.Take(t.Context(), messages(10)) })
		require.NoError(t, err)
		require.Empty(t, failed)
		require.LessOrEqual(t, commands, int64(10), "two batches of 500")
	})
}
