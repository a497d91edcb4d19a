package board

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Me is what one player has in the game as a whole, today included.
type Me struct {
	Profile Profile
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
		m := &meRead{s: s, player: player, open: s.game.OpenDates(s.now())}
		settled, err := m.read(ctx)
		if err != nil {
			return Me{}, wrap("read the player", err)
		}
		if settled {
			return m.result(), nil
		}
	}
	return Me{}, ErrVanished
}

// meRead gathers what Me answers.
type meRead struct {
	s      *Store
	player string
	open   []game.Date

	profile Profile
	base    place // XP of the days that are in the base
	byDuels place // XP of duels
	xpRank  place
	streak  streakRecord
	through game.Date // the newest day in the base
	plays   []*dayPlay
}

// dayPlay is the player's entry on one mode's day.
type dayPlay struct {
	mode  *game.Mode
	date  game.Date
	at    place
	ahead int64 // entries with a better true score; where ties share ranks
}

// read asks for everything. It reports false when a closing came in between
// what it read of the base and what it read of the days.
func (m *meRead) read(ctx context.Context) (settled bool, err error) {
	var before, after game.Date
	var p pipeline
	p.add(upstash.Cmd("HGET", game.ClosedKey, game.XPMode), throughInto(&before))
	p.add(upstash.Cmd("ZSCORE", game.XPBaseKey, m.player), scoreInto(&m.base))
	m.askDays(&p, m.open)
	p.add(upstash.Cmd("HGET", game.ClosedKey, game.XPMode), throughInto(&after))
	p.add(askProfiles(m.player), func(r upstash.Reply) error {
		profiles, err := profilesOf(r, 1)
		if err == nil {
			m.profile = profiles[0].profile()
		}
		return err
	})
	for _, key := range m.s.duelXP() {
		p.add(upstash.Cmd("ZSCORE", key, m.player), scoreInto(&m.byDuels))
	}
	p.add(upstash.Cmd("ZREVRANK", game.XPKey, m.player, "WITHSCORE"), placeInto(&m.xpRank))
	p.add(upstash.Cmd("HGET", game.StreaksKey, m.player), m.streakInto())
	if _, err := p.run(ctx, m.s.redis); err != nil || before != after {
		return false, err
	}
	m.through = before
	return true, m.readRest(ctx)
}

// readRest asks for what the first answers tell to ask for.
func (m *meRead) readRest(ctx context.Context) error {
	var p pipeline
	for _, play := range m.plays {
		if play.at.found && play.mode.Ties == game.Shared && !m.ended(play.date) {
			p.add(aheadCommand(play.board(m.s), play.mode.Decode(play.at.stored)), intInto(&play.ahead))
		}
	}
	unclosed, err := m.unclosed(ctx)
	if err != nil {
		return err
	}
	m.askDays(&p, slices.DeleteFunc(unclosed, func(d game.Date) bool {
		return slices.Contains(m.open, d) || !m.s.alive(d)
	}))
	_, err = p.run(ctx, m.s.redis)
	return err
}

// unclosed lists the days that the base does not have.
func (m *meRead) unclosed(ctx context.Context) ([]game.Date, error) {
	newest := m.open[len(m.open)-1]
	if !m.through.IsZero() {
		return datesAfter(m.through, newest), nil
	}
	view, err := m.s.Survey(ctx)
	var dates []game.Date
	for _, index := range view.globals {
		dates = append(dates, index.dates...)
	}
	slices.SortFunc(dates, game.Date.Compare)
	return slices.Compact(dates), err
}

// askDays queues the player's place on every mode's board of some days.
func (m *meRead) askDays(p *pipeline, dates []game.Date) {
	for _, d := range dates {
		for _, mode := range m.s.game.Modes {
			play := &dayPlay{mode: mode, date: d}
			b := play.board(m.s)
			p.add(upstash.Cmd(rankCommand(b), b.Key, m.player, "WITHSCORE"), placeInto(&play.at))
			m.plays = append(m.plays, play)
		}
	}
}

func (p *dayPlay) board(s *Store) Board {
	return BoardOf(p.mode, game.Day.Of(p.date), game.Scope{})
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
		m.streak, err = parseStreak(text)
		return err
	}
}

// result adds up what was read.
func (m *meRead) result() Me {
	me := Me{Profile: m.profile, XP: int64(m.base.stored) + int64(m.byDuels.stored)}
	if m.xpRank.found {
		me.XPRank = m.xpRank.position + 1
	}
	slices.SortStableFunc(m.plays, func(a, b *dayPlay) int { return a.date.Compare(b.date) })
	for _, play := range m.plays {
		if !play.at.found {
			continue
		}
		score := play.mode.Decode(play.at.stored)
		if play.date.After(m.through) {
			me.XP += play.mode.XPOf(score)
		}
		if !m.s.game.Streak.Off {
			m.streak = m.streak.play(m.s.game.Streak, play.date)
		}
		if m.ended(play.date) {
			continue
		}
		today := Today{Mode: play.mode, Date: play.date, Rank: play.at.position + 1, Score: score}
		if play.mode.Ties == game.Shared {
			today.Rank = play.ahead + 1
		}
		me.Today = append(me.Today, today)
	}
	me.Streak = m.streak.at(m.s.game.Streak, m.open[0])
	return me
}

// ended tells days that are over everywhere on earth, whether or not they
// still take scores.
func (m *meRead) ended(d game.Date) bool {
	return !m.s.now().Before(m.s.game.Ends(game.Day.Of(d)))
}
