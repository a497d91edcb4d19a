package leaderboard

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Me is what one player has in the game as a whole, today included.
type Me struct {
	Profile game.Profile
	XP      int64       // stays if the game gives none any more
	XPRank  int64       // on the XP board as of its last refresh; 0: not on it yet
	Streak  game.Streak // if streaks are off, as it was last
	// Streaks has the streak as of each played day that no closing has taken in, ascending.
	Streaks []game.Streak
	Today   []Today // by date, and in the order of the game's modes
}

// Today is a player's entry on a day that has not ended everywhere.
type Today struct {
	Mode  *game.Mode
	Date  game.Date
	Rank  int64
	Score game.Score
}

// meTries is how often Me reads at most: it reads again each time that a closing comes in
// between.
const meTries = 3

// Me reads a player's own XP, streak and ranks. It adds from the day boards what closings have
// not taken in yet: a day counts the same before its closing as after. Everything is zero for
// a player who has never played.
//
// Cost: 6 billed commands, and 1 for each mode and date that has not ended, in 1 round trip; 1
// more if duels give XP. In a second round trip, 1 for each entry if ties share ranks. If days
// are over and no closing has taken them in, 1, which shows whether anybody has played; if
// somebody has, 1 for each mode and 1, and 1 for each of these days if they are several.
//
// Me calls more before it reads days that are over, and before it reads everything again, with
// how many commands that will cost. If more returns an error, Me returns that. Nil allows
// everything.
func (s *Store) Me(ctx context.Context, player string, more func(ctx context.Context, commands int) error) (Me, error) {
	if more == nil {
		more = func(context.Context, int) error { return nil }
	}
	for range meTries {
		m := &meRead{s: s, player: player, now: s.DB.Now(), more: more}
		settled, err := m.read(ctx)
		if err != nil {
			return Me{}, redis.Wrap("read the player", err)
		}
		if settled {
			return m.result(), nil
		}
	}
	return Me{}, redis.ErrVanished
}

// meRead is one reading of Me.
type meRead struct {
	s      *Store
	player string
	now    time.Time
	more   func(ctx context.Context, commands int) error

	profile game.Profile
	base    redis.Place // XP of the days that are in the base
	byDuels redis.Place // XP of duels
	xpRank  redis.Place
	streak  player.Streak
	plays   []*dayPlay // on days that have not ended
	past    []*dayPlay // on days that are over and not in the base
}

// dayPlay is the player's entry on one mode's day.
type dayPlay struct {
	mode  *game.Mode
	date  game.Date
	at    redis.Place
	ahead int64 // entries with a better true score; asked for only if ties share ranks
}

// read asks for everything. It reports false if a closing took a day in between the reading of
// the base and the reading of the days. Such a closing shows because the newest day in the base
// has changed: that day only ever becomes newer.
func (m *meRead) read(ctx context.Context) (settled bool, err error) {
	var through, after game.Date
	var p redis.Pipeline
	askThrough(&p, &through)
	p.Add(upstash.Cmd("ZSCORE", game.XPBaseKey, m.player), redis.ScoreInto(&m.base))
	m.askDays(&p)
	p.Add(player.AskProfiles(m.player), func(r upstash.Reply) error {
		profiles, err := player.ProfilesOf(r, 1)
		if err == nil {
			m.profile = profiles[0].Profile()
		}
		return err
	})
	for _, key := range m.s.XP.DuelXP() {
		p.Add(upstash.Cmd("ZSCORE", key, m.player), redis.ScoreInto(&m.byDuels))
	}
	p.Add(upstash.Cmd("ZREVRANK", game.XPKey, m.player, "WITHSCORE"), redis.PlaceInto(&m.xpRank))
	p.Add(upstash.Cmd("HGET", game.StreaksKey, m.player), m.streakInto())
	askThrough(&p, &after)
	if _, err := p.Run(ctx, m.s.DB.Redis); err != nil {
		return false, err
	}
	if through != after {
		return false, m.more(ctx, len(p.Commands))
	}
	if err := m.readShared(ctx); err != nil {
		return false, err
	}
	return m.readPast(ctx, through)
}

// askThrough queues the reading of the newest day in the base.
func askThrough(p *redis.Pipeline, d *game.Date) {
	p.Add(upstash.Cmd("HGET", game.ClosedKey, game.XPMode), player.ThroughInto(d))
}

