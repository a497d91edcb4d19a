package league

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// keep is how old a cohort, and the week's XP, may be.
const keep = 30 * time.Second

// pastKeep is how long a process uses what it has read of earlier weeks, which changes once a
// week.
const pastKeep = 10 * time.Minute

// PlayerLeague returns a player's league of this week. A player who has XP and no cohort joins one.
//
// Cost: nothing while the process has read the cohort in the last 30 s, else 2 billed
// commands, and 1 for names that it does not know. 1 more if it does not know the player's
// cohort. If the week's XP is due, at most every 30 s over all processes, 1 and what
// [player.XP.DeriveWeek] and joining cost; then 2 for each 10,000 who join, and 1.
func (l *Leagues) PlayerLeague(ctx context.Context, player string) (PlayerLeague, error) {
	now := l.DB.Now()
	week := game.Week.Of(game.DateOf(now))
	own := PlayerLeague{Week: week, Ends: l.DB.Game.Ends(week), State: Idle, Updated: now}
	before, err := l.readPast(ctx, player, week.First())
	if err != nil {
		return PlayerLeague{}, err
	}
	own.Results, own.Tier = before.results, before.tier
	if before.settling {
		own.State = Settling
		return own, nil
	}
	seat, found, err := l.seat(ctx, week, player)
	if errors.Is(err, ErrUnsettled) {
		l.pasts.Remove(player)
		own.State = Settling
		return own, nil
	}
	if err != nil || !found {
		return own, redis.Wrap("find the cohort of "+player, err)
	}
	own.State, own.Tier, own.Cohort = Playing, min(seat.Tier, len(l.rules().Tiers)-1), &seat
	current, err := l.cohort(ctx, week, seat)
	if err != nil {
		return PlayerLeague{}, redis.Wrap("read a cohort", err)
	}
	own.Entries, own.Updated = current.entries, current.updated
	if !current.has(player) { // the player was erased, or Redis was lost: the seat is another one now, or none
		l.seats.Remove(seatID{week.First(), player})
		l.cohorts.Remove(cohortID{week.First(), seat.Code()})
	}
	return own, nil
}

func (l *Leagues) rules() *Rules { return RulesOf(l.DB.Game) }

// pastWeeks is what a process knows of a player's earlier weeks.
type pastWeeks struct {
	week     game.Date
	at       time.Duration
	results  []Result
	tier     int
	settling bool
}

func (l *Leagues) readPast(ctx context.Context, player string, week game.Date) (pastWeeks, error) {
	if known, ok := l.pasts.Get(player); ok && known.week == week && l.DB.Elapsed()-known.at < known.life() {
		return known, nil
	}
	p := pastWeeks{week: week, at: l.DB.Elapsed()}
	next, err := l.Archive.Next(ctx)
	if err != nil {
		return pastWeeks{}, err
	}
	if p.results, err = l.Archive.Of(ctx, player, week, MostResults); err != nil {
		return pastWeeks{}, err
	}
	at := week
	if !next.IsZero() && next.Before(week) {
		p.settling, at = true, next // the weeks from next on may change the tier
	}
	var last Result
	if len(p.results) > 0 {
		last = p.results[0]
	}
	p.tier = l.rules().TierIn(last, at)
	l.pasts.Add(player, p)
	return p, nil
}

func (p pastWeeks) life() time.Duration {
	if p.settling {
		return keep
	}
	return pastKeep
}

// seat finds the player's seat. If there is none, it looks again after a refresh.
func (l *Leagues) seat(ctx context.Context, week game.Period, player string) (Seat, bool, error) {
	id := seatID{week.First(), player}
	if seat, ok := l.seats.Get(id); ok {
		return seat, true, nil
	}
	for again := range 2 {
		var at redis.Place
		if err := l.DB.Ask(ctx, upstash.Cmd("ZSCORE", Key(week.First()), player), redis.ScoreInto(&at)); err != nil {
			return Seat{}, false, err
		}
		if at.Found {
			seat := SeatOf(player, int64(at.Stored))
			l.seats.Add(id, seat)
			return seat, true, nil
		}
		if again == 0 {
			if err := l.refresh(ctx, week, l.DB.Game.Refresh); err != nil {
				return Seat{}, false, err
			}
		}
	}
	return Seat{}, false, nil
}

// cohort is a cohort as a process has read it.
type cohort struct {
	at      time.Duration
	updated time.Time
	entries []Entry
}

// has reports whether a player has a place.
func (c cohort) has(player string) bool {
	return slices.ContainsFunc(c.entries, func(e Entry) bool { return e.Player == player })
}

// cohort reads the standings of a seat's cohort.
func (l *Leagues) cohort(ctx context.Context, week game.Period, seat Seat) (cohort, error) {
	id := cohortID{week.First(), seat.Code()}
	if known, ok := l.cohorts.Get(id); ok && l.DB.Elapsed()-known.at < keep {
		return known, nil
	}
	forgotten := l.forgotten.Load()
	if err := l.refresh(ctx, week, keep); err != nil && !errors.Is(err, ErrUnsettled) {
		return cohort{}, err
	}
	c := cohort{at: l.DB.Elapsed(), updated: l.DB.Now()}
	players, err := l.players(ctx, id)
	if err != nil || len(players) == 0 {
		return c, err
	}
	xp, err := l.xpOf(ctx, week.First(), players)
	if err != nil {
		return c, err
	}
	seats := make([]Seat, len(players))
	for i, player := range players {
		seats[i] = SeatOf(player, id.code)
	}
	standings := Stand(l.rules(), seats, xp)
	names, err := l.Names(ctx, players)
	if err != nil {
		return c, err
	}
	for _, s := range standings {
		c.entries = append(c.entries, Entry{s, names[s.Player]})
	}
	if l.forgotten.Load() == forgotten {
		l.cohorts.Add(id, c)
	}
	return c, nil
}

// players lists the players of a cohort who are not banned.
func (l *Leagues) players(ctx context.Context, id cohortID) (players []string, err error) {
	code := redis.Itoa(id.code)
	reply, err := l.DB.Redis.Do(ctx, upstash.Cmd("ZRANGEBYSCORE", Key(id.week), code, code))
	if err != nil {
		return nil, err
	}
	all, err := reply.Strings()
	if err != nil {
		return nil, err
	}
	for _, player := range all {
		banned, err := l.Banned(ctx, player)
		if err != nil {
			return nil, err
		}
		if !banned {
			players = append(players, player)
		}
	}
	return players, nil
}

func (l *Leagues) xpOf(ctx context.Context, week game.Date, players []string) (map[string]int64, error) {
	members := make([]redis.Member, len(players))
	for i, player := range players {
		members[i].Player = player
	}
	places := make([]redis.Place, len(players))
	if err := l.DB.Ask(ctx, redis.ScoresOf(XPKey(week), members), redis.PlacesInto(places)); err != nil {
		return nil, err
	}
	xp := make(map[string]int64, len(players))
	for i, at := range places {
		xp[players[i]] = int64(at.Stored)
	}
	return xp, nil
}
