package ruleset

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Consequence is what a change of one rule does, and what to do instead.
type Consequence struct {
	Effect       Effect
	Why, Instead string
	// On is what a new value does on a date, in place of all this. A game that was accepted before
	// there was the key had the value off. Nil: the date does not matter.
	On func(now string, today game.Date) Consequence
}

// Register adds a rule of a feature, whose package calls it when it is initialized.
func Register(r Rule) { gameRules = append(gameRules, r) }

// Rule is a rule of a game that is not one mode's: its key in the game file, or several with their
// common part first, its value as text, and what a change of it does.
type Rule struct {
	Key   string
	Value func(*game.Game) string
	Consequence
}

type modeRule struct {
	key   string
	value func(*game.Mode) string
	Consequence
}

const (
	newName = "give the mode a new name, and leave the old one in the file until its boards have expired"
	newRoom = "use a database of its own, or erase this one first"
)

var (
	safe   = Consequence{Effect: Safe}
	atOnce = Consequence{Effect: Safe, Why: "boards use it immediately"}
)

func forward(why string) Consequence { return Consequence{Effect: Forward, Why: why} }

func refused(why, instead string) Consequence {
	return Consequence{Effect: Refused, Why: why, Instead: instead}
}

const off = "off"

// gameRules are the rules of a game that are not one mode's.
var gameRules = []Rule{
	{"name", func(g *game.Game) string { return g.Name },
		refused("another game's boards are in this database", newRoom)},
	{"day", func(g *game.Game) string { return string(g.Day) },
		refused("stored days end and expire by the old rule, so they would be lost before roll-up, or close while they are played", newRoom+"; or close the game for lives.day, and start over with lbctl restore")},
	{"grace", func(g *game.Game) string { return text(g.Grace) },
		forward("days close later or earlier; equal scores of open days may be ordered differently")},
	{"refresh", func(g *game.Game) string { return text(g.Refresh) }, safe},
	{"cache", func(g *game.Game) string { return text(g.Cache) }, safe},
	{"lives.day", func(g *game.Game) string { return text(g.Lives.Day) },
		refused("stored days keep their expiry, so they would expire before roll-up, or stop accepting scores before they are closed", "keep it; a day's history is in the archive")},
	{"lives.week", func(g *game.Game) string { return text(g.Lives.Week) }, forward("stored weeks keep their expiry")},
	{"lives.month", func(g *game.Game) string { return text(g.Lives.Month) }, forward("stored months keep their expiry")},
	{"level.base", func(g *game.Game) string { return strconv.FormatInt(g.Level.Base, 10) }, atOnce},
	{"streak", streak,
		forward("players keep their freezes; days played while streaks are off count as missed, until lbctl restore counts them from the archive")},
	{"outbox", func(g *game.Game) string { return strconv.FormatBool(g.Outbox) }, safe},
	{"live", func(g *game.Game) string { return strconv.FormatBool(g.Live) }, safe},
	{"live.channels", func(g *game.Game) string { return strconv.FormatBool(g.LiveChannels) }, safe},
	{"anonymous", func(g *game.Game) string { return strconv.FormatBool(g.Anonymous) }, safe},
	{"devices.names", func(g *game.Game) string { return strconv.FormatBool(g.DeviceNames) }, safe},
	{"signatures", func(g *game.Game) string { return strconv.FormatBool(g.BoundSignatures) }, safe},
	{ratingDecayKey, ratingDecay,
		refused("stored ratings do not have their players' last week by this rule, or have decayed by the old one",
			"in maintenance, accept the file (lbctl game accept), rebuild ratings from the archive with lbctl restore, and deploy it")},
	{"play", func(g *game.Game) string { return text(g.Play.Life) + " " + text(g.Play.Slack) },
		Consequence{Effect: Safe, Why: "it applies to plays in progress too"}},
	{"challenges", pools,
		Consequence{Effect: Safe, Why: "a play in progress with a removed text is rejected"}},
	{"limits", func(g *game.Game) string { return fmt.Sprintf("%v", g.Limits) }, safe},
	{"budget", func(g *game.Game) string { return fmt.Sprintf("%v", g.Budget) }, safe},
}

