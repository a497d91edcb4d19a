package closing_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/audit"
	"github.com/framedle/leaderboards/internal/feature/audit/auditstore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// audited is a game with a record of what submissions do. The test plays it at the present
// time, since the record goes by Redis' clock.
type audited struct {
	*kit
	r     *rand.Rand
	today game.Date
	since game.Date
	keys  []string // keys of sums that were used
	wants []did    // in the order of the plays
}

// did is what a play did to a board of Redis.
type did struct {
	player, mode  string
	stored        float64
	stood, stands *float64
	status        game.Status // "": no caller got an answer
	by            game.Credential
}

func onAudited(t *testing.T, seed uint64, test func(a *audited)) {
	onEngines(t, func(k *kit) {
		k.now = time.Now().UTC()
		a := &audited{kit: k, r: rand.New(rand.NewPCG(seed, 1)), today: game.DateOf(k.now)}
		a.record(a.today)
		test(a)
	})
}

// record makes the game keep a record from a date on.
func (a *audited) record(since game.Date) {
	a.since = since
	a.game = testkit.Game(a.t, testGame+"outbox: true\naudit: {since: "+since.String()+"}\n")
}

func (a *audited) score(m *game.Mode, player string) *float64 {
	a.t.Helper()
	return a.stored(m, a.today, player)
}

// The record has both of two plays that have one id in two Redises.
func TestTheRecordHasPlaysOfTwoRedisesWithOneID(t *testing.T) {
	onAudited(t, 1, func(a *audited) { playInTwoRedises(a.kit, "submissions", "score_audit") })
}

// any is some submission: at some moment of the day until now, of few players.
func (a *audited) any() game.Submission {
	m := a.game.Modes[a.r.IntN(len(a.game.Modes))]
	sub := game.Submission{
		Mode: m, Player: fmt.Sprintf("player%d", a.r.IntN(3)), Date: a.today, At: a.today.Midnight().Add(time.Duration(a.r.IntN(3600)) * time.Second),
		Score: m.Min + game.Score(a.r.Int64N(12)), By: []game.Credential{"", game.SessionToken, game.OperatorToken}[a.r.IntN(3)],
	}
	if m.Policy == game.Sum {
		sub.Score = 400 + game.Score(a.r.Int64N(100)) // the day's total leaves its bounds
		key := fmt.Sprint("key", len(a.keys))
		if len(a.keys) > 0 && a.r.IntN(4) == 0 {
			key = a.keys[a.r.IntN(len(a.keys))]
		}
		a.keys = append(a.keys, key)
		sub.Idempotency = game.IdempotencyRecord{ID: key, Fingerprint: "f"}
	}
	return sub
}

// play makes one submission take effect, by any way in, and notes what it did.
func (a *audited) play(store *lifecycle.Parts) {
	sub := a.any()
	want := did{player: sub.Player, mode: sub.Mode.Name, stored: sub.Stored(a.game), by: sub.By, stood: a.score(sub.Mode, sub.Player)}
	switch a.r.IntN(3) {
	case 0:
		outcome, _ := store.Boards.Submit(context.Background(), sub)
		want.status = outcome.Status
	case 1:
		outcome := store.Boards.SubmitBatch(context.Background(), []game.Submission{sub})
		want.status = outcome[0].Status
	default:
		store.Boards.SubmitQueued(context.Background(), []game.Submission{sub})
	}
	want.stands = a.score(sub.Mode, sub.Player)
	a.wants = append(a.wants, want)
}

// rows returns the record in the order in which it was made.
func (a *audited) rows() []audit.Entry {
	a.t.Helper()
	var all []audit.Entry
	for _, m := range a.game.Modes {
		rows, err := auditstore.In(a.archive()).Before(context.Background(), audit.Query{Mode: m.Name, From: a.today, To: a.today}, audit.Place{}, 10_000)
		require.NoError(a.t, err)
		all = append(all, rows...)
	}
	return all
}

// stands compares what the record says of each player with the boards.
func (a *audited) stands() {
	a.t.Helper()
	last := map[string]audit.Entry{}
	for _, row := range a.rows() { // newest first
		if _, later := last[row.Mode+row.Player]; !later {
			last[row.Mode+row.Player] = row
		}
	}
	require.NotEmpty(a.t, last)
	for _, row := range last {
		require.Equal(a.t, a.score(a.mode(row.Mode), row.Player), row.After, "%s in %s", row.Player, row.Mode)
	}
}

