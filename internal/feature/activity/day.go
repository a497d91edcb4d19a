package activity

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// dayRead is what Redis has of a group's day.
type dayRead struct {
	acts   []Act // ascending by time
	before []Act // acts of the day before, whose messages may form bursts with messages of this day
	// streaks are those up to the day before, of all players in acts who may be on boards; 0
	// for players without a streak.
	streaks map[string]int
}

// reading reads groups' days.
type reading struct{ *Activity }

// day reads a group's day.
//
// Cost: 1 billed command for each 20,000 acts, 1 if messages may be within a burst of the day
// before, and 1 if some player may be on boards.
func (a reading) day(ctx context.Context, day groupDay) (dayRead, error) {
	r, err := a.acts(ctx, day)
	if err == nil {
		r.streaks, err = a.streaks(ctx, day.date.AddDays(-1), a.players(r.acts))
	}
	return r, err
}

// acts reads all acts of a day. It skips acts whose text this program does not understand,
// because a later version may have written them.
func (a reading) acts(ctx context.Context, day groupDay) (r dayRead, err error) {
	err = a.DB.EachMember(ctx, day.key(), func(members []redis.Member) error {
		r.acts = appendActs(r.acts, members)
		return nil
	})
	if err == nil {
		r.before, err = a.before(ctx, day, r.acts)
	}
	return r, err
}

func appendActs(acts []Act, members []redis.Member) []Act {
	for _, m := range members {
		if act, err := ReadAct(m.Player, int64(m.Stored)); err == nil {
			acts = append(acts, act)
		}
	}
	return acts
}

// before reads the acts of the day before that may form bursts with messages of this day, if
// there may be any.
func (a reading) before(ctx context.Context, day groupDay, acts []Act) ([]Act, error) {
	within := a.rules.Burst.Within
	first := slices.IndexFunc(acts, func(act Act) bool {
		rule, ok := a.rules.Event(act.Type)
		return ok && rule.Message
	})
	if within == 0 || first < 0 {
		return nil, nil
	}
	begin := time.UnixMilli(acts[first].At).Add(-within)
	if !a.date(day.group, begin).Before(day.date) {
		return nil, nil
	}
	var members []redis.Member
	var p redis.Pipeline
	p.Add(upstash.Cmd("ZRANGEBYSCORE", groupDay{day.group, day.date.AddDays(-1)}.key(), "("+redis.Itoa(begin.UnixMilli()), "+inf", "WITHSCORES"), redis.MembersInto(&members))
	_, err := p.Run(ctx, a.DB.Redis)
	return appendActs(nil, members), err
}

// players are the players who may be on boards, in acts of types that the game has.
func (a reading) players(acts []Act) []string {
	all := map[string]struct{}{}
	for _, act := range acts {
		if _, ok := a.rules.Event(act.Type); !ok {
			continue
		}
		for _, player := range act.Who {
			all[player] = struct{}{}
		}
	}
	maps.DeleteFunc(all, func(player string, _ struct{}) bool { return a.Notices.Has(player) })
	return slices.Sorted(maps.Keys(all))
}

// streaks reads the players' streaks up to a date.
func (a reading) streaks(ctx context.Context, d game.Date, players []string) (map[string]int, error) {
	streaks := make(map[string]int, len(players))
	if len(players) == 0 {
		return streaks, nil
	}
	places := make([]redis.Place, len(players))
	err := a.DB.Ask(ctx, upstash.Cmd(append([]string{"ZMSCORE", ActiveKey(d)}, players...)...), redis.PlacesInto(places))
	for i, player := range players {
		streaks[player] = int(places[i].Stored) // 0 if there is none
	}
	return streaks, err
}

// dayWorth is what a day's acts add up to.
type dayWorth struct {
	tallies map[string]*Tally
	players []string       // of the tallies, ascending
	streaks map[string]int // up to and including this day
	muted   int            // messages within bursts
	absent  []string       // players in acts who are on no board: banned, or in acts that do not count
}

// worthOf adds a day up. It is a pure function.
func worthOf(rules *Rules, r dayRead) dayWorth {
	w := dayWorth{tallies: Of(rules, r.acts, r.before), streaks: make(map[string]int, len(r.streaks))}
	for player, t := range w.tallies {
		w.muted += t.Muted
		if before, may := r.streaks[player]; may {
			w.streaks[player] = before + 1
		} else {
			delete(w.tallies, player)
		}
	}
	w.players = slices.Sorted(maps.Keys(w.tallies))
	absent := map[string]bool{}
	for _, act := range r.acts {
		for _, player := range act.Who {
			if w.tallies[player] == nil {
				absent[player] = true
			}
		}
	}
	w.absent = slices.Sorted(maps.Keys(absent))
	return w
}
