package board

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/profiles"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/xp"
	"github.com/framedle/leaderboards/upstash"
)

// Me is what one player has in the game as a whole, today included.
type Me struct {
	Profile game.Profile
	XP      int64       // also of a game that gives none any more
	XPRank  int64       // on the XP board as it was refreshed last; 0: not on it yet
	Streak  game.Streak // as it was left, where streaks are off
	// Streaks is how the streak stood with each played day that is not closed,
	// ascending.
	Streaks []game.Streak
	Today   []Today // by date, and in the order of the game's modes
}

// Today is where a player stands on a day that has not ended everywhere.
type Today struct {
	Mode  *game.Mode
	Date  game.Date
	Rank  int64
	Score game.Score
}

// meTries is how often it is read again when a day is closed meanwhile.
const meTries = 3

// Me reads a player's own XP, streak and ranks. What closings have not taken
// in yet is added from the day boards: a day counts the same before its
// closing as after. A player who has never played has nothing of anything.
//
// Cost: for each mode and date that has not ended 1 billed command, and 5, in 1 round
// trip; where duels give XP 1 more, for a process that has just started 1 more. In a
// second one, 1 for each entry where ties share ranks. For each day that is over and
// that no closing has taken in, once for each process 1, which tells it whether anybody
// has played, and where somebody has, once for each player 1 for each mode.
//
// More is asked before what goes beyond the first round trip, with how many commands
// that will cost; its error is answered. Nil lets everything through.
func (s *Store) Me(ctx context.Context, player string, more func(ctx context.Context, commands int) error) (Me, error) {
	if more == nil {
		more = func(context.Context, int) error { return nil }
	}
	for range meTries {
		m := &meRead{s: s, player: player, now: s.DB.Now(), more: more, past: map[game.Date]*pastRead{}}
		settled, err := m.read(ctx)
		if err != nil {
			return Me{}, rdb.Wrap("read the player", err)
		}
		if settled {
			return m.result(), nil
		}
	}
	return Me{}, rdb.ErrVanished
}

// meRead gathers what Me answers.
type meRead struct {
	s      *Store
	player string
	now    time.Time
	more   func(ctx context.Context, commands int) error

	profile game.Profile
	base    rdb.Place // XP of the days that are in the base
	byDuels rdb.Place // XP of duels
	xpRank  rdb.Place
	streak  xp.Streak
	plays   []*dayPlay              // on days that have not ended
	past    map[game.Date]*pastRead // days that are over and not in the base
}

// dayPlay is the player's entry on one mode's day.
type dayPlay struct {
	mode  *game.Mode
	date  game.Date
	at    rdb.Place
	ahead int64 // entries with a better true score; where ties share ranks
}

// read asks for everything. It reports false when a closing came in between
// what it read of the base and what it read of the days: then the newest day in the
// base, which only ever gets newer, is another one than before.
func (m *meRead) read(ctx context.Context) (settled bool, err error) {
	var before, after game.Date
	before, known := m.s.past.Through()
	var p rdb.Pipeline
	if !known {
		p.Add(upstash.Cmd("HGET", game.ClosedKey, game.XPMode), xp.ThroughInto(&before))
	}
	p.Add(upstash.Cmd("ZSCORE", game.XPBaseKey, m.player), rdb.ScoreInto(&m.base))
	m.askDays(&p)
	p.Add(profiles.AskProfiles(m.player), func(r upstash.Reply) error {
		profiles, err := profiles.ProfilesOf(r, 1)
		if err == nil {
			m.profile = profiles[0].Profile()
		}
		return err
	})
	for _, key := range m.s.XP.DuelXP() {
		p.Add(upstash.Cmd("ZSCORE", key, m.player), rdb.ScoreInto(&m.byDuels))
	}
	p.Add(upstash.Cmd("ZREVRANK", game.XPKey, m.player, "WITHSCORE"), rdb.PlaceInto(&m.xpRank))
	p.Add(upstash.Cmd("HGET", game.StreaksKey, m.player), m.streakInto())
	m.askMarks(&p, before, &after)
	if _, err := p.Run(ctx, m.s.DB.Redis); err != nil {
		return false, err
	}
	if m.s.past.SetThrough(after); before != after {
		return false, m.more(ctx, len(p.Commands))
	}
	maps.DeleteFunc(m.past, func(d game.Date, _ *pastRead) bool { return !d.After(after) })
	if err := m.readShared(ctx); err != nil {
		return false, err
	}
	return true, m.readPast(ctx)
}

// readShared asks how many are ahead, where ties share ranks.
func (m *meRead) readShared(ctx context.Context) error {
	var p rdb.Pipeline
	for _, play := range m.plays {
		if play.at.Found && play.mode.Ties == game.Shared {
			p.Add(rdb.AheadCommand(play.board(), play.mode.Decode(play.at.Stored)), rdb.IntInto(&play.ahead))
		}
	}
	_, err := p.Run(ctx, m.s.DB.Redis)
	return err
}

// askDays queues the player's place on every mode's board of the days that have not
// ended.
func (m *meRead) askDays(p *rdb.Pipeline) {
	for _, d := range m.s.DB.Game.OpenDates(m.now) {
		if m.ended(d) {
			continue
		}
		for _, mode := range m.s.DB.Game.Modes {
			play := &dayPlay{mode: mode, date: d}
			b := play.board()
			p.Add(upstash.Cmd(rdb.RankCommand(b), b.Key, m.player, "WITHSCORE"), rdb.PlaceInto(&play.at))
			m.plays = append(m.plays, play)
		}
	}
}

func (p *dayPlay) board() game.Board {
	return game.BoardOf(p.mode, game.Day.Of(p.date), game.Scope{})
}

func (m *meRead) streakInto() func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		text, err := rdb.Text(r)
		if err != nil || text == "" {
			return err
		}
		m.streak, err = xp.ParseStreak(text)
		return err
	}
}

// result adds up what was read.
func (m *meRead) result() Me {
	me := Me{Profile: m.profile, XP: int64(m.base.Stored) + int64(m.byDuels.Stored)}
	if m.xpRank.Found {
		me.XPRank = m.xpRank.Position + 1
	}
	played := map[game.Date]bool{}
	for _, play := range m.plays {
		if !play.at.Found {
			continue
		}
		played[play.date] = true
		score := play.mode.Decode(play.at.Stored)
		me.XP += play.mode.XPOf(score)
		today := Today{Mode: play.mode, Date: play.date, Rank: play.at.Position + 1, Score: score}
		if play.mode.Ties == game.Shared {
			today.Rank = play.ahead + 1
		}
		me.Today = append(me.Today, today)
	}
	for d, past := range m.past {
		played[d] = played[d] || past.day.Played
		me.XP += past.day.XP
	}
	if !m.s.DB.Game.Streak.Off {
		for _, d := range slices.SortedFunc(maps.Keys(played), game.Date.Compare) {
			if played[d] {
				m.streak = m.streak.Play(m.s.DB.Game.Streak, d)
				me.Streaks = append(me.Streaks, m.streak.At(m.s.DB.Game.Streak, d))
			}
		}
	}
	me.Streak = m.streak.At(m.s.DB.Game.Streak, m.s.DB.Game.OpenDates(m.now)[0])
	return me
}

// ended tells days that are over everywhere on earth, whether or not they
// still take scores.
func (m *meRead) ended(d game.Date) bool {
	return !m.now.Before(m.s.DB.Game.Ends(game.Day.Of(d)))
}