// ByLanguage is the text of titles, the languages in order.
func ByLanguage(titles map[string]string) string {
	said := make([]string, 0, len(titles))
	for _, language := range slices.Sorted(maps.Keys(titles)) {
		said = append(said, fmt.Sprintf("%s: %q", language, titles[language]))
	}
	return strings.Join(said, ", ")
}

// modeRules are the rules of one mode.
var modeRules = []modeRule{
	{"name", (*game.Mode).Called,
		Consequence{Effect: Safe, Why: "responses have the new name; requests may use the original name too, which boards and archive keep"}},
	{"title", func(m *game.Mode) string { return m.Title }, safe},
	{"titles", func(m *game.Mode) string { return ByLanguage(m.Titles) }, safe},
	{"policy", func(m *game.Mode) string { return string(m.Policy) },
		refused("a day that sums its plays and one where a single play counts are stored differently", newName)},
	{"order", func(m *game.Mode) string { return string(m.Order) },
		refused("stored scores have the time of play by the old order, and rolled-up days would be combined the wrong way round", newName)},
	{"ties", func(m *game.Mode) string { return string(m.Ties) }, atOnce},
	{"decimals", form,
		refused("every stored score would be read as another one", newName)},
	{"min", func(m *game.Mode) string { return game.ShowScore(m, m.Min) }, bounds},
	{"max", func(m *game.Mode) string { return game.ShowScore(m, m.Max) }, bounds},
	{"day_min", func(m *game.Mode) string { return game.ShowScore(m, m.DayMin) }, bounds},
	{"day_max", func(m *game.Mode) string { return game.ShowScore(m, m.DayMax) }, bounds},
	{"aggregate", func(m *game.Mode) string { return string(m.Aggregate) },
		refused("rolled-up days were combined by the old one, so months and all time would mix the two", newName)},
	{"scopes", func(m *game.Mode) string { return scopes(m) },
		forward("boards of a new scope start with the next play; those of a removed one stay until they expire")},
	{"levels", func(m *game.Mode) string { return countOrNone(m.Levels) },
		refused("all-time boards of levels would stay forever, and removals and erasures would skip them", "keep some levels")},
	{"teams", func(m *game.Mode) string { return teams(m.Teams) },
		forward("boards of groups use it from now on; past periods are unchanged")},
	{"rolling", func(m *game.Mode) string {
		if !m.Rolling {
			return "" // as for games that were accepted before the key existed
		}
		return "on"
	},
		forward("stored days keep their expiry, so the board of the last 30 days lacks some of them for three weeks")},
	{"bands", func(m *game.Mode) string {
		if m.Bands == nil {
			return "" // as for games that were accepted before the key existed
		}
		return "on"
	},
		forward("all time is split into bands when it is large; if bands are removed from the file, rebuild all time from the archive with lbctl restore, since existing bands are no longer read")},
	{decayKey, decay,
		refused("all time has its days weighted by the old rule, and would be read as nothing or far too much by the new one",
			"in maintenance, accept the file (lbctl game accept), rebuild all time from the archive with lbctl restore, and deploy it")},
	{"decay.floor", func(m *game.Mode) string {
		if m.Decay == nil {
			return "" // as for games that were accepted before the key existed
		}
		return game.ShowScore(m, m.Decay.Floor)
	}, atOnce},
	{"details", func(m *game.Mode) string { return strconv.FormatBool(m.Details) }, safe},
	{"authoritative", func(m *game.Mode) string { return strconv.FormatBool(m.Authoritative) }, safe},
	{"play", plays, Consequence{Effect: Safe, Why: "stored scores stay, whatever was required before"}},
	{"xp", xp,
		forward("rolled-up days keep the XP they gave; removing one of their scores is refused")},
}

// decayKey is the rule by which days are weighed when they are rolled up into all time.
const decayKey = "decay"

// decay is off, too, for games that were accepted before the key existed.
func decay(m *game.Mode) string {
	if m.Decay == nil {
		return off
	}
	return fmt.Sprintf("%s every %dd", game.FormatScaled(game.Score(m.Decay.Factor), 6), m.Decay.Every)
}

// ratingDecayKey is the rule by which entries of the board of ratings are read.
const ratingDecayKey = "duels.decay"

