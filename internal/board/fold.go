package board

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// A day board lives some days longer than its day. For most of that time
// derived boards are made from it again and again, so that late scores and
// removals reach them by themselves. In the last quarter of its life it takes
// no more writes and is folded into what outlives it.
func (s *Store) foldMargin() time.Duration { return s.game.Lives.Day / 4 }

// writable tells whether a day's board may still change.
func (s *Store) writable(d game.Date) bool {
	end, ok := s.game.Expires(game.Day.Of(d))
	return !ok || s.now().Before(end.Add(-s.foldMargin()))
}

// FoldReport tells what FoldDays did.
type FoldReport struct {
	Folded []string `json:"folded"` // boards of days, by key
	Gone   []string `json:"gone"`   // boards that expired before they were folded
}

// FoldDays folds every day board in the last quarter of its life into its
// month, all time and XP. It may run any number of times, late, twice at once
// or be cut off anywhere.
//
// Cost: 2 billed commands for each mode, 1 for each further scope, and for each
// day board some 10 + players × 8/1000.
func (s *Store) FoldDays(ctx context.Context) (FoldReport, error) {
	report := FoldReport{Folded: []string{}, Gone: []string{}}
	for _, m := range s.game.Modes {
		scopes, err := s.scopes(ctx, m)
		if err != nil {
			return report, err
		}
		for _, scope := range scopes {
			if err := s.foldScope(ctx, m, scope, &report); err != nil {
				return report, wrap("fold the days of "+m.Name+" "+scope.String(), err)
			}
		}
	}
	return report, nil
}

func (s *Store) scopes(ctx context.Context, m *game.Mode) ([]game.Scope, error) {
	scopes := []game.Scope{{}}
	reply, err := s.redis.Do(ctx, upstash.Cmd("SMEMBERS", game.ScopesKey(m.Name)))
	if err != nil {
		return nil, wrap("list the scopes of "+m.Name, err)
	}
	names, err := reply.Strings()
	if err != nil {
		return nil, wrap("list the scopes of "+m.Name, err)
	}
	for _, name := range names {
		scope, err := game.ParseScope(name)
		if err != nil {
			return nil, fmt.Errorf("list the scopes of %s: %w", m.Name, err)
		}
		scopes = append(scopes, scope)
	}
	return scopes, nil
}

func (s *Store) days(ctx context.Context, m *game.Mode, scope game.Scope) (dayIndex, error) {
	var days dayIndex
	var p pipeline
	p.add(upstash.Cmd("HGETALL", game.DaysKey(m.Name, scope)), daysInto(&days))
	_, err := p.run(ctx, s.redis)
	return days, wrap("list the days of "+m.Name, err)
}

func (s *Store) foldScope(ctx context.Context, m *game.Mode, scope game.Scope, report *FoldReport) error {
	days, err := s.days(ctx, m, scope)
	if err != nil {
		return err
	}
	for _, d := range days.dates {
		if days.folded[d] {
			if err := s.forgetDay(ctx, m, scope, d); err != nil {
				return err
			}
			continue
		}
		if s.writable(d) {
			return nil // ascending: all that follow are younger
		}
		state, err := s.fold(ctx, m, scope, d)
		if err != nil {
			return err
		}
		key := game.BoardKey(m.Name, game.Day.Of(d), scope)
		switch state {
		case "folded":
			report.Folded = append(report.Folded, key)
		case "gone":
			report.Gone = append(report.Gone, key)
		}
	}
	return nil
}

// forgetDay takes a folded day off the index once its month needs no further
// derivation, so that the index stays short.
func (s *Store) forgetDay(ctx context.Context, m *game.Mode, scope game.Scope, d game.Date) error {
	end, ok := s.game.Expires(game.Month.Of(d))
	if !ok || s.now().Before(end) {
		return nil
	}
	_, err := s.redis.Do(ctx, upstash.Cmd("HDEL", game.DaysKey(m.Name, scope), d.String()).Idempotent())
	return err
}

