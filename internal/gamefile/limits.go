package gamefile

import (
	"fmt"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

var callerKeys = []string{"player", "key", "ip", "every", "redis_down"}

// limits reads how often callers may ask. What is left out has its default.
func (r *reader) limits(v value) game.Limits {
	f := r.section(v, "submit", "boards", "auth", "devices", "duels", "purchases", "commands")
	submit := r.section(f.field("submit"), append([]string{"anonymous"}, callerKeys...)...)
	boards := r.section(f.field("boards"), "ip", "player")
	return game.Limits{
		Submit:    r.callerLimits(submit, 20),
		Anonymous: r.rate(submit.field("anonymous"), game.Rate{Count: 60, Window: time.Minute}),
		Purchases: r.callerLimits(r.section(f.field("purchases"), callerKeys...), 10),
		Duels:     r.callerLimits(r.section(f.field("duels"), callerKeys...), 120),
		Boards:    r.rate(boards.field("ip"), game.Rate{Count: 30, Window: time.Minute}),
		Own:       r.rate(boards.field("player"), game.Rate{Count: 120, Window: time.Minute}),
		Auth:      r.addressLimit(f.field("auth"), game.Rate{Count: 5, Window: time.Minute}),
		Devices:   r.addressLimit(f.field("devices"), game.Rate{Count: 20, Window: time.Hour}),
		Commands:  r.commandLimits(r.section(f.field("commands"), "player", "ip", "unverified", "burst")),
	}
}

// commandLimits reads what callers may cost in commands. The defaults allow 5,000 a day and
// player in a dozen processes, and 3,000 in any half a minute and process for callers without
// a credential.
func (r *reader) commandLimits(f section) game.CommandLimits {
	return game.CommandLimits{
		Player:     r.rate(f.field("player"), game.Rate{Count: 2000, Window: 24 * time.Hour}),
		IP:         r.rate(f.field("ip"), game.Rate{Count: 300, Window: time.Minute}),
		Unverified: r.rate(f.field("unverified"), game.Rate{Count: 50, Window: time.Second}),
		Burst:      int(r.number(f.field("burst"), 0, 1200)),
	}
}

// callerLimits reads the limits of a class, in which by default each player may send so many
// requests a minute.
func (r *reader) callerLimits(f section, aMinute int) game.CallerLimits {
	return game.CallerLimits{
		Player:    r.rate(f.field("player"), game.Rate{Count: aMinute, Window: time.Minute}),
		Key:       r.rate(f.field("key"), game.Rate{}),
		IP:        r.rate(f.field("ip"), game.Rate{}),
		Every:     r.pause(f.field("every")),
		RedisDown: choice(r, f.field("redis_down"), "a choice", game.LetPass, game.LetPass, game.Refuse),
	}
}

func (r *reader) addressLimit(v value, otherwise game.Rate) game.Rate {
	f := r.section(v, "ip")
	return r.rate(f.field("ip"), otherwise)
}

const off = "off"

// rate reads 20/1m, or off.
func (r *nodes) rate(v value, otherwise game.Rate) game.Rate {
	const want = "use requests in a time, such as 20/1m, or off"
	if !r.scalar(v, want, "!!str") {
		return otherwise
	}
	if v.node.Value == off {
		return game.Rate{}
	}
	n, rest, _ := strings.Cut(v.node.Value, "/")
	number, okNumber := count(n, 9)
	window, okWindow := parseDuration(rest)
	if !okNumber || !okWindow || number == 0 && window == 0 {
		r.add(v.node.Line, v.path, fmt.Sprintf("%.40q is not a rate", v.node.Value), want)
		return otherwise
	}
	return game.Rate{Count: int(number), Window: window}
}

// pause reads a duration, or off.
func (r *nodes) pause(v value) time.Duration {
	if v.node != nil && v.node.Value == off {
		return 0
	}
	return r.duration(v, 0)
}
