package standings_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/upstash"
)

// On a board of more than 1,000 players, a write that shows the places around reads those
// places where its score is likely to be, instead of the rank. Wherever the player is, rank
// and places equal those of a process that guesses nothing.
func TestAShownWriteLooksWhereItsScoreComesIn(t *testing.T) {
	for _, mode := range []string{"first", "best", "fastest", "shared", "shared_best"} {
		t.Run(mode, func(t *testing.T) {
			onEngines(t, func(t *testing.T, k *kit) { k.looksWhereScoresComeIn(t, mode) })
		})
	}
}

func (k *kit) looksWhereScoresComeIn(t *testing.T, mode string) {
	lots := rand.New(rand.NewPCG(1, 2))
	k.ageless()
	crowd := func(name string, players int) {
		var subs []game.Submission
		for i := range players {
			subs = append(subs, k.play(mode, fmt.Sprint(name, i), game.Score(1+lots.IntN(999))))
		}
		for _, o := range k.process().Boards.SubmitBatch(t.Context(), subs) {
			require.NoError(t, o.Err)
		}
	}
	crowd("a", 1000)
	crowd("b", 500)
	p := k.process()
	reads := board.NewReader(p.Boards, nil, nil)
	looked, found := 0, 0
	for i := range 150 {
		if i%10 == 0 {
			crowd(fmt.Sprint("c", i, "-"), 1+lots.IntN(60))
		}
		sub := k.play(mode, fmt.Sprint("player", lots.IntN(400)), game.Score(1+lots.IntN(999)))
		sub.ShowsAround = true
		before := p.meter.Usage().ByName["ZREVRANK"] + p.meter.Usage().ByName["ZRANK"]
		outcome, err := p.Boards.Submit(t.Context(), sub)
		require.NoError(t, err)
		if asked := p.meter.Usage().ByName["ZREVRANK"] + p.meter.Usage().ByName["ZRANK"]; asked == before {
			looked++
		}
		look := func() game.Page {
			shown, err := reads.Around(t.Context(), k.dayBoard(p, mode), sub.Player, 5, board.Seen{Rank: outcome.Rank, Run: outcome.Run})
			require.NoError(t, err)
			return shown.Found
		}
		shown := look()
		if outcome.Run.Entries != nil {
			if commands, _ := p.spent(func() { look() }); commands == 0 { // now that the names are known
				found++
			}
		}
		fresh := k.process()
		other, err := fresh.Boards.Around(t.Context(), k.dayBoard(fresh, mode), sub.Player, 5)
		require.NoError(t, err)
		require.Equal(t, other.Entries, shown.Entries)
		stands, err := fresh.Boards.Card(t.Context(), k.dayBoard(fresh, mode), sub.Player)
		require.NoError(t, err)
		require.Equal(t, stands.Rank, outcome.Rank)
		require.Equal(t, stands.Score, outcome.Score)
		require.GreaterOrEqual(t, shown.Total, outcome.Rank)
		require.LessOrEqual(t, shown.Total, other.Total)
	}
	if k.mode(mode).Ties == game.Shared {
		require.Zero(t, found, "of shared ranks a run of places does not tell the rank")
		return
	}
	t.Logf("of 150 writes %d found their rank where they looked, and %d the places around", looked, found)
	require.Greater(t, looked, 60)
	require.Greater(t, found, 60)
}

// On a growing board, the places where scores came in predict where the next one will.
func TestAScoreComesInWhereItIsGuessed(t *testing.T) {
	lots := rand.New(rand.NewPCG(3, 4))
	k := newKit(t, "")
	b := k.dayBoard(k.process(), "first")
	for _, scores := range []int{7, 100, 100_000} { // many ties, few, none
		seen := memory.NewLandings()
		having := make([]int, scores) // players with each score
		guessed, right := 0, 0
		for n := range 12_000 {
			score := lots.IntN(scores)/2 + lots.IntN(scores+1)/2
			position := 0
			for better := score; better < scores; better++ {
				position += having[better]
			}
			if n > 1000 && n%10 == 0 { // one process of ten gets this write
				first, last := seen.Guess(b, game.Score(score), int64(n))
				if last-first < 200 {
					guessed++
					if first <= int64(position) && int64(position) <= last {
						right++
					}
				}
				seen.Note(b, game.Score(score), int64(position), int64(n+1))
			}
			having[score]++
		}
		t.Logf("%d scores: %d guessed of 1100, %d right", scores, guessed, right)
		require.Greater(t, guessed, 800)
		require.Greater(t, right, guessed*9/10)
	}
}

