package leaderboard

import (
	"context"
	"slices"
	"sync"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// ranksInBatch is the largest board that is read whole to rank each submission of a batch:
// some 400 KB in one command. Answers about a larger board have no rank, since a thousand
// ranks would cost a thousand commands.
const ranksInBatch = 5000

// batchSums is how many sums of a batch are sent at the same time.
const batchSums = 16

// BatchOutcome is what became of one submission of a batch. Rank is 0 on a board of more than
// 5,000 players.
type BatchOutcome struct {
	Outcome
	Err error
}

// SubmitBatch writes many scores and answers each in order. If one fails, the others are
// written all the same. Several scores of one player count in the order given.
//
// Cost, in 1 round trip: for each day board 4 billed commands, whatever the number of scores;
// if the scores name groups 2 more, and 1 for each group; 1 for each level. If entries are
// replaced, up to 3 more in a second round trip, and those of groups again. Sums cost 4 each,
// and 1 for each group. Each day that has closed costs what [player.XP.CountLate] does too.
func (s *Store) SubmitBatch(ctx context.Context, subs []game.Submission) []BatchOutcome {
	order := make([]int, len(subs))
	for i := range order {
		order[i] = i
	}
	batch := s.newBatch(subs, false)
	batch.sortOut(ctx, order)
	batch.writeGroups(ctx)
	batch.submitSums(ctx)
	batch.countLate(ctx)
	return batch.outcomes
}

// batch is one call of SubmitBatch or SubmitQueued.
type batch struct {
	s        *Store
	subs     []game.Submission
	queued   bool // the submissions come from the queue, which may deliver them again
	groups   []*group
	sums     []int          // indexes of subs
	outcomes []BatchOutcome // by index of subs
}

func (s *Store) newBatch(subs []game.Submission, queued bool) *batch {
	return &batch{s: s, subs: subs, queued: queued, outcomes: make([]BatchOutcome, len(subs))}
}

// sortOut groups submissions by day board, in the given order of indexes, and sets the sums
// apart. A submission that may not be written gets its error here.
func (b *batch) sortOut(ctx context.Context, order []int) {
	unknown := b.s.Notices.MayWrite(ctx)
	byBoard := map[string]*group{}
	for _, i := range order {
		sub := b.subs[i]
		switch {
		case !b.s.Rollup.Calendar.Writable(sub.Date):
			b.outcomes[i].Err = ErrDaySealed
			continue
		case unknown != nil:
			b.outcomes[i].Err = unknown
			continue
		case b.s.Notices.Has(sub.Player):
			b.outcomes[i].Err = control.ErrBanned
			continue
		case sub.Mode.Policy == game.Sum:
			b.sums = append(b.sums, i)
			continue
		}
		w := b.s.newWrite(sub, b.queued)
		g := byBoard[w.board.Key]
		if g == nil {
			g = &group{s: b.s, board: w.board, date: sub.Date}
			byBoard[w.board.Key] = g
			b.groups = append(b.groups, g)
		}
		g.items = append(g.items, item{write: w, index: i})
	}
}

func (b *batch) submitSums(ctx context.Context) {
	var wait sync.WaitGroup
	slots := make(chan struct{}, batchSums)
	for _, lane := range lanes(b.subs, b.sums) {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			for _, i := range lane {
				b.outcomes[i].Outcome, b.outcomes[i].Err = b.s.submit(ctx, b.subs[i], b.queued)
			}
		})
	}
	wait.Wait()
}

// lanes splits submissions by player, so that each player's are written in their order.
func lanes(subs []game.Submission, indexes []int) [][]int {
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

	before []redis.Place          // by item: the entry before the batch
	turn   map[string]redis.Place // a player's entry, as judge goes through the batch
	after  []redis.Place          // by item: the entry after the batch
	added  int64                  // players who are new on the board
	whole  []game.Entry           // the board after the write, if it is small
	total  int64
	house  *housekeeping
}

type item struct {
	*write
	index int
}

func (b *batch) writeGroups(ctx context.Context) {
	if len(b.groups) == 0 {
		return
	}
	var p, again redis.Pipeline
	for _, g := range b.groups {
		g.queue(&p)
	}
	attempts, err := p.Run(ctx, b.s.DB.Redis)
	if err == nil {
		for _, g := range b.groups {
			g.improve(&again, g.judge(attempts, b.outcomes))
		}
		_, err = again.Run(ctx, b.s.DB.Redis)
	}
	for _, g := range b.groups {
		failed := redis.Wrap("write the scores", err)
		if failed == nil {
			failed = g.settle(ctx, b.outcomes)
		}
		if failed == nil {
			continue
		}
		for _, it := range g.items {
			b.outcomes[it.index].Err = failed
		}
	}
}

// writes are the writes of the group's items.
func (g *group) writes() []*write {
	writes := make([]*write, len(g.items))
	for i, it := range g.items {
		writes[i] = it.write
	}
	return writes
}

// queue queues the group's commands. They read the players' entries, write one for each player
// who has none, and read the board again: the whole board if it is small enough to rank
// everybody, else the players' entries.
func (g *group) queue(p *redis.Pipeline) {
	g.before = make([]redis.Place, len(g.items))
	g.after = make([]redis.Place, len(g.items))
	p.Add(g.scores(), redis.PlacesInto(g.before))
	pairs := make([]string, 0, 2*len(g.items))
	for _, it := range g.items {
		pairs = append(pairs, game.FormatStored(it.stored), it.Player)
	}
	p.Add(zadd(ifNew, g.board.Key, pairs...), nil)
	g.follow(p)
	writes := g.writes()
	putOwn(p, writes...)
	g.queueAfter(p)
	g.keepHouse(p)
	g.s.Outbox.post(p, writes...)
	g.s.publisher.publish(p, writes...)
}

