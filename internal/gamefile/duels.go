package gamefile

import "github.com/framedle/leaderboards/internal/game"

var duelsKey = key{name: "duels", kind: mapping, text: "ratings, points and times of [duels](../build/duels.md)", keys: []key{
	{name: "k", kind: number, usual: "32", min: "1", max: "1000", text: "K of Elo: the most that a duel changes a rating"},
	{name: "start", kind: number, usual: "1000", min: "0", max: "100000", text: "the rating of a new player"},
	{name: "scale", kind: number, usual: "400", min: "1", max: "10000", text: "how far apart two ratings are if one player wins ten times as often"},
	{name: "xp", kind: number, decimals: 3, usual: "0", min: "0", max: "1000",
		text: "XP for each point earned in a duel, rounded down for each duel. XP of duels, also of earlier ones, counts only while this and one of `duels.points` are above 0; to stop it without losing earlier XP, choose a value that rounds down to 0"},
	{name: "provisional", kind: mapping, text: "first duels may change ratings by more", keys: []key{
		{name: "duels", kind: number, usual: "0", min: "0", max: "1000", text: "how many duels of a player are the first ones"},
		{name: "k", kind: number, usual: "64", min: "1", max: "1000", text: "their K. A duel's K is the mean of both players' K"},
	}},
	{name: "invite", kind: duration, usual: "1d", min: "1m", max: "30d", text: "how long a challenge can be accepted"},
	{name: "timeout", kind: duration, usual: "1d", min: "1m", max: "30d", text: "how long a duel waits for a result"},
	{name: "keep", kind: duration, usual: "30d", min: "1d", max: "365d",
		text: "how long Redis then keeps the duel, and recognizes it by its id"},
	{name: "points", kind: mapping, text: "what players earn in a duel. If only one player reported a result, only `win` counts", keys: []key{
		{name: "round", kind: number, usual: "0", min: "0", max: "1000000", text: "points for each round won"},
		{name: "win", kind: number, usual: "0", min: "0", max: "1000000", text: "points for winning the duel"},
		{name: "sweep", kind: number, usual: "0", min: "0", max: "1000000", text: "extra points for winning it without losing a round"},
	}},
	{name: "rounds", kind: number, usual: "50", min: "1", max: "1000000",
		text: "most rounds that a result may give a player. With `duels.points.round`, set it to what a duel can have: players report results themselves"},
	{name: "queue", kind: mapping, text: "whom the queue pairs", keys: []key{
		{name: "window", kind: number, usual: "100", min: "0", max: "10000", text: "how far apart two ratings may be at first"},
		{name: "growth", kind: number, usual: "10", min: "0", max: "10000", text: "how much further for each second of waiting"},
		{name: "cap", kind: number, usual: "1000", min: "0", max: "100000", holds: "the window to `100000`", text: "how far at most"},
		{name: "away", kind: duration, usual: "30s", min: "5s", max: "10m", text: "players who have not polled for so long are skipped"},
	}},
	{name: "open", kind: number, usual: "20", min: "1", max: "1000", text: "most pending challenges of a player"},
	{name: "decay", kind: mapping, usual: off, words: []string{off}, noun: "a decay", text: "idle weeks lower ratings, see [Duels](../build/duels.md#idle-weeks)", keys: []key{
		{name: "after", kind: number, usual: "4", min: "0", max: "52", text: "whole weeks without a duel or race that cost nothing"},
		{name: "points", kind: number, need: "use what an idle week costs, as 10", min: "1", max: "1000", text: "points that each further week costs"},
		{name: "floor", kind: number, otherwise: "`duels.start`", min: "0", max: "100000", text: "the lowest rating by decay"},
	}},
}}

func readDuels(v value, g *game.Game) {
	f := v.fields()
	provisional, points, queue := f.field("provisional").fields(), f.field("points").fields(), f.field("queue").fields()
	start := f.field("start").number()
	g.Duels = game.Duels{
		K:        f.field("k").float(),
		Start:    float64(start),
		Scale:    f.field("scale").float(),
		XPWeight: f.field("xp").number(),
		Provisional: game.Provisional{
			Duels: provisional.field("duels").int(),
			K:     provisional.field("k").float(),
		},
		Invite:  f.field("invite").duration(),
		Timeout: f.field("timeout").duration(),
		Keep:    f.field("keep").duration(),
		Open:    f.field("open").int(),
		Decay:   ratingDecay(f.field("decay"), start),
		Points: game.DuelPoints{
			Round: points.field("round").number(),
			Win:   points.field("win").number(),
			Sweep: points.field("sweep").number(),
		},
		Rounds: f.field("rounds").number(),
		Queue: game.DuelQueue{
			Window: queue.field("window").float(),
			Growth: queue.field("growth").float(),
			Cap:    queue.field("cap").float(),
			Away:   queue.field("away").duration(),
		},
	}
}

// ratingDecay reads off, or what idle weeks cost. The floor is the rating of a new
// player if the file names none.
func ratingDecay(v value, start int64) *game.RatingDecay {
	if !v.isMapping() {
		v.text()
		return nil
	}
	f := v.fields()
	rule := &game.RatingDecay{After: f.field("after").int(), Points: f.field("points").number(), Floor: start}
	if floor := f.field("floor"); floor.given() {
		rule.Floor = floor.number()
	}
	return rule
}
