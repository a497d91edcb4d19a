package game

import (
	"fmt"
	"strconv"
	"time"
)

// Limits are how often one caller may ask, by class of route. A zero value means that there is
// no limit.
type Limits struct {
	Submit    CallerLimits // scores that go in
	Purchases CallerLimits // for routes that sell
	Duels     CallerLimits // challenges, the queue and results
	Anonymous Rate         // of one address: scores of devices, of which anybody can have more
	Devices   Rate         // of one address: new devices, and claims of them
	Boards    Rate         // reads of boards, of one address
	Own       Rate         // of one player: own data, friends, and reads with a session token
	Auth      Rate         // invalid credentials, of one address
	Commands  CommandLimits
}

// CommandLimits bound what callers may cost, in billed commands of Redis.
type CommandLimits struct {
	Player Rate // of one player, over all processes
	IP     Rate // of one address, in each process, for callers who are no verified player
	// Unverified is what one process may spend for all callers together who have no
	// credential: a bucket that fills at this rate and holds Burst.
	Unverified Rate
	Burst      int // 100 to 100,000; with Unverified
}

// CallerLimits bound callers who have a credential.
type CallerLimits struct {
	Player Rate          // of one player, by session token
	Key    Rate          // of one signing key of a game server
	IP     Rate          // of one address, regardless of the player
	Every  time.Duration // one request of a player in this time; 0 is no limit
	// RedisDown says what happens to a caller whose count Redis cannot answer.
	RedisDown Outage
}

// Rate is at most Count requests in any Window; the zero Rate is no limit.
type Rate struct {
	Count  int           // 1 to 10,000
	Window time.Duration // 1 s to 24 h
}

// Outage is what a limit does while Redis cannot answer.
type Outage string

// What a limit can do without Redis.
const (
	LetPass Outage = "open"   // let the caller pass, as far as this process's own count allows
	Refuse  Outage = "closed" // answer 503
)

// Bounds of a rate.
const (
	maxCount  = 10_000
	minWindow = time.Second
	maxWindow = day
	// minBurst leaves room for the most expensive request of a caller who is not a player.
	minBurst = 100
	maxBurst = 100_000
)

func (c *Checker) limits(l Limits) {
	c.callerLimits("limits.submit", l.Submit)
	c.callerLimits("limits.purchases", l.Purchases)
	c.callerLimits("limits.duels", l.Duels)
	c.rate("limits.submit.anonymous", l.Anonymous)
	c.rate("limits.devices.ip", l.Devices)
	c.rate("limits.boards.ip", l.Boards)
	c.rate("limits.boards.player", l.Own)
	c.rate("limits.auth.ip", l.Auth)
	c.commandLimits(l.Commands)
}

func (c *Checker) commandLimits(l CommandLimits) {
	c.rate("limits.commands.player", l.Player)
	c.rate("limits.commands.ip", l.IP)
	c.rate("limits.commands.unverified", l.Unverified)
	if l.Unverified != (Rate{}) {
		c.Within("limits.commands.burst", float64(l.Burst), minBurst, maxBurst)
	}
}

func (c *Checker) callerLimits(path string, l CallerLimits) {
	c.rate(path+".player", l.Player)
	c.rate(path+".key", l.Key)
	c.rate(path+".ip", l.IP)
	if l.Every != 0 {
		c.Duration(path+".every", l.Every, minWindow, maxWindow)
	}
	if l.RedisDown != LetPass && l.RedisDown != Refuse && l != (CallerLimits{}) {
		c.Add(path+".redis_down", fmt.Sprintf("%.50q is not one of the choices", string(l.RedisDown)), "use open or closed")
	}
}

func (c *Checker) rate(path string, r Rate) {
	if r == (Rate{}) {
		return
	}
	if r.Count < 1 || r.Count > maxCount || r.Window < minWindow || r.Window > maxWindow {
		c.Add(path, strconv.Itoa(r.Count)+"/"+formatDuration(r.Window)+" is out of range",
			fmt.Sprintf("use 1 to %d in %s to %s, such as 20/1m, or off", maxCount, formatDuration(minWindow), formatDuration(maxWindow)))
	}
}

// LimitKey counts the requests of one caller, under one rule, in one slot of
// time. All slots of a caller stay together, since they are read at once.
func LimitKey(rule, caller string, slot int64) string {
	return "limit:{" + rule + ":" + caller + "}:" + strconv.FormatInt(slot, 10)
}

// PauseKey exists for as long as a caller has to pause under one rule.
func PauseKey(rule, caller string) string { return "limit:{" + rule + ":" + caller + "}" }