// A write whose total is due reads the board from where its score is likely to be to one end:
// rank, total and mostly the top for one command. Whatever has happened to the board
// meanwhile, they equal those of a process that remembers nothing.
func TestAWriteReadsToAnEndOfTheBoard(t *testing.T) {
	for _, mode := range []string{"first", "best", "fastest"} {
		t.Run(mode, func(t *testing.T) {
			onEngines(t, func(t *testing.T, k *kit) { k.readsToAnEnd(t, mode, 1300, 1600, 80, 60, 210) })
		})
		t.Run(mode+", small", func(t *testing.T) {
			onEngines(t, func(t *testing.T, k *kit) { k.readsToAnEnd(t, mode, 150, 100, 20, 30, 0) })
		})
	}
}

// readsToAnEnd plays on a board that begins with so many players, grows by a few at a time and by
// a leap at once, and loses some at both ends. A run of more than atLeast places reaches an end.
func (k *kit) readsToAnEnd(t *testing.T, mode string, begins, leap, lost, few, atLeast int) {
	lots := rand.New(rand.NewPCG(5, 6))
	pass := k.aging()
	b := k.dayBoard(k.process(), mode)
	players := 0
	crowd := func(n int) {
		var subs []game.Submission
		for range n {
			players++
			subs = append(subs, k.play(mode, fmt.Sprint("c", players), game.Score(1+lots.IntN(999))))
		}
		for many := range slices.Chunk(subs, 1000) {
			for _, o := range k.process().Boards.SubmitBatch(t.Context(), many) {
				require.NoError(t, o.Err)
			}
		}
	}
	crowd(begins)
	p := k.process()
	reader := k.process()
	ends, tops, hinted := 0, 0, 0
	for i := range 200 {
		pass(time.Duration(lots.IntN(12)) * time.Second)
		switch {
		case i%40 == 39:
			crowd(leap) // of a large board more than a run may have grown by
		case i%50 == 49: // removed, without a note to any process
			k.redis.Do("ZREMRANGEBYRANK", b.Key, "0", strconv.Itoa(lost))
			k.redis.Do("ZREMRANGEBYRANK", b.Key, strconv.Itoa(-1-lost), "-1")
		case i%8 == 0:
			crowd(lots.IntN(few))
		}
		sub := k.play(mode, fmt.Sprint("player", lots.IntN(300)), game.Score(1+lots.IntN(999)))
		sub.ShowsAround = lots.IntN(2) == 0
		sub.ShowsTop = 100 * lots.Int64N(2)
		_, _, held := p.Boards.Windows.Top(b.Key, 100, memory.AnyAge)
		var used upstash.Meter
		outcome, err := p.Boards.Submit(upstash.WithMeter(t.Context(), &used), sub)
		require.NoError(t, err)
		fresh := k.process()
		stands, err := fresh.Boards.Card(t.Context(), b, sub.Player)
		require.NoError(t, err)
		require.Equal(t, stands.Rank, outcome.Rank)
		require.Equal(t, stands.Score, outcome.Score)
		asked := used.Usage().ByName
		end := asked["ZCARD"] == 0 && len(outcome.Run.Entries) > atLeast
		if end {
			ends++
		}
		if end || asked["ZCARD"] > 0 {
			require.Equal(t, stands.Total, outcome.Total)
		}
		if top, _, holds := p.Boards.Windows.Top(b.Key, 100, memory.AnyAge); !held && holds {
			tops++
			other, err := fresh.Boards.Page(t.Context(), b, game.PageRequest{Limit: 100})
			require.NoError(t, err)
			require.Equal(t, other.Total, top.Total)
			require.Equal(t, other.Entries, top.Entries)
			p.Boards.Windows.Forget(b.Key)
		}
		if i%3 == 0 { // another function answers, which knows the board as it was a while ago
			k.surroundings(t, reader, b, sub.Player, outcome.Rank+lots.Int64N(120)-60, &hinted)
		}
	}
	t.Logf("of 200 writes %d read to an end, %d had the top; %d surroundings took one command", ends, tops, hinted)
	require.Greater(t, ends, 40)
	require.Greater(t, hinted, 15)
	require.Greater(t, tops, 40)
}

// The places around, found with a hint that may be wrong, equal those of a process that
// remembers nothing.
func (k *kit) surroundings(t *testing.T, reader *process, b game.Board, player string, near int64, one *int) {
	reads := board.NewReader(reader.Boards, nil, nil)
	var used upstash.Meter
	shown, err := reads.Around(upstash.WithMeter(t.Context(), &used), b, player, 5, board.Seen{Rank: max(1, near)})
	require.NoError(t, err)
	other, err := k.process().Boards.Around(t.Context(), b, player, 5)
	require.NoError(t, err)
	require.Equal(t, other.Entries, shown.Found.Entries)
	asked := used.Usage().ByName
	if asked["ZCARD"] > 0 {
		require.Equal(t, other.Total, shown.Found.Total)
	}
	if asked["ZRANGE"] == 1 && len(asked) == 1 && shown.Found.Total == other.Total {
		*one++
	}
}