// fold takes one day in.
func (s *Store) fold(ctx context.Context, m *game.Mode, scope game.Scope, d game.Date) (state string, err error) {
	day := s.Board(m, game.Day.Of(d), scope)
	month, allTime := s.Board(m, game.Month.Of(d), scope), s.Board(m, game.AllTime.Of(d), scope)
	scratch := s.scratch(day.Key)
	aggregate := aggregateWord(m.Aggregate)
	if m.Aggregate == game.Last {
		aggregate = "LAST"
	}
	if m.Aggregate == game.Sum {
		if err := s.floored(ctx, day.Key, scratch, 1, 1); err != nil {
			return "", err
		}
	}
	keys := []string{game.DaysKey(m.Name, scope), day.Key, game.FoldedKey(month.Key), game.FoldedKey(allTime.Key), scratch}
	if xp := s.scratch(day.Key); scope == (game.Scope{}) && m.XPWeight > 0 {
		if err := s.floored(ctx, day.Key, xp, m.XPWeight, xpScale(m)); err != nil {
			return "", err
		}
		keys = append(keys, game.FoldedKey(game.XPKey), xp)
	}
	end, _ := s.game.Expires(month.Period)
	reply, err := s.redis.Do(ctx, foldScript.Command(keys, d.String(), aggregate, itoa(max(1, s.secondsUntil(end)))).Idempotent())
	if err != nil {
		return "", err
	}
	values, err := reply.Array()
	if err != nil {
		return "", err
	}
	if len(values) != 2 {
		return "", errShape("what became of the day", len(values))
	}
	return values[1].Text()
}

// scratchSeconds is how long a scratch key outlives its last step.
const scratchSeconds = 600

// scratch names a key that nobody else uses, so that two runs at once do not
// work on each other's copies.
func (s *Store) scratch(board string) string {
	return game.ScratchKey(board, s.id+"-"+itoa(s.scratches.Add(1)))
}

// floored copies a board's true scores × numerator / denominator, rounded
// down, into the scratch key.
func (s *Store) floored(ctx context.Context, source, scratch string, numerator, denominator int64) error {
	for first := int64(0); ; first += flooredPerCall {
		reply, err := s.redis.Do(ctx, flooredScript.Command([]string{source, scratch},
			itoa(first), itoa(first+flooredPerCall-1), itoa(numerator), itoa(denominator), itoa(scratchSeconds)).Idempotent())
		if err != nil {
			return err
		}
		values, err := reply.Array()
		if err != nil {
			return err
		}
		if len(values) != 2 {
			return errShape("how many were copied", len(values))
		}
		if n, err := values[1].Int64(); err != nil || n < flooredPerCall {
			return err
		}
	}
}

// xpScale is the denominator of a mode's XP: thousandths of the weight, and
// the places of the score.
func xpScale(m *game.Mode) int64 {
	denominator := int64(1000)
	for range m.Decimals {
		denominator *= 10
	}
	return denominator
}

// deriveXP makes the XP board: what is folded, and every day that is not.
func (s *Store) deriveXP(ctx context.Context, b Board) error {
	var p pipeline
	indexes := make([]dayIndex, len(s.game.Modes))
	for i, m := range s.game.Modes {
		if m.XPWeight > 0 {
			p.add(upstash.Cmd("HGETALL", game.DaysKey(m.Name, game.Scope{})), daysInto(&indexes[i]))
		}
	}
	if _, err := p.run(ctx, s.redis); err != nil {
		return err
	}
	sources := []string{game.FoldedKey(game.XPKey)}
	var scratches []string
	for i, m := range s.game.Modes {
		for _, d := range indexes[i].dates {
			if indexes[i].folded[d] {
				continue
			}
			day := s.Board(m, game.Day.Of(d), game.Scope{})
			scratch := s.scratch(day.Key)
			if err := s.floored(ctx, day.Key, scratch, m.XPWeight, xpScale(m)); err != nil {
				return err
			}
			scratches = append(scratches, scratch)
		}
	}
	var players int64
	var store pipeline
	store.add(union(b.Key, "SUM", append(sources, scratches...)...), intInto(&players))
	if len(scratches) > 0 {
		store.add(upstash.Cmd(append([]string{"DEL"}, scratches...)...).Idempotent(), nil)
	}
	if _, err := store.run(ctx, s.redis); err != nil {
		return err
	}
	s.totals.set(b.Key, players)
	s.windows.forget(b.Key)
	return nil
}
