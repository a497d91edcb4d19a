package notices

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// mostSpenders bounds how many players have such a notice, at 70 bytes each, since every
// process reads them all. Players who are only watched get half of the places.
const mostSpenders = 1000

var spenderPrefix, _, _ = strings.Cut(game.SpenderMember("", ""), ":")

// Spenders are the players who cost much, as far as this process knows. Their notices are in
// the set of bans, which a process reads at its start, and every 15 minutes if it writes. It is
// safe for concurrent use.
type Spenders struct {
	notices *Notices

	mu    sync.Mutex
	until map[string]spending // by digest
}

// spending is until when a player is watched and refused; zero: not.
type spending struct {
	watch, refuse time.Time
	members       []string // the notices in Redis
}

// Know makes sure that the process has read the notices once. A process that read them long ago
// has to find out itself who costs much.
//
// Cost: 1 billed command in 1 round trip, once for a process.
func (s *Spenders) Know(ctx context.Context) {
	s.notices.Begun.Know(ctx) // if it fails, this process watches nobody
}

// Find returns until when a player is watched and refused, zero for not, as far as
// this process knows.
func (s *Spenders) Find(player string) (watch, refuse time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.until) == 0 {
		return watch, refuse
	}
	is := s.until[game.BanMember(player)]
	return is.watch, is.refuse
}

// Add tells every process about a player: this one at once, others when they read the bans. If
// the list is full, only this process knows.
//
// Cost: 1 billed command; 2 if it also removes notices.
func (s *Spenders) Add(ctx context.Context, player string, watch, refuse time.Time) error {
	digest := game.BanMember(player)
	watched, refused := s.Find(player)
	watch, refuse = latest(watch, watched), latest(refuse, refused)
	member := game.SpenderMember(digest, seconds(watch)+":"+seconds(refuse))
	over, full := s.add(digest, spending{watch, refuse, []string{member}}, s.notices.db.Now())
	if full {
		return nil
	}
	var p rdb.Pipeline
	p.Add(upstash.Cmd("SADD", game.BansKey, member).Idempotent(), nil)
	if len(over) > 0 {
		p.Add(upstash.Cmd(append([]string{"SREM", game.BansKey}, over...)...).Idempotent(), nil)
	}
	_, err := p.Run(ctx, s.notices.db.Redis)
	return rdb.Wrap("have a player watched", err)
}

// add notes until when a player is watched and refused. It lists the notices that are to be
// removed: earlier ones of this player, and those of players whose time is over.
func (s *Spenders) add(digest string, is spending, now time.Time) (over []string, full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for other, was := range s.until {
		if other == digest || !was.watch.After(now) {
			over = append(over, was.members...)
			delete(s.until, other)
		}
	}
	most := mostSpenders
	if !is.refuse.After(now) {
		most /= 2
	}
	full = len(s.until) >= most
	s.until[digest] = is
	return over, full
}

// read notes the notices in Redis. If there are several about one player, the latest ends
// count.
func (s *Spenders) read(members []string) {
	until := make(map[string]spending, len(members))
	for _, member := range members {
		parts := strings.Split(member, ":")
		if len(parts) != 4 {
			continue
		}
		is := until[parts[1]]
		is.watch, is.refuse = latest(is.watch, parse(parts[2])), latest(is.refuse, parse(parts[3]))
		is.members = append(is.members, member)
		until[parts[1]] = is
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until = until
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// parse is the inverse of seconds. If the text is no time, it returns the zero time.
func parse(text string) (t time.Time) {
	if at, err := strconv.ParseInt(text, 10, 64); err == nil && at > 0 {
		t = time.Unix(at, 0)
	}
	return t
}

// seconds is a time as notices have it; 0 for the zero time.
func seconds(t time.Time) string {
	if t.IsZero() {
		return "0"
	}
	return strconv.FormatInt(t.Unix(), 10)
}
