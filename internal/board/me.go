package board

import (
	"context"
	"slices"

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
	Today   []Today     // by date, and in the order of the game's modes
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
// Cost: for each mode and open date 1 billed command, and 6, in 1 round trip (7
// where duels give XP); in a second one, 1 for each entry where ties share ranks, and 1 for each mode
// and day that is over but not closed. Before the first closing of all, 1 for
// each mode and 1 more, in a round trip between, for which days there are.
func (s *Store) Me(ctx context.Context, player string) (Me, error) {
	for range meTries {
		m := &meRead{s: s, player: player, open: s.DB.Game.OpenDates(s.DB.Now())}
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
	open   []game.Date

	profile game.Profile
	base    rdb.Place // XP of the days that are in the base
	byDuels rdb.Place // XP of duels
	xpRank  rdb.Place
	streak  xp.Streak
	through game.Date // the newest day in the base
	plays   []*dayPlay
}

// dayPlay is the player's entry on one mode's day.
type dayPlay struct {
	mode  *game.Mode
	date  game.Date
	at    rdb.Place
	ahead int64 // entries with a better true score; where ties share ranks
}

// read asks for everything. It reports false when a closing came in between
// what it read of the base and what it read of the days.
func (m *meRead) read(ctx context.Context) (settled bool, err error) {
	var before, after game.Date
	var p rdb.Pipeline
	p.Add(upstash.Cmd("HGET", game.ClosedKey, game.XPMode), xp.ThroughInto(&before))
	p.Add(upstash.Cmd("ZSCORE", game.XPBaseKey, m.player), rdb.ScoreInto(&m.base))
	m.askDays(&p, m.open)
	p.Add(upstash.Cmd("HGET", game.ClosedKey, game.XPMode), xp.ThroughInto(&after))
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
	if _, err := p.Run(ctx, m.s.DB.Redis); err != nil || before != after {
		return false, err
	}
	m.through = before
	return true, m.readRest(ctx)
}

// readRest asks for what the first answers tell to ask for.
func (m *meRead) readRest(ctx context.Context) error {
	var p rdb.Pipeline
	for _, play := range m.plays {
		if play.at.Found && play.mode.Ties == game.Shared && !m.ended(play.date) {
			p.Add(rdb.AheadCommand(play.board(m.s), play.mode.Decode(play.at.Stored)), rdb.IntInto(&play.ahead))
		}
	}
	unclosed, err := m.unclosed(ctx)
	if err != nil {
		return err
	}
	m.askDays(&p, slices.DeleteFunc(unclosed, func(d game.Date) bool {
		return slices.Contains(m.open, d) || !m.s.DB.Alive(d)
	}))
	_, err = p.Run(ctx, m.s.DB.Redis)
	return err
}

// unclosed lists the days that the base does not have.
func (m *meRead) unclosed(ctx context.Context) ([]game.Date, error) {
	newest := m.open[len(m.open)-1]
	if !m.through.IsZero() {
		return xp.DatesAfter(m.through, newest), nil
	}
	view, err := m.s.Rollup.Calendar.Survey(ctx)
	var dates []game.Date
	for _, index := range view.Globals {
		dates = append(dates, index.Dates...)
	}
	slices.SortFunc(dates, game.Date.Compare)
	return slices.Compact(dates), err
}

// askDays queues the player's place on every mode's board of some days.
func (m *meRead) askDays(p *rdb.Pipeline, dates []game.Date) {
	for _, d := range dates {
		for _, mode := range m.s.DB.Game.Modes {
			play := &dayPlay{mode: mode, date: d}
			b := play.board(m.s)
			p.Add(upstash.Cmd(rdb.RankCommand(b), b.Key, m.player, "WITHSCORE"), rdb.PlaceInto(&play.at))
			m.plays = append(m.plays, play)
		}
	}
}

func (p *dayPlay) board(s *Store) game.Board {
	return game.BoardOf(p.mode, game.Day.Of(p.date), game.Scope{})
}

func (m *meRead) streakInto() func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		if r.IsNil() {
			return nil
		}
		text, err := r.Text()
		if err != nil {
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
	slices.SortStableFunc(m.plays, func(a, b *dayPlay) int { return a.date.Compare(b.date) })
	for _, play := range m.plays {
		if !play.at.Found {
			continue
		}
		score := play.mode.Decode(play.at.Stored)
		if play.date.After(m.through) {
			me.XP += play.mode.XPOf(score)
		}
		if !m.s.DB.Game.Streak.Off {
			m.streak = m.streak.Play(m.s.DB.Game.Streak, play.date)
		}
		if m.ended(play.date) {
			continue
		}
		today := Today{Mode: play.mode, Date: play.date, Rank: play.at.Position + 1, Score: score}
		if play.mode.Ties == game.Shared {
			today.Rank = play.ahead + 1
		}
		me.Today = append(me.Today, today)
	}
	me.Streak = m.streak.At(m.s.DB.Game.Streak, m.open[0])
	return me
}

// ended tells days that are over everywhere on earth, whether or not they
// still take scores.
func (m *meRead) ended(d game.Date) bool {
	return !m.s.DB.Now().Before(m.s.DB.Game.Ends(game.Day.Of(d)))
}
