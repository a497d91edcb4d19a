// Package gamefile reads a game from its YAML file. It knows the file's form: keys, types,
// defaults and the line of each value, so that every problem is reported with its line. Package
// game decides which games are valid; that must not be decided here.
//
// A file looks like this. Only name, and a max for each mode, are required; the
// values shown are the defaults, except for the names and the bounds.
//
//	name: framedle          # [a-z][a-z0-9_]{0,39}
//	day: utc                # utc | local: everybody's own midnight
//	grace: 15m              # scores are accepted this long after the day's end, 0s to 1d
//	refresh: 5s             # a derived board is rebuilt at most once in this time, 1s to 1d
//	cache: 60s              # public pages may be this old, 0s to 1h
//	lives:                  # how long boards stay in Redis after their period's end
//	  day: 8d
//	  week: 30d
//	  month: 180d
//	level:
//	  base: 50              # level n needs base*n*n XP
//	streak:                 # or off
//	  freezes: 0            # how many a player can hold; each covers a missed day, 0 to 30
//	  every: 7              # days of a streak that earn one, 1 to 366
//	duels:                  # Elo
//	  k: 32
//	  start: 1000
//	  scale: 400
//	  xp: 0                 # XP per point, up to 3 decimals
//	  provisional:          # a player's first duels may move ratings by more
//	    duels: 0            # how many; both players' K are averaged
//	    k: 64
//	  invite: 1d            # a challenge can be accepted this long, 1m to 30d
//	  timeout: 1d           # a result is awaited this long, 1m to 30d
//	  keep: 30d             # a duel is known in Redis this long after that, 1d to 365d
//	  points: {round: 0, win: 0, sweep: 0}  # a round won, the duel won, won without losing a round
//	  rounds: 50            # the most rounds that a result may give a player, 1 to 1000000
//	  queue:                # how far apart ratings may be
//	    window: 100         # at first
//	    growth: 10          # more for each second of waiting
//	    cap: 1000           # at most
//	    away: 30s           # who has not asked this long is passed over, 5s to 10m
//	races: off              # or, with {} for all of these (ratings are those of duels):
//	  players: 5            # room of a race of the queue, 2 to 5
//	  wait: 15s             # for others, from the second player on, 0s to 10m
//	  invite: 10m           # for a second player, 1m to 1d
//	  silent: 15s           # who is not heard of for this long is out, 5s to 5m
//	  timeout: 1m           # results are awaited this long after the challenge's seconds, 5s to 1h
//	  keep: 7d              # a race is known in Redis this long, 2d to 30d
//	leagues: off            # or, with {} for all of these: weekly cohorts by XP
//	  tiers: [Bronze, Silver, Gold, Sapphire, Ruby, Emerald, Amethyst, Pearl, Obsidian, Diamond]
//	  size: 30              # players of a full cohort, 2 to 30
//	  promote: 7            # of a full cohort, how many go up
//	  relegate: 5           # of a full cohort, how many fall
//	  pace: []              # XP of the last week played from which players meet others: [500, 2000]
//	  rewards: []           # by place, kept with the result: [gold chest, silver chest]
//	anonymous: false        # devices may play that nobody has signed in on
//	devices: {names: false} # whether they may take a name; with anonymous only
//	signatures: v1          # of game servers: v1 takes v1 and v2, v2 takes v2 only
//	limits:                 # how often callers may ask: requests in a time, or off
//	  submit:
//	    player: 20/1m       # of one player
//	    key: off            # of one signing key of a game server
//	    ip: off             # of one address
//	    every: off          # the least time between two of one player
//	    anonymous: 60/1m    # of one address: what devices send
//	    redis_down: open    # open | closed: what to do while Redis cannot answer
//	  boards: {ip: 30/1m}
//	  auth: {ip: 5/1m}      # credentials that do not hold
//	  devices: {ip: 20/1h}  # new devices, and claims of them
//	  duels: {player: 120/1m}     # challenges, the queue, results; the keys of submit, but for anonymous
//	  purchases: {player: 10/1m}  # and the keys of submit
//	budget: off             # or:
//	  month: 500000         # billed commands a month may cost; required in a budget
//	  degrade: {caches: 80%, refresh: 90%, features: 100%}  # at which pace each begins, or off
//	live: false             # processes that write announce changes, for viewers whom Redis sends no news; or, with that:
//	  channels: false       # others hear which modes' boards change, over Redis
//	seasons: []             # besides weeks and months: [{name: spring_2026, first: 2026-03-01, last: 2026-05-31}]
//	play:                   # of modes that hand out plays
//	  life: 5m              # a play may be sent in for so long, 10s to 1h
//	  slack: 5s             # what players say it took may be so much less than what passed, 0s to 1m
//	world: off              # or, with {} for all of these: several sites merge their boards
//	  top: 10000            # entries of each board, 100 to 10000
//	  periods: [day, week, month, season, alltime]
//	  modes: []             # all
//	challenges: {}          # texts to draw from: {english: [a text, another]}
//	currencies: {}          # what one play earns, by mode: {coins: {daily_frame: 1}}; up to 8
//	presence: false         # whether players are counted who are there
//	activity:               # what players do beside playing becomes points; nothing if left out
//	  groups: []            # those that events may come from; any if left out
//	  zones: {irvine: America/Los_Angeles} # of groups; UTC if none is named; needs day: local
//	  burst: off            # or {most: 50, within: 10s}: more messages of one sender in that time count for nothing
//	  events:               # what each type adds; who is [from, to], [user] or [users], of whom one may be the winner
//	    chat.message: {who: [from, to], message: true, count: {sent: from}, distinct: {senders: {of: to, by: from}}}
//	  streams: {x:chat.events: {msg:new: chat.message}} # of this Redis; or one type for all entries
//	  pillars:              # modes, and what their counters are worth: a number, or with a cap
//	    social: {sent: {weight: 0.3, cap: 60}, senders: 1}
//	  overall: {mode: all, streak: {days: 30, times: 1.5}} # the mode of their sum, and what a streak multiplies it by
//	badges:                 # what players are given, each for one fact; nothing if left out
//	  week: {title: A week, streak: 7}      # days in a row; once, as all but ranks
//	  loyal: {title: Loyal, days: 100}      # days with a score
//	  rich: {title: Rich, xp: 10000}
//	  fighter: {title: Fighter, wins: 100}  # of duels
//	  perfect: {title: Perfect, score: best, mode: daily_frame} # or a score that a day reaches
//	  first: {title: First, rank: 1, period: day, mode: daily_frame, scope: all, once: false} # places; any mode if none is said; scope all or group
//	  butterfly: {title: Butterfly, peers: 15, days: 7} # different players met in days in a row; needs activity
//	webhooks:               # other programs that are told; nobody if left out, up to 8
//	  shop: {url: https://shop.example.com/hooks, events: [period.closed], private: false} # and season.closed, badge.given, league.rolled
//	modes:
//	  daily_frame:          # [a-z][a-z0-9_]{0,39}; not xp, duels, alltime, week or month
//	    title: daily_frame  # for people; the name if left out
//	    policy: first       # first | best | latest | sum
//	    order: desc         # desc | asc
//	    ties: earliest      # earliest | shared
//	    decimals: 0         # places of a score, 0 to 6
//	    min: 0              # bounds of one submission
//	    max: 1000           # required
//	    day_min: 0          # with policy sum only: bounds of a day's total; required unless
//	    day_max: 1000       # no play can pass them: day_min if min < 0, day_max if max > 0
//	    aggregate: sum      # sum | max | min | last; with policy best: max, or min if asc
//	    scopes: []          # country, region, group, besides global
//	    levels: 0           # a play may name one of so many levels, each of which has boards; up to 100
//	    teams: off          # off | sum | {best: 5}: groups against each other, by their members' scores
//	    details: false      # keep the opaque details of a play
//	    authoritative: false # take scores from game servers only
//	    xp: 0               # XP per point, up to 3 decimals; or:
//	    xp: {play: 10, scores: {"60": 100}} # for a day played, and for the best of these scores reached
//	    play: off           # required: a player's score needs a play that was handed out
//	    proof: keystrokes   # what values follow from; left out: players tell them. With play: required only
//	    challenge: {seconds: 30, texts: english, keys: 600} # or {seed: true}; left out: none. With play: required only
//	    renamed_from: old   # the name that the mode began with, if it has another now
//
// Durations are whole numbers with the units d (24 hours), h, m and s, largest first: 90s,
// 15m, 1d12h. Numbers are written as in JSON. With order asc and aggregate sum a missed day
// costs nothing, so such a period favours players who play less: min or last may be what is
// meant.
//
// A file is one YAML document of at most 1 MiB. Unknown and repeated keys,
// anchors, aliases and tags are refused.
package gamefile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// MaxSize is the most bytes a game file may have.
const MaxSize = 1 << 20