// The record has for each submission the score that stood before and the one after, as Redis
// had them at that moment: whichever way the submission came in, and however the outbox is
// read.
func TestTheRecordSaysWhatEachSubmissionDid(t *testing.T) {
	onAudited(t, 1, func(a *audited) {
		store := a.process().Store
		for n := range 300 {
			if n%50 == 49 {
				store = a.process().Store // which remembers nothing
			}
			a.play(store)
			if a.r.IntN(40) == 0 { // an operator removes a score
				m, player := a.game.Modes[a.r.IntN(len(a.game.Modes))], fmt.Sprintf("player%d", a.r.IntN(3))
				_, err := a.server.Redis().Do(context.Background(), "ZREM", game.DayBoardKey(m.Name, a.today), player)
				require.NoError(a.t, err)
				time.Sleep(2 * time.Millisecond)
				_, err = a.archive().Results.Delete(context.Background(), m.Name, a.today, player, game.Act{ID: fmt.Sprint("act", n), Actor: "operator", At: time.Now().Add(-time.Millisecond)})
				require.NoError(a.t, err)
				time.Sleep(2 * time.Millisecond)
				store = a.process().Store
			}
			if a.r.IntN(25) == 0 {
				_, err := a.process().Save(context.Background())
				require.NoError(a.t, err)
			}
		}
		_, err := a.process().Save(context.Background())
		require.NoError(a.t, err)
		byMode := map[string][]did{}
		for _, want := range a.wants {
			byMode[want.mode] = append(byMode[want.mode], want)
		}
		rows := a.rows()
		require.Len(a.t, rows, len(a.wants))
		seen := map[game.Status]int{}
		for _, row := range rows {
			wants := byMode[row.Mode]
			want := wants[len(wants)-1]
			byMode[row.Mode] = wants[:len(wants)-1]
			about := fmt.Sprintf("%+v\n%+v", want, row)
			require.Equal(a.t, want.player, row.Player, about)
			require.Equal(a.t, want.stored, row.Stored, about)
			require.Equal(a.t, want.stood, row.Before, about)
			require.Equal(a.t, want.stands, row.After, about)
			require.Equal(a.t, want.by, row.By, about)
			require.WithinDuration(a.t, time.Now(), row.Taken, time.Minute)
			switch {
			case row.Outcome == audit.Refused:
				require.Equal(a.t, want.stood, want.stands, about)
			case want.status != "" && row.Outcome != game.Replayed:
				require.Equal(a.t, want.status, row.Outcome, about)
			case row.Outcome == game.Replayed:
				require.Equal(a.t, want.stood, want.stands, about)
			}
			seen[row.Outcome]++
		}
		for _, status := range []game.Status{game.Accepted, game.Improved, game.Kept, game.Replayed, audit.Refused} {
			require.Positive(a.t, seen[status], "%s: %v", status, seen)
		}
		require.Zero(a.t, seen[audit.NotKnown])
	})
}

// Writes are sent again, several clients write at once, and several runs read the outbox at
// once and are cut off anywhere: each entry is recorded once, and in the end the record agrees
// with the boards.
func TestTheRecordIsWholeWhateverHappens(t *testing.T) {
	onAudited(t, 2, func(a *audited) {
		sent := 0
		var mu sync.Mutex
		a.server.Inject(func(upstashtest.Request) upstashtest.Fault {
			mu.Lock()
			defer mu.Unlock()
			sent++
			return upstashtest.Fault{CutAfter: sent%7 == 3}
		})
		var writers sync.WaitGroup
		for range 4 {
			var subs []game.Submission
			for range 60 {
				subs = append(subs, a.any())
			}
			writers.Go(func() {
				store := a.process().Store
				for i, sub := range subs {
					switch i % 3 {
					case 0:
						_, _ = store.Boards.Submit(context.Background(), sub)
					case 1:
						store.Boards.SubmitBatch(context.Background(), []game.Submission{sub, subs[max(0, i-1)]})
					default:
						store.Boards.SubmitQueued(context.Background(), []game.Submission{sub})
					}
				}
			})
		}
		// Runs that may read at the same time: no lock separates them.
		drain := func(wait time.Duration) error {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			defer time.AfterFunc(wait, cancel).Stop()
			_, err := a.server.Redis().Do(context.Background(), "DEL", "lock:save")
			require.NoError(a.t, err)
			_, err = a.process().Save(ctx)
			return err
		}
		written := make(chan struct{})
		var drains sync.WaitGroup
		for i := range 3 {
			drains.Go(func() {
				for n := 0; ; n++ {
					select {
					case <-written:
						return
					default:
						_ = drain(time.Duration(5+(i*7+n*5)%60) * time.Millisecond)
					}
				}
			})
		}
		writers.Wait()
		close(written)
		drains.Wait()
		a.server.Inject(nil)
		require.NoError(a.t, drain(30*time.Second))
		left, err := a.server.Redis().Do(context.Background(), "XLEN", game.OutboxKey)
		require.NoError(a.t, err)
		require.EqualValues(a.t, 0, left)
		a.stands()
		require.Equal(a.t, a.count("submissions"), a.count("score_audit"))
	})
}
