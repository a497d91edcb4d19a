package board

import (
	"context"
	"sync"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/played"
	"github.com/framedle/leaderboards/internal/profiles"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// ranksInBatch is the largest board whose entries are read whole to tell each
// submission of a batch its rank: some 400 KB in one command. On a larger one
// an answer has no rank, since a thousand ranks would cost a thousand commands.
const ranksInBatch = 5000

// batchSums is how many sums of a batch are sent side by side.
const batchSums = 16

// BatchOutcome is what became of one submission of a batch. Rank is 0 on a
// board of more than 5,000 players.
type BatchOutcome struct {
	Outcome
	Err error
}

// SubmitBatch writes many scores and answers each in order. One that fails
// spoils no other. Several scores of one player count in the order given.
//
// Cost, in 1 round trip: 4 billed commands for each day board, whatever the
// number of scores, and where it names groups 2 and 1 for each of them. Where
// entries are replaced up to 3 more, and those of groups again, in a second one.
// Sums cost 4 each, and 1 for each group.
func (s *Store) SubmitBatch(ctx context.Context, subs []Submission) []BatchOutcome {
	outcomes := make([]BatchOutcome, len(subs))
	order := make([]int, len(subs))
	for i := range order {
		order[i] = i
	}
	groups, sums := s.sortOut(ctx, subs, order, outcomes)
	s.writeGroups(ctx, groups, outcomes)
	s.submitSums(ctx, subs, sums, outcomes)
	return outcomes
}

// sortOut groups submissions by day board, in an order of their indexes, and
// apart from these the sums. What cannot be written gets its outcome.
func (s *Store) sortOut(ctx context.Context, subs []Submission, order []int, outcomes []BatchOutcome) (groups []*group, sums []int) {
	unknown := s.Notices.Know(ctx)
	byBoard := map[string]*group{}
	for _, i := range order {
		sub := subs[i]
		switch {
		case !s.Rollup.Calendar.Writable(sub.Date):
			outcomes[i].Err = game.ErrDayExpired
			continue
		case unknown != nil:
			outcomes[i].Err = unknown
			continue
		case s.Notices.Has(sub.Player):
			outcomes[i].Err = notices.ErrBanned
			continue
		case sub.Mode.Policy == game.Sum:
			sums = append(sums, i)
			continue
		}
		w := s.newWrite(sub)
		g := byBoard[w.board.Key]
		if g == nil {
			g = &group{s: s, board: w.board, date: sub.Date}
			byBoard[w.board.Key] = g
			groups = append(groups, g)
		}
		g.items = append(g.items, item{write: w, index: i})
	}
	return groups, sums
}

func (s *Store) submitSums(ctx context.Context, subs []Submission, sums []int, outcomes []BatchOutcome) {
	var wait sync.WaitGroup
	slots := make(chan struct{}, batchSums)
	for _, lane := range lanes(subs, sums) {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			for _, i := range lane {
				outcomes[i].Outcome, outcomes[i].Err = s.Submit(ctx, subs[i])
			}
		})
	}
	wait.Wait()
}

// lanes keeps each player's submissions in order and apart from the others'.
func lanes(subs []Submission, indexes []int) [][]int {
	byPlayer := map[string]int{}
	var all [][]int
	for _, i := range indexes {
		lane, ok := byPlayer[subs[i].Player]
		if !ok {
			lane = len(all)
			byPlayer[subs[i].Player] = lane
			all = append(all, nil)
		}
		all[lane] = append(all[lane], i)
	}
	return all
}

// group is the part of a batch that goes to one day board.
type group struct {
	s     *Store
	board game.Board
	date  game.Date
	items []item

	before  []rdb.Place          // by item, as the batch came
	turn    map[string]rdb.Place // what stands for a player as the batch goes on
	after   []rdb.Place          // by item
	added   int64                // players
	whole   []game.Entry         // the board after the write, if it is small
	total   int64
	carried *carried
}

type item struct {
	*write
	index int
}

func (s *Store) writeGroups(ctx context.Context, groups []*group, outcomes []BatchOutcome) {
	if len(groups) == 0 {
		return
	}
	var p, again rdb.Pipeline
	for _, g := range groups {
		g.queue(&p)
	}
	attempts, err := p.Run(ctx, s.DB.Redis)
	if err == nil {
		for _, g := range groups {
			g.improve(&again, g.judge(attempts, outcomes))
		}
		_, err = again.Run(ctx, s.DB.Redis)
	}
	for _, g := range groups {
		failed := rdb.Wrap("write the scores", err)
		if failed == nil {
			failed = g.settle(ctx, outcomes)
		}
		if failed == nil {
			continue
		}
		for _, it := range g.items {
			outcomes[it.index].Err = failed
		}
	}
}

