package leaderboard

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// queuedScript writes entries as if each had been written when it was played, whatever order
// they come in and however often. Under the policy first the earliest entry stays, under latest
// the newest, under best the better one. An entry's tie fraction says when it was played. The
// script writes details in the same step, so that they belong to the entry that stays.
//
// If an entry without details replaces one of the same true score, the script may delete the
// details of that one, see [write.dropsDetails].
//
// KEYS: board, details
// ARGV: policy, order, "1" to delete such details, then for each entry the score, the player,
// and the details or ""
// Answer: {calls, players added, entries written}
var queuedScript = redis.NewScript(`
local policy, desc = ARGV[1], ARGV[2] == 'desc'
local query, put, note = {'ZMSCORE', KEYS[1]}, {'ZADD', KEYS[1]}, {'HSET', KEYS[2]}
local drop = {'HDEL', KEYS[2]}
for i = 5, #ARGV, 3 do query[#query + 1] = ARGV[i] end
local stand = call(unpack(query))
local seen, added, changed = {}, 0, 0
for i = 4, #ARGV, 3 do
  local new, player = tonumber(ARGV[i]), ARGV[i + 1]
  local old = seen[player] or (stand[(i - 1) / 3] and tonumber(stand[(i - 1) / 3]))
  local wins
  if not old then
    wins, added = true, added + 1
  elseif policy == 'best' then
    if desc then wins = new > old else wins = new < old end
  else
    local is, was = new - math.floor(new), old - math.floor(old)
    if desc == (policy == 'first') then wins = is > was else wins = is < was end
  end
  if wins then
    seen[player] = new
    changed = changed + 1
    put[#put + 1] = ARGV[i]
    put[#put + 1] = player
    if ARGV[i + 2] ~= '' then
      note[#note + 1] = player
      note[#note + 1] = ARGV[i + 2]
    elseif ARGV[3] == '1' and old and math.floor(old) == math.floor(new) then
      drop[#drop + 1] = player
    end
  end
end
if #put > 2 then call(unpack(put)) end
if #drop > 2 then call(unpack(drop)) end
if #note > 2 then call(unpack(note)) end
return answer(added, changed)
`)

// SubmitQueued writes scores that were played some time ago, in any order. The same scores may
// come again any number of times, in other batches and from several processes at once: the
// final entries depend only on what was played, except where a sum leaves a day's bounds.
// SubmitQueued returns how many scores changed a board, and an error for each that was not
// written; one that fails spoils no other.
//
// Cost, in 1 round trip for all boards: 3 billed commands for each day board, whatever the
// number of scores. 1 more where details are kept, 1 where some are deleted, and 1 where the
// board was counted more than 10 s ago. Where the scores name groups 2, and 1 for each group;
// for each level 3. Sums cost 4 each, and 1 for each group.
func (s *Store) SubmitQueued(ctx context.Context, subs []game.Submission) (accepted int, errs []error) {
	batch := s.newBatch(subs, true)
	batch.sortOut(ctx, byTime(subs))
	accepted = batch.writeQueued(ctx)
	batch.submitSums(ctx)
	batch.countLate(ctx)
	for _, i := range batch.sums {
		if o := batch.outcomes[i]; o.Err == nil && o.Status != game.Replayed {
			accepted++
		}
	}
	errs = make([]error, len(subs))
	for i, o := range batch.outcomes {
		errs[i] = o.Err
	}
	return accepted, errs
}

// byTime orders indexes by when the submissions were played. Their tie fractions do not do:
// moments within one tick have the same one.
func byTime(subs []game.Submission) []int {
	order := make([]int, len(subs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return subs[a].At.Compare(subs[b].At) })
	return order
}

func (b *batch) writeQueued(ctx context.Context) (accepted int) {
	if len(b.groups) == 0 {
		return 0
	}
	var p redis.Pipeline
	counts := make([]queuedCount, len(b.groups))
	for i, g := range b.groups {
		g.queueUnordered(&p, &counts[i])
	}
	_, err := p.Run(ctx, b.s.DB.Redis)
	for i, g := range b.groups {
		failed := redis.Wrap("write the scores", err)
		if failed == nil {
			accepted += int(counts[i].changed)
			failed = g.settleQueued(ctx, counts[i])
		}
		if failed == nil {
			continue
		}
		for _, it := range g.items {
			b.outcomes[it.index].Err = failed
		}
	}
	return accepted
}

// queuedCount is how a queued write changed a board.
type queuedCount struct {
	added   int64 // players
	changed int64 // entries
	asked   bool  // whether the board was counted again
}

func (g *group) queueUnordered(p *redis.Pipeline, count *queuedCount) {
	details := game.DetailsKey(g.board.Mode.Name, g.date)
	entries := make([]string, 0, 3*len(g.items))
	writes := make([]*write, len(g.items))
	for i, it := range g.items {
		writes[i] = it.write
		stored, record := game.FormatStored(it.stored), ""
		if it.KeepsDetails() {
			record = it.detailsRecord()
		}
		entries = append(entries, stored, it.Player, record)
	}
	p.Add(g.unordered(g.board.Key, details, entries), func(r upstash.Reply) error {
		counts, err := redis.Counts(r, 2, "calls, players and entries")
		if err != nil {
			return err
		}
		count.added, count.changed = counts[0], counts[1]
		return nil
	})
	g.follow(p)
	g.levelsUnordered(p)
	if _, known := g.s.Totals.Fresh(g.board.Key); !known {
		count.asked = true
		p.Add(upstash.Cmd("ZCARD", g.board.Key), redis.IntInto(&g.total))
	}
	g.keepHouse(p)
	g.s.Outbox.post(p, writes...)
	g.s.publisher.publish(p, writes...)
}

func (g *group) unordered(board, details string, entries []string) upstash.Command {
	m := g.board.Mode
	keeps := "0"
	if m.Details && m.Policy != game.Latest {
		keeps = "1"
	}
	args := append([]string{string(m.Policy), string(m.Order), keeps}, entries...)
	return queuedScript.Command([]string{board, details}, args...).Idempotent()
}

// levelsUnordered queues the entries of levels, by the same rule as the day's.
func (g *group) levelsUnordered(p *redis.Pipeline) {
	for _, at := range ownBoards(g.writes()) {
		var entries []string
		for _, w := range at.writes {
			entries = append(entries, game.FormatStored(w.stored), w.Player, "")
		}
		p.Add(g.unordered(at.key, game.DetailsKey(g.board.Mode.Name, g.date), entries), nil)
	}
}

func (g *group) settleQueued(ctx context.Context, count queuedCount) error {
	g.s.Windows.Forget(g.board.Key)
	for _, it := range g.items {
		g.s.Places.Remove(derive.EntryID{Board: g.board.Key, Player: it.Player})
		it.forgetScoped()
	}
	if !count.asked {
		for range count.added {
			g.s.Totals.Grow(g.board.Key, g.items[0].size.mark)
		}
	} else {
		g.s.Totals.Set(g.board.Key, g.total)
	}
	return g.house.settle(ctx)
}
