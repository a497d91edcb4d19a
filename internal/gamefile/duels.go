package gamefile

import (
	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// duels reads the rules of duels. What is left out has its default.
func (r *reader) duels(v value) game.Duels {
	d := game.DefaultDuels()
	f := r.section(v, "k", "start", "scale", "xp", "provisional", "invite", "timeout", "keep", "points", "rounds", "queue", "open", "decay")
	provisional := r.section(f.field("provisional"), "duels", "k")
	points := r.section(f.field("points"), "round", "win", "sweep")
	queue := r.section(f.field("queue"), "window", "growth", "cap", "away")
	start := r.number(f.field("start"), 0, int64(d.Start))
	whole := func(v value, otherwise float64) float64 { return float64(r.number(v, 0, int64(otherwise))) }
	return game.Duels{
		K:        whole(f.field("k"), d.K),
		Start:    float64(start),
		Scale:    whole(f.field("scale"), d.Scale),
		XPWeight: r.number(f.field("xp"), xpDecimals, d.XPWeight),
		Provisional: game.Provisional{
			Duels: int(r.number(provisional.field("duels"), 0, int64(d.Provisional.Duels))),
			K:     whole(provisional.field("k"), d.Provisional.K),
		},
		Invite:  r.duration(f.field("invite"), d.Invite),
		Timeout: r.duration(f.field("timeout"), d.Timeout),
		Keep:    r.duration(f.field("keep"), d.Keep),
		Open:    int(r.number(f.field("open"), 0, int64(d.Open))),
		Decay:   r.ratingDecay(f.field("decay"), start),
		Points: game.DuelPoints{
			Round: r.number(points.field("round"), 0, d.Points.Round),
			Win:   r.number(points.field("win"), 0, d.Points.Win),
			Sweep: r.number(points.field("sweep"), 0, d.Points.Sweep),
		},
		Rounds: r.number(f.field("rounds"), 0, d.Rounds),
		Queue: game.DuelQueue{
			Window: whole(queue.field("window"), d.Queue.Window),
			Growth: whole(queue.field("growth"), d.Queue.Growth),
			Cap:    whole(queue.field("cap"), d.Queue.Cap),
			Away:   r.duration(queue.field("away"), d.Queue.Away),
		},
	}
}

// ratingDecay reads off, or what idle weeks cost. The floor is the rating of a new
// player if the file names none.
func (r *reader) ratingDecay(v value, start int64) *game.RatingDecay {
	if v.node == nil {
		return nil
	}
	if v.node.Kind != yaml.MappingNode {
		choice(r, v, "a decay", off, off)
		return nil
	}
	f := r.section(v, "after", "points", "floor")
	if f.field("points").node == nil {
		r.missing(f.field("points"), "use what an idle week costs, as 10")
	}
	return &game.RatingDecay{
		After:  int(r.number(f.field("after"), 0, 4)),
		Points: r.number(f.field("points"), 0, 0),
		Floor:  r.number(f.field("floor"), 0, start),
	}
}
