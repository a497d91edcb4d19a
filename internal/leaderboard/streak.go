package leaderboard

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// streakFresh is how long an answer may come from memory: so long it may miss that a removal by
// another process has changed the streak.
const streakFresh = 2 * time.Hour

// answeredStreak is a player's streak as it was last answered, with the played day in it.
type answeredStreak struct {
	streak game.Streak
	played game.Date
	today  game.Date // the day on which it was answered
	at     time.Duration
}

// Streaks answers players' streaks, and remembers them for a while. It is safe for concurrent
// use.
type Streaks struct {
	store    *Store
	answered *lru.Cache[string, answeredStreak] // by player
}

// NewStreaks makes Streaks.
func NewStreaks(s *Store) *Streaks {
	t := &Streaks{s, lru.New[string, answeredStreak](derive.RememberPlayers)}
	if s != nil { // nil if a caller wants only the table of routes
		s.Notices.OnLoss(t.answered.Purge)
		s.Notices.Removed.On(func(player string) { t.answered.Remove(player) })
	}
	return t
}

// StreakAfter is the streak of a player who has an entry on the day played. It is the same that Me
// answers.
//
// Cost: none while the process remembers it. For the first look at a player's day in this
// process 2 billed commands, and for days that are over and not closed what Me costs for them.
// In a game in which each player has their own midnight, the cost of Me.
func (t *Streaks) StreakAfter(ctx context.Context, player string, played game.Date) (game.Streak, error) {
	s := t.store
	now := s.DB.Now()
	today := s.DB.Game.OpenDates(now)[0]
	if last, ok := t.answered.Get(player); ok && last.played == played && last.today == today && s.DB.Elapsed()-last.at < streakFresh {
		return last.streak, nil
	}
	streak, err := t.read(ctx, player, played, now)
	if err != nil {
		return game.Streak{}, redis.Wrap("read the streak", err)
	}
	t.answered.Add(player, answeredStreak{streak, played, today, s.DB.Elapsed()})
	return streak, nil
}

func (t *Streaks) read(ctx context.Context, player string, played game.Date, now time.Time) (game.Streak, error) {
	s := t.store
	if s.DB.Game.Day == game.Local { // other days are under way too
		me, err := s.Me(ctx, player, nil)
		return me.Streak, err
	}
	for range meTries {
		m := &meRead{
			s: s, player: player, now: now,
			more: func(context.Context, int) error { return nil },
		}
		settled, err := m.askStreak(ctx)
		if err != nil {
			return game.Streak{}, err
		}
		if settled {
			return m.streakWith(played), nil
		}
	}
	return game.Streak{}, redis.ErrVanished
}

// askStreak reads the streak, and the days that are over and not in it. It reports false if a
// closing came in between.
func (m *meRead) askStreak(ctx context.Context) (settled bool, err error) {
	var through game.Date
	var p redis.Pipeline
	askThrough(&p, &through)
	p.Add(upstash.Cmd("HGET", game.StreaksKey, m.player), m.streakInto())
	if _, err := p.Run(ctx, m.s.DB.Redis); err != nil {
		return false, err
	}
	return m.readPast(ctx, through)
}

// streakWith is the streak with the days that it lacks, and with the day just played.
func (m *meRead) streakWith(played game.Date) game.Streak {
	days := []game.Date{played}
	for _, play := range m.past {
		if play.at.Found {
			days = append(days, play.date)
		}
	}
	slices.SortFunc(days, game.Date.Compare)
	rule := m.s.DB.Game.Streak
	for _, d := range days {
		m.streak = m.streak.Play(rule, d)
	}
	return m.streak.At(rule, m.s.DB.Game.OpenDates(m.now)[0])
}