// improve queues the entries that replace others, in order, and the reading of the board after
// them. It is not part of the first round trip: if that one were sent twice, its reading of the
// entries before the batch would show entries that the batch itself had put there.
func (g *group) improve(p *redis.Pipeline, pairs []string) {
	if len(pairs) == 0 {
		return
	}
	if g.board.Mode.Policy == game.Latest { // a retry of an older write that comes late must not replace a newer one
		var entries []string
		for pair := range slices.Chunk(pairs, 2) {
			entries = append(entries, pair[0], pair[1], "")
		}
		p.Add(g.unordered(g.board.Key, game.DetailsKey(g.board.Mode.Name, g.date), entries), nil)
	} else {
		p.Add(zadd(replacing(g.board.Mode), g.board.Key, pairs...), nil)
	}
	g.follow(p)
	g.queueAfter(p)
	g.house.reopen(p, g.board.Mode, g.date)
}

// queueAfter asks for the whole board, up to ranksInBatch entries; of a board that is known to
// be larger it asks only for the scores of the batch's players.
func (g *group) queueAfter(p *redis.Pipeline) {
	players, known := g.s.Totals.Fresh(g.board.Key)
	if known && players > ranksInBatch {
		g.askAfter(p)
		return
	}
	p.Add(redis.RangeCommand(g.board, 0, ranksInBatch), func(r upstash.Reply) error {
		g.whole = nil
		if err := redis.EntriesInto(g.board, &g.whole)(r); err != nil {
			return err
		}
		if g.total = int64(len(g.whole)); g.total > ranksInBatch {
			g.whole = nil
		}
		return nil
	})
}

func (g *group) askAfter(p *redis.Pipeline) {
	p.Add(g.scores(), redis.PlacesInto(g.after))
	p.Add(upstash.Cmd("ZCARD", g.board.Key), redis.IntInto(&g.total))
}

// keepHouse queues the housekeeping of all writes behind them, once for each key and player.
func (g *group) keepHouse(p *redis.Pipeline) {
	g.house = &housekeeping{store: g.s}
	seen := map[game.Scope]bool{}
	at := map[string]int{} // index in the profiles, by player
	var scopes []game.Scope
	var played []derive.Group
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
			i = len(g.house.profiles)
			at[it.Player] = i
			g.house.profiles = append(g.house.profiles, player.ProfileWrite{Player: it.Player})
		}
		w := &g.house.profiles[i]
		if it.Profile == (game.Profile{}) {
			continue
		}
		w.New = it.Profile.Over(w.New)
		if it.At.After(w.At) {
			w.At = it.At
		}
		w.Late = w.Late || it.late
	}
	g.s.Players.KeepProfiles(p, g.house.profiles)
	g.house.groups = g.s.Played.Keep(p, played)
	g.house.list(p, g.board.Mode, g.date, scopes)
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

// follow queues, behind the write of the day's board, the script that brings its entries to
// the boards of all groups that the batch names, if it names any.
//
// Cost: 2 billed commands, and 1 for each scoped board.
func (g *group) follow(p *redis.Pipeline) {
	number := map[string]int{} // of players, from 1
	keys, players := []string{g.board.Key}, []string{}
	of := map[string][]string{} // the numbers of players, by scoped board
	for _, it := range g.items {
		if len(it.scoped) == 0 {
			continue
		}
		if number[it.Player] == 0 {
			players = append(players, it.Player)
			number[it.Player] = len(players)
		}
		for _, key := range it.scoped {
			if of[key] == nil {
				keys = append(keys, key)
			}
			of[key] = append(of[key], redis.Itoa(int64(number[it.Player])))
		}
	}
	if len(players) == 0 {
		return
	}
	args := append([]string{redis.Itoa(int64(len(players)))}, players...)
	for _, key := range keys[1:] {
		args = append(append(args, redis.Itoa(int64(len(of[key])))), of[key]...)
	}
	p.Add(derive.FollowScript.Command(keys, args...).Idempotent(), nil)
}

// A level's board of a day has what its players reached at that level, by the mode's
// policy: an entry that the day's board does not take may still be their best there.

// ownBoard is the board of a level on a day, and the writes to it, in order.
type ownBoard struct {
	key    string
	writes []*write
}

// ownBoards sorts writes of one day by the boards of levels that they go to.
func ownBoards(writes []*write) (boards []*ownBoard) {
	byKey := map[string]*ownBoard{}
	for _, w := range writes {
		for _, key := range w.own {
			if byKey[key] == nil {
				byKey[key] = &ownBoard{key: key}
				boards = append(boards, byKey[key])
			}
			byKey[key].writes = append(byKey[key].writes, w)
		}
	}
	return boards
}

// putOwn queues entries of one day for the boards of levels, by the mode's policy. It does so
// whatever this process knows of the day's board, which says nothing of a level's board. The
// commands may be sent again.
//
// Cost: 1 billed command for each board.
func putOwn(p *redis.Pipeline, writes ...*write) {
	for _, at := range ownBoards(writes) {
		pairs := make([]string, 0, 2*len(at.writes))
		for _, w := range at.writes {
			pairs = append(pairs, game.FormatStored(w.stored), w.Player)
		}
		p.Add(zadd(replacing(at.writes[0].Mode), at.key, pairs...), nil)
	}
}