// readPast reads the player's entries of days that are over and not in the base, which goes
// through a day: there are such days from midnight until the closing. It reports false if a
// closing took one of them in meanwhile.
func (m *meRead) readPast(ctx context.Context, through game.Date) (settled bool, err error) {
	g := m.s.DB.Game
	var dates []game.Date
	for d := game.DateOf(m.now); m.s.DB.Alive(d) && d.After(through); d = d.AddDays(-1) {
		if m.ended(d) {
			dates = append(dates, d)
		}
	}
	if len(dates) == 0 {
		return true, nil
	}
	if dates, err = m.played(ctx, dates); err != nil {
		return false, err
	}
	var p redis.Pipeline
	for _, d := range dates {
		for _, mode := range g.Modes {
			play := &dayPlay{mode: mode, date: d}
			p.Add(upstash.Cmd("ZSCORE", play.board().Key, m.player), redis.ScoreInto(&play.at))
			m.past = append(m.past, play)
		}
	}
	if len(m.past) == 0 {
		return true, nil
	}
	var after game.Date
	askThrough(&p, &after)
	err = m.run(ctx, &p)
	return after == through, err
}

// played lists those of some days on which anybody has played: mostly none of them, or the only
// one.
func (m *meRead) played(ctx context.Context, dates []game.Date) (played []game.Date, err error) {
	there, err := m.countBoards(ctx, dates)
	switch {
	case err != nil || there[0] == 0:
		return nil, err
	case len(dates) == 1:
		return dates, nil
	}
	if there, err = m.countBoards(ctx, slices.Collect(slices.Chunk(dates, 1))...); err != nil {
		return nil, err
	}
	for i, d := range dates {
		if there[i] > 0 {
			played = append(played, d)
		}
	}
	return played, nil
}

// countBoards counts the boards of each of some lists of days.
func (m *meRead) countBoards(ctx context.Context, days ...[]game.Date) ([]int64, error) {
	there := make([]int64, len(days))
	var p redis.Pipeline
	for i, dates := range days {
		exists := []string{"EXISTS"}
		for _, d := range dates {
			for _, mode := range m.s.DB.Game.Modes {
				exists = append(exists, game.DayBoardKey(mode.Name, d))
			}
		}
		p.Add(upstash.Cmd(exists...), redis.IntInto(&there[i]))
	}
	return there, m.run(ctx, &p)
}

// run sends what goes beyond the first round trip, if there is anything.
func (m *meRead) run(ctx context.Context, p *redis.Pipeline) error {
	if len(p.Commands) == 0 {
		return nil
	}
	if err := m.more(ctx, len(p.Commands)); err != nil {
		return err
	}
	_, err := p.Run(ctx, m.s.DB.Redis)
	return err
}

// readShared asks how many entries are ahead of the player's, if ties share ranks.
func (m *meRead) readShared(ctx context.Context) error {
	var p redis.Pipeline
	for _, play := range m.plays {
		if play.at.Found && play.mode.Ties == game.Shared {
			p.Add(redis.AheadCommand(play.board(), play.mode.Decode(play.at.Stored)), redis.IntInto(&play.ahead))
		}
	}
	_, err := p.Run(ctx, m.s.DB.Redis)
	return err
}

// askDays queues the player's place on every mode's board of the days that have not
// ended.
func (m *meRead) askDays(p *redis.Pipeline) {
	for _, d := range m.s.DB.Game.OpenDates(m.now) {
		if m.ended(d) {
			continue
		}
		for _, mode := range m.s.DB.Game.Modes {
			play := &dayPlay{mode: mode, date: d}
			b := play.board()
			p.Add(upstash.Cmd(redis.RankCommand(b), b.Key, m.player, "WITHSCORE"), redis.PlaceInto(&play.at))
			m.plays = append(m.plays, play)
		}
	}
}

func (p *dayPlay) board() game.Board {
	return game.BoardOf(p.mode, game.Day.Of(p.date), game.Scope{})
}

func (m *meRead) streakInto() func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		text, err := redis.Text(r)
		if err != nil || text == "" {
			return err
		}
		m.streak, err = player.ParseStreak(text)
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
	for _, play := range m.past {
		if play.at.Found {
			played[play.date] = true
			me.XP += play.mode.XPOf(play.mode.Decode(play.at.Stored))
		}
	}
	if !m.s.DB.Game.Streak.Off {
		for _, d := range slices.SortedFunc(maps.Keys(played), game.Date.Compare) {
			m.streak = m.streak.Play(m.s.DB.Game.Streak, d)
			me.Streaks = append(me.Streaks, m.streak.At(m.s.DB.Game.Streak, d))
		}
	}
	me.Streak = m.streak.At(m.s.DB.Game.Streak, m.s.DB.Game.OpenDates(m.now)[0])
	return me
}

// ended reports whether a day is over everywhere on earth, whether or not it still takes
// scores.
func (m *meRead) ended(d game.Date) bool {
	return !m.now.Before(m.s.DB.Game.Ends(game.Day.Of(d)))
}