// queue adds the group's commands: what stood before, the entries of players who
// have none, what stands after that, and the board itself when it is small
// enough to rank everybody.
func (g *group) queue(p *rdb.Pipeline) {
	g.before = make([]rdb.Place, len(g.items))
	g.after = make([]rdb.Place, len(g.items))
	p.Add(g.scores(), rdb.PlacesInto(g.before))
	pairs := make([]string, 0, 2*len(g.items))
	for _, it := range g.items {
		pairs = append(pairs, game.FormatStored(it.stored), it.Player)
	}
	p.Add(zadd(ifNew, g.board.Key, pairs...), nil)
	g.follow(p)
	g.queueAfter(p)
	g.queueCarried(p)
	writes := make([]*write, len(g.items))
	for i, it := range g.items {
		writes[i] = it.write
	}
	g.s.post(p, writes...)
}

// improve queues the entries that replace others, in order, and what stands then.
// They wait for an answer to the first ones: a write that was sent twice would
// not tell which entries were there before.
func (g *group) improve(p *rdb.Pipeline, pairs []string) {
	if len(pairs) == 0 {
		return
	}
	if g.board.Mode.Policy == game.Latest {
		p.Add(latestCommand(g.board.Mode, g.board.Key, pairs...), nil)
	} else {
		p.Add(zadd(replacing(g.board.Mode), g.board.Key, pairs...), nil)
	}
	g.follow(p)
	g.queueAfter(p)
}

// queueAfter asks for the board itself, up to the size whose entries are all
// ranked; of a board known to be larger, only for the batch's own scores.
func (g *group) queueAfter(p *rdb.Pipeline) {
	players, known := g.s.Totals.Fresh(g.board.Key)
	if known && players > ranksInBatch {
		g.askAfter(p)
		return
	}
	p.Add(rdb.RangeCommand(g.board, 0, ranksInBatch), func(r upstash.Reply) error {
		g.whole = nil
		if err := rdb.EntriesInto(g.board, &g.whole)(r); err != nil {
			return err
		}
		if g.total = int64(len(g.whole)); g.total > ranksInBatch {
			g.whole = nil
		}
		return nil
	})
}

func (g *group) askAfter(p *rdb.Pipeline) {
	p.Add(g.scores(), rdb.PlacesInto(g.after))
	p.Add(upstash.Cmd("ZCARD", g.board.Key), rdb.IntInto(&g.total))
}

func (g *group) queueCarried(p *rdb.Pipeline) {
	g.carried = g.s.carry()
	seen := map[game.Scope]bool{}
	at := map[string]int{} // of players, in the profiles
	scopes := []game.Scope{{}}
	var played []played.Group
	for _, it := range g.items {
		played = append(played, it.groupsPlayed()...)
		for _, scope := range it.Scopes {
			if !seen[scope] {
				seen[scope] = true
				scopes = append(scopes, scope)
			}
		}
		i, again := at[it.Player]
		if !again {
			i = len(g.carried.profiles)
			at[it.Player] = i
			g.carried.profiles = append(g.carried.profiles, profiles.ProfileWrite{Player: it.Player})
		}
		w := &g.carried.profiles[i]
		if it.Profile == (game.Profile{}) {
			continue
		}
		w.New = it.Profile.Over(w.New)
		if it.At.After(w.At) {
			w.At = it.At
		}
		w.Late = w.Late || it.isLate()
	}
	g.s.Players.KeepProfiles(p, g.carried.profiles)
	for _, scope := range scopes {
		g.carried.Day(p, g.board.Mode, g.date, scope)
	}
	g.carried.groups = g.s.Played.Keep(p, played)
	g.carried.Prove(p)
	g.carried.reopen(p, g.board.Mode, g.date)
}

// scores asks for every item's stored score, in order.
func (g *group) scores() upstash.Command {
	args := make([]string, 0, len(g.items)+2)
	args = append(args, "ZMSCORE", g.board.Key)
	for _, it := range g.items {
		args = append(args, it.Player)
	}
	return upstash.Cmd(args...)
}
