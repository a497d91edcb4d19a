package duel

import (
	"fmt"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

func init() {
	gamefile.Register(gamefile.Section{Key: key, Read: read})
	forward := func(why string) ruleset.Consequence { return ruleset.Consequence{Effect: ruleset.Forward, Why: why} }
	ruleset.Register(ruleset.Rule{
		Key: "duels.start", Value: func(g *game.Game) string { return strconv.FormatFloat(RulesOf(g).Start, 'g', -1, 64) },
		Consequence: forward("existing ratings stay; new players start at the new one"),
	})
	ruleset.Register(ruleset.Rule{Key: "duels.k, scale, provisional, xp, points", Value: func(g *game.Game) string {
		d := RulesOf(g)
		return fmt.Sprintf("%v %v %v %v %v", d.K, d.Scale, d.Provisional, d.XPWeight, d.Points)
	}, Consequence: forward("decided duels keep their rating changes")})
	ruleset.Register(ruleset.Rule{Key: "duels.invite, timeout, keep, queue", Value: func(g *game.Game) string {
		d := RulesOf(g)
		return fmt.Sprintf("%v %v %v %v", d.Invite, d.Timeout, d.Keep, d.Queue)
	}, Consequence: ruleset.Consequence{Effect: ruleset.Safe}})
}

var key = gamefile.Key{Name: "duels", Kind: gamefile.Mapping, Text: "ratings, points and times of [duels](../build/duels.md)", Keys: []gamefile.Key{
	{Name: "k", Kind: gamefile.Number, Default: "32", Min: "1", Max: "1000", Text: "K of Elo: the most that a duel changes a rating"},
	{Name: "start", Kind: gamefile.Number, Default: "1000", Min: "0", Max: "100000", Text: "the rating of a new player"},
	{Name: "scale", Kind: gamefile.Number, Default: "400", Min: "1", Max: "10000", Text: "how far apart two ratings are if one player wins ten times as often"},
	{Name: "xp", Kind: gamefile.Number, Decimals: 3, Default: "0", Min: "0", Max: "1000",
		Text: "XP for each point earned in a duel, rounded down for each duel. XP of duels, also of earlier ones, counts only while this and one of `duels.points` are above 0; to stop it without losing earlier XP, choose a value that rounds down to 0"},
	{Name: "provisional", Kind: gamefile.Mapping, Text: "first duels may change ratings by more", Keys: []gamefile.Key{
		{Name: "duels", Kind: gamefile.Number, Default: "0", Min: "0", Max: "1000", Text: "how many duels of a player are the first ones"},
		{Name: "k", Kind: gamefile.Number, Default: "64", Min: "1", Max: "1000", Text: "their K. A duel's K is the mean of both players' K"},
	}},
	{Name: "invite", Kind: gamefile.Duration, Default: "1d", Min: "1m", Max: "30d", Text: "how long a challenge can be accepted"},
	{Name: "timeout", Kind: gamefile.Duration, Default: "1d", Min: "1m", Max: "30d", Text: "how long a duel waits for a result"},
	{Name: "keep", Kind: gamefile.Duration, Default: "30d", Min: "1d", Max: "365d",
		Text: "how long Redis then keeps the duel, and recognizes it by its id"},
	{Name: "points", Kind: gamefile.Mapping, Text: "what players earn in a duel. If only one player reported a result, only `win` counts", Keys: []gamefile.Key{
		{Name: "round", Kind: gamefile.Number, Default: "0", Min: "0", Max: "1000000", Text: "points for each round won"},
		{Name: "win", Kind: gamefile.Number, Default: "0", Min: "0", Max: "1000000", Text: "points for winning the duel"},
		{Name: "sweep", Kind: gamefile.Number, Default: "0", Min: "0", Max: "1000000", Text: "extra points for winning it without losing a round"},
	}},
	{Name: "rounds", Kind: gamefile.Number, Default: "50", Min: "1", Max: "1000000",
		Text: "most rounds that a result may give a player. With `duels.points.round`, set it to what a duel can have: players report results themselves"},
	{Name: "queue", Kind: gamefile.Mapping, Text: "whom the queue pairs", Keys: []gamefile.Key{
		{Name: "window", Kind: gamefile.Number, Default: "100", Min: "0", Max: "10000", Text: "how far apart two ratings may be at first"},
		{Name: "growth", Kind: gamefile.Number, Default: "10", Min: "0", Max: "10000", Text: "how much further for each second of waiting"},
		{Name: "cap", Kind: gamefile.Number, Default: "1000", Min: "0", Max: "100000", Holds: "the window to `100000`", Text: "how far at most"},
		{Name: "away", Kind: gamefile.Duration, Default: "30s", Min: "5s", Max: "10m", Text: "players who have not polled for so long are skipped"},
	}},
	{Name: "open", Kind: gamefile.Number, Default: "20", Min: "1", Max: "1000", Text: "most pending challenges of a player"},
	{Name: "decay", Kind: gamefile.Mapping, Default: gamefile.Off, Words: []string{gamefile.Off}, Noun: "a decay", Text: "idle weeks lower ratings, see [Duels](../build/duels.md#idle-weeks)", Keys: []gamefile.Key{
		{Name: "after", Kind: gamefile.Number, Default: "4", Min: "0", Max: "52", Text: "whole weeks without a duel or race that cost nothing"},
		{Name: "points", Kind: gamefile.Number, Required: "use what an idle week costs, as 10", Min: "1", Max: "1000", Text: "points that each further week costs"},
		{Name: "floor", Kind: gamefile.Number, Absent: "`duels.start`", Min: "0", Max: "100000", Text: "the lowest rating by decay"},
	}},
}}

func read(v gamefile.Value, g *game.Game) {
	f := v.Fields()
	provisional, points, queue := f.Field("provisional").Fields(), f.Field("points").Fields(), f.Field("queue").Fields()
	start := f.Field("start").Number()
	g.Features = append(g.Features, Rules{
		K:        f.Field("k").Float(),
		Start:    float64(start),
		Scale:    f.Field("scale").Float(),
		XPWeight: f.Field("xp").Number(),
		Provisional: Provisional{
			Duels: provisional.Field("duels").Int(),
			K:     provisional.Field("k").Float(),
		},
		Invite:  f.Field("invite").Duration(),
		Timeout: f.Field("timeout").Duration(),
		Keep:    f.Field("keep").Duration(),
		Open:    f.Field("open").Int(),
		Decay:   ratingDecay(f.Field("decay"), start),
		Points: Points{
			Round: points.Field("round").Number(),
			Win:   points.Field("win").Number(),
			Sweep: points.Field("sweep").Number(),
		},
		Rounds: f.Field("rounds").Number(),
		Queue: QueueRules{
			Window: queue.Field("window").Float(),
			Growth: queue.Field("growth").Float(),
			Cap:    queue.Field("cap").Float(),
			Away:   queue.Field("away").Duration(),
		},
	})
}

// ratingDecay reads off, or what idle weeks cost. The floor is the rating of a new
// player if the file names none.
func ratingDecay(v gamefile.Value, start int64) *game.RatingDecay {
	if !v.IsMapping() {
		v.Text()
		return nil
	}
	f := v.Fields()
	rule := &game.RatingDecay{After: f.Field("after").Int(), Points: f.Field("points").Number(), Floor: start}
	if floor := f.Field("floor"); floor.Given() {
		rule.Floor = floor.Number()
	}
	return rule
}