// Error is one thing that is wrong with a game file.
type Error struct {
	File    string
	Line    int    // from 1; 0 if no line is to blame
	Path    string // the key, as in modes.daily_frame.policy; empty for the whole file
	Problem string // what is wrong
	Want    string // what would be right
}

// Error is "games/framedle.yaml:12: modes.daily_frame.policy: problem; want".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	b.WriteString(": ")
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.Problem + "; " + e.Want)
	return b.String()
}

// Parse reads a game from the text of its file; file is the name to report.
// The error joins an *[Error] for each thing that is wrong, in line order.
func Parse(file string, text []byte) (*game.Game, error) {
	_, g, err := parse(file, text)
	return g, err
}

// Describe is Parse for a caller that needs what the file says: a description that game.New
// has checked and that is not completed.
func Describe(file string, text []byte) (game.Game, error) {
	description, _, err := parse(file, text)
	return description, err
}

func parse(file string, text []byte) (description game.Game, g *game.Game, err error) {
	r := &reader{nodes{findings{file: file, lines: map[string]int{}, bad: map[string]bool{}}}}
	if root := r.document(text); root != nil {
		r.lines[""] = root.Line
		description = r.game(root)
	}
	if r.fatal {
		return game.Game{}, nil, r.joined()
	}
	g, err = game.New(description)
	var problems game.Problems
	if errors.As(err, &problems) {
		for _, p := range problems {
			r.addRule(p)
		}
	}
	if len(r.found) > 0 {
		return game.Game{}, nil, r.joined()
	}
	return description, g, err
}
