package limit

import (
	"fmt"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Rule is one limit of one class of routes.
type Rule struct {
	Name   string        // names it in header fields and keys
	Count  int           // requests, or commands, in any Window
	Window time.Duration // whole seconds
	Pause  bool          // Window is the least time between two requests; Count is 1
	Shared bool          // counted over all processes
	Closed bool          // refuses if Redis cannot answer

	commands bool // it counts commands
}

// Quota is how much the rule lets pass in a window, in words.
func (r Rule) Quota() string {
	if r.commands {
		return fmt.Sprintf("%d commands", r.Count)
	}
	return strconv.Itoa(r.Count)
}

// slot is the length of a slot in nanoseconds.
func (r Rule) slot() int64 { return int64(r.Window) / slotsPerWindow }

// unreported is how much a process may count before it reports to Redis.
func (r Rule) unreported() int { return r.Count/4 + 1 }

// Class is a kind of route.
type Class string

// The classes of a game file.
const (
	Submit    Class = "submit"
	Purchases Class = "purchases"
	Duels     Class = "duels"
	Boards    Class = "boards"
	// Free are reads that have cost nothing.
	Free Class = "free"
	// Refused are requests on other routes than those of Boards that are refused.
	Refused Class = "refused"
	Auth    Class = "auth"
	Devices Class = "devices"
	// Names are the names that devices take.
	Names Class = "names"
	// Commands is what requests cost, whatever their class: see Limiter.Spend.
	Commands Class = "commands"
)

// kind is by what a rule counts callers.
type kind int

const (
	byPlayer kind = iota
	byKey
	byAddress
	byAnonymous
	byStranger
)

type counted struct {
	Rule
	by kind
}

// rules are those of a game's limits, by class.
func rules(l game.Limits) map[Class][]counted {
	all := map[Class][]counted{}
	add := func(c Class, suffix string, rate game.Rate, by kind, change func(*Rule)) {
		if rate.Count == 0 {
			return
		}
		r := Rule{Name: string(c) + "-" + suffix, Count: rate.Count, Window: rate.Window, Shared: by == byPlayer || by == byKey}
		if change != nil {
			change(&r)
		}
		all[c] = append(all[c], counted{r, by})
	}
	for c, limits := range map[Class]game.CallerLimits{Submit: l.Submit, Purchases: l.Purchases, Duels: l.Duels} {
		outage := func(r *Rule) { r.Closed = limits.RedisDown == game.Refuse }
		add(c, "player", limits.Player, byPlayer, outage)
		add(c, "key", limits.Key, byKey, outage)
		add(c, "ip", limits.IP, byAddress, nil)
		if limits.Every > 0 {
			add(c, "every", game.Rate{Count: 1, Window: limits.Every}, byPlayer, func(r *Rule) { outage(r); r.Pause = true })
		}
	}
	add(Submit, "anonymous", l.Anonymous, byAnonymous, nil)
	add(Boards, "ip", l.Boards, byAddress, nil)
	// Not shared: most of these requests are answered from memory, and those that cost commands
	// are bounded in commands.
	add(Boards, "player", l.Own, byPlayer, func(r *Rule) { r.Shared = false })
	add(Free, "ip", tenTimes(l.Boards), byAddress, nil)
	add(Free, "player", tenTimes(l.Own), byPlayer, func(r *Rule) { r.Shared = false })
	add(Refused, "ip", l.Boards, byAddress, nil)
	add(Refused, "player", l.Own, byPlayer, func(r *Rule) { r.Shared = false })
	// Not shared: telling Redis what a player costs would itself cost commands.
	add(Commands, "player", l.Commands.Player, byPlayer, func(r *Rule) { r.Shared, r.commands = false, true })
	add(Commands, "ip", l.Commands.IP, byStranger, func(r *Rule) { r.commands = true })
	add(Auth, "ip", l.Auth, byAddress, nil)
	add(Names, "device", deviceNames, byPlayer, nil)
	add(Devices, "ip", l.Devices, byAddress, nil)
	return all
}

// tenTimes is the rate of reads that cost nothing. It is far more than pages ask for, and
// bounds the load of the processor.
func tenTimes(r game.Rate) game.Rate { return game.Rate{Count: 10 * r.Count, Window: r.Window} }

// deviceNames is how often a device may change its name: often enough to correct a mistake, and
// too seldom to chat by names on a board.
var deviceNames = game.Rate{Count: 3, Window: 24 * time.Hour}

// slotsPerWindow is how finely Redis counts: a request counts until its whole slot has left the
// window.
const slotsPerWindow = 6

// shared is what one process knows of the requests of one caller in other processes. The arrays
// have a slot at its number modulo their length.
type shared struct {
	slot   int64 // the newest slot that was asked about
	exists bool  // the slot's key is known to exist
	ours   [slotsPerWindow + 1]int
	others [slotsPerWindow + 1]int
}

func place(slot int64) int { return int(slot % (slotsPerWindow + 1)) }

// enter makes slot the newest. A slot before the newest says that the clock was moved back.
func (s *shared) enter(slot int64) {
	if slot == s.slot {
		return
	}
	if slot < s.slot || slot > s.slot+slotsPerWindow {
		s.ours, s.others = [slotsPerWindow + 1]int{}, [slotsPerWindow + 1]int{}
	} else {
		for i := s.slot + 1; i <= slot; i++ {
			s.ours[place(i)], s.others[place(i)] = 0, 0
		}
	}
	s.slot, s.exists = slot, false
}

// othersAt is how many requests in other processes are in a window that ends in a slot, as far
// as this process knows.
func (s *shared) othersAt(slot int64) (n int) {
	for i := slot - slotsPerWindow; i <= min(slot, s.slot); i++ {
		if i >= 0 && i >= s.slot-slotsPerWindow {
			n += s.others[place(i)]
		}
	}
	return n
}

// learn notes the answer to an ask about a slot, mostly the newest. It reports whether Redis
// has counted what it was sent.
func (s *shared) learn(a Ask, got Answer) (answer bool) {
	answer = !a.Create || got.Created
	if answer {
		s.ours[place(a.Slot)] += a.Add
	}
	s.others[place(a.Slot)] = max(0, got.Count-s.ours[place(a.Slot)])
	if a.Create {
		for i, before := range got.Before {
			if slot := a.Slot - 1 - int64(i); slot >= 0 {
				s.others[place(slot)] = max(0, before-s.ours[place(slot)])
			}
		}
	}
	if a.Slot == s.slot {
		s.exists = true
	}
	return answer
}
