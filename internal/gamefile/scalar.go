package gamefile

import (
	"fmt"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// scalar reports whether v is a value of one of the tags. If it is anything else, scalar adds
// a problem, unless the key is left out.
func (r *nodes) scalar(v value, want string, tags ...string) bool {
	if v.node == nil {
		return false
	}
	if v.node.Kind == yaml.ScalarNode && slices.Contains(tags, v.node.ShortTag()) {
		return true
	}
	r.wrongType(v, want)
	return false
}

func (r *nodes) text(v value, otherwise, want string) string {
	if !r.scalar(v, want, "!!str") {
		return otherwise
	}
	return v.node.Value
}

func (r *nodes) flag(v value) bool {
	const want = "use true or false"
	if !r.scalar(v, want, "!!bool") {
		return false
	}
	if v.node.Value != "true" && v.node.Value != "false" {
		r.add(v.node.Line, v.path, fmt.Sprintf("%q is not written as expected", v.node.Value), want)
	}
	return v.node.Value == "true"
}

// number reads a decimal exactly, scaled to whole units.
func (r *nodes) number(v value, decimals int, otherwise int64) int64 {
	want := wantNumber(decimals)
	if !r.scalar(v, want, "!!int", "!!float") {
		return otherwise
	}
	n, err := game.ParseScaled(v.node.Value, decimals)
	if err != nil {
		r.add(v.node.Line, v.path, fmt.Sprintf("%.40q is not a number of this kind", v.node.Value), want+" within 2^53")
		return otherwise
	}
	return int64(n)
}

func wantNumber(decimals int) string {
	if decimals == 0 {
		return "use a whole number"
	}
	return fmt.Sprintf("use a number with at most %d decimals", decimals)
}

func (r *nodes) duration(v value, otherwise time.Duration) time.Duration {
	const want = "use whole numbers with d, h, m and s, largest first, such as 8d, 15m or 1m30s"
	if !r.scalar(v, want, "!!str") {
		return otherwise
	}
	d, ok := parseDuration(v.node.Value)
	if !ok {
		r.add(v.node.Line, v.path, fmt.Sprintf("%.40q is not a duration", v.node.Value), want)
		return otherwise
	}
	return d
}

// choice reads one of several words.
func choice[T ~string](r *reader, v value, kind string, otherwise T, allowed ...T) T {
	words := make([]string, len(allowed))
	for i, a := range allowed {
		words[i] = string(a)
	}
	want := "use " + alternatives(words)
	if !r.scalar(v, want, "!!str") {
		return otherwise
	}
	if !slices.Contains(words, v.node.Value) {
		r.add(v.node.Line, v.path, fmt.Sprintf("%.40q is not %s", v.node.Value, kind), want)
		return otherwise
	}
	return T(v.node.Value)
}
