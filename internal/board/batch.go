package board

import (
	"context"
	"sync"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
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
// number of scores, and 1 for each scoped board; sums cost 4 each.
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
	unknown := s.knowBans(ctx)
	byBoard := map[string]*group{}
	for _, i := range order {
		sub := subs[i]
		switch {
		case !s.writable(sub.Date):
			outcomes[i].Err = ErrDayGone
			continue
		case unknown != nil:
			outcomes[i].Err = unknown
			continue
		case s.bans.has(sub.Player):
			outcomes[i].Err = ErrBanned
			continue
		case sub.Mode.Policy == game.Sum:
			sums = append(sums, i)
			continue
		}
		w := s.newWrite(sub)
		g := byBoard[w.board.Key]
		if g == nil {
			g = &group{Store: s, board: w.board, date: sub.Date}
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
	*Store
	board Board
	date  game.Date
	items []item

	before  []place // by item
	after   []place
	whole   []Entry // the board after the write, if it is small
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
	var p pipeline
	for _, g := range groups {
		g.queue(&p)
	}
	attempts, err := p.run(ctx, s.redis)
	for _, g := range groups {
		if err != nil {
			for _, it := range g.items {
				outcomes[it.index].Err = wrap("write the scores", err)
			}
			continue
		}
		if err := g.settle(ctx, attempts, outcomes); err != nil {
			for _, it := range g.items {
				outcomes[it.index].Err = err
			}
		}
	}
}

// queue adds the group's commands: what stood before, the write, what stands
// after it, and the board itself when it is small enough to rank everybody.
func (g *group) queue(p *pipeline) {
	g.before = make([]place, len(g.items))
	g.after = make([]place, len(g.items))
	p.add(g.scores(), placesInto(g.before))
	pairs := make([]string, 0, 2*len(g.items))
	scoped := map[string][]string{}
	var scopedKeys []string
	for _, it := range g.items {
		stored := game.FormatStored(it.stored)
		pairs = append(pairs, stored, it.Player)
		for _, scope := range it.Scopes {
			key := it.scopedKey(scope)
			if scoped[key] == nil {
				scopedKeys = append(scopedKeys, key)
			}
			scoped[key] = append(scoped[key], stored, it.Player)
		}
	}
	p.add(g.put(g.board.Key, pairs), nil)
	for _, key := range scopedKeys {
		p.add(g.put(key, scoped[key]), nil)
	}
	g.queueAfter(p)
	g.queueCarried(p)
	writes := make([]*write, len(g.items))
	for i, it := range g.items {
		writes[i] = it.write
	}
	g.post(p, writes...)
}

// put writes many entries under the mode's policy, in order.
func (g *group) put(key string, pairs []string) upstash.Command {
	if g.board.Mode.Policy == game.Latest {
		return latestCommand(g.board.Mode, key, pairs...)
	}
	return zadd(g.board.Mode, key, pairs...)
}

// queueAfter asks for the board itself, up to the size whose entries are all
// ranked; of a board known to be larger, only for the batch's own scores.
func (g *group) queueAfter(p *pipeline) {
	players, known := g.totals.fresh(g.board.Key)
	if known && players > ranksInBatch {
		g.askAfter(p)
		return
	}
	p.add(g.board.rangeCommand(0, ranksInBatch), func(r upstash.Reply) error {
		if err := entriesInto(g.board, &g.whole)(r); err != nil {
			return err
		}
		if g.total = int64(len(g.whole)); g.total > ranksInBatch {
			g.whole = nil
		}
		return nil
	})
}

func (g *group) askAfter(p *pipeline) {
	p.add(g.scores(), placesInto(g.after))
	p.add(upstash.Cmd("ZCARD", g.board.Key), intInto(&g.total))
}

func (g *group) queueCarried(p *pipeline) {
	g.carried = &carried{store: g.Store}
	seen := map[game.Scope]bool{}
	at := map[string]int{} // of players, in the profiles
	scopes := []game.Scope{{}}
	for _, it := range g.items {
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
			g.carried.profiles = append(g.carried.profiles, profileWrite{player: it.Player})
		}
		w := &g.carried.profiles[i]
		w.new = it.Profile.over(w.new)
	}
	g.keepProfiles(p, g.carried.profiles)
	for _, scope := range scopes {
		g.carried.day(p, g.board.Mode, g.date, scope)
	}
	g.carried.prove(p)
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
