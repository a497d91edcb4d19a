package gamefile

import (
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// budget reads what may be spent in a month, or off.
func (r *reader) budget(v value) game.Budget {
	if v.node == nil || v.node.Value == off {
		return game.Budget{}
	}
	f := r.section(v, "month", "degrade")
	if r.bad[v.path] {
		return game.Budget{}
	}
	if f.field("month").node == nil {
		r.missing(f.field("month"), "use how many commands a month may cost, such as 500000, or budget: off")
	}
	degrade := r.section(f.field("degrade"), "caches", "refresh", "features")
	return game.Budget{
		Month:    r.number(f.field("month"), 0, 0),
		Caches:   r.percent(degrade.field("caches"), 80),
		Refresh:  r.percent(degrade.field("refresh"), 90),
		Features: r.percent(degrade.field("features"), 100),
	}
}

// percent reads 80%, or off, which is 0.
func (r *nodes) percent(v value, otherwise int) int {
	const want = "use a percentage, such as 80%, or off"
	if !r.scalar(v, want, "!!str") {
		return otherwise
	}
	if v.node.Value == off {
		return 0
	}
	number, isPercent := strings.CutSuffix(v.node.Value, "%")
	n, isNumber := count(number, 9)
	if !isPercent || !isNumber || n == 0 {
		r.add(v.node.Line, v.path, fmt.Sprintf("%.40q is not a percentage", v.node.Value), want)
		return otherwise
	}
	return int(n)
}