// ratingDecay is off, too, for games that were accepted before the key existed.
func ratingDecay(g *game.Game) string {
	d := g.RatingDecay
	if d == nil {
		return off
	}
	return fmt.Sprintf("%d a week after %d down to %d", d.Points, d.After, d.Floor)
}

// plays is what a mode asks of its plays.
func plays(m *game.Mode) string {
	if !m.NeedsPlay {
		return "off"
	}
	return strings.TrimSpace(fmt.Sprintf("required %s %v", m.Proof, m.Challenge))
}

// pools are the texts of challenges: which pools there are, how many texts each has, and a
// digest of them.
func pools(g *game.Game) string {
	said := make([]string, len(g.Challenges))
	for i, p := range g.Challenges {
		sum := sha256.Sum256([]byte(strings.Join(p.Texts, "\x00")))
		said[i] = fmt.Sprintf("%s: %d texts (%x)", p.Name, len(p.Texts), sum[:4])
	}
	return strings.Join(said, ", ")
}

// form is how a stored number is read as a score: the decimals of the one number, or how it is
// unpacked into several values. The best of the first value is not in it: that changes nothing
// about unpacking, and bounds have it.
func form(m *game.Mode) string {
	if !m.Composite() {
		return strconv.Itoa(m.Decimals)
	}
	said := make([]string, len(m.Values))
	for i, v := range m.Values {
		said[i] = fmt.Sprintf("%s %s with %d decimals ", v.Name, v.Order, v.Decimals)
		switch {
		case i > 0:
			said[i] += v.Format(v.Min) + " to " + v.Format(v.Max)
		case v.Order == m.Order:
			said[i] += "from " + v.Format(v.Min)
		default:
			said[i] += "to " + v.Format(v.Max)
		}
	}
	return strings.Join(said, ", ")
}

// bounds: the whole part of every sum stays exact, whatever the bounds were when its days were
// stored, since a double holds it; only the bits below it move.
var bounds = forward("stored scores stay, even outside the new bounds; equal scores of days stored before and after may be ordered differently")

// judge returns what the change of one rule does. For a policy and for levels, that depends on
// the values.
func judge(about Consequence, path, old, now string) Consequence {
	if strings.HasPrefix(path, modePrefix) && strings.HasSuffix(path, ".policy") && old != game.Sum && now != game.Sum {
		return forward("scores stay; the next play counts by the new policy")
	}
	if strings.HasPrefix(path, modePrefix) && strings.HasSuffix(path, ".levels") && now != "" {
		return forward("boards of levels start with the next play that has one; those above the last level stay until they expire")
	}
	return about
}

func streak(g *game.Game) string {
	if g.Streak.Off {
		return off
	}
	return fmt.Sprintf("freezes %d every %d", g.Streak.Freezes, g.Streak.Every)
}

// xp says what a day gives. A number alone is written as it always was.
func xp(m *game.Mode) string {
	if m.XP.Play == 0 && len(m.XP.Scores) == 0 {
		return strconv.FormatInt(m.XP.Weight, 10) + " thousandths"
	}
	said := []string{"play " + strconv.FormatInt(m.XP.Play, 10)}
	leading := game.Leading(m)
	for _, step := range m.XP.Scores {
		said = append(said, leading.Format(step.Score)+": "+strconv.FormatInt(step.XP, 10))
	}
	return strings.Join(said, ", ")
}

// countOrNone is empty for none, as for games that were accepted before the key existed.
func countOrNone(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func scopes(m *game.Mode) string {
	names := make([]string, len(m.Scopes))
	for i, kind := range m.Scopes {
		names[i] = kind.String()
	}
	slices.Sort(names)
	return "[" + strings.Join(names, ", ") + "]"
}

func teams(r game.TeamRule) string {
	switch {
	case r.Best > 0:
		return "best " + strconv.Itoa(r.Best)
	case r.Sum:
		return "sum"
	}
	return off
}

// text is a duration as game files write it.
func text(d time.Duration) string {
	if days := d / (24 * time.Hour); days > 0 && d%(24*time.Hour) == 0 {
		return strconv.FormatInt(int64(days), 10) + "d"
	}
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}
