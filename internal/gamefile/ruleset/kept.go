package ruleset

import (
	"encoding/json"
	"maps"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/fault"

	"github.com/framedle/leaderboards/internal/game"
)

// ChangedError refuses rules by which stored data would be read wrongly, or lost.
type ChangedError struct {
	Changes []Change // each of them Refused
}

func (e *ChangedError) Error() string {
	said := make([]string, len(e.Changes))
	for i, c := range e.Changes {
		said[i] = c.Path + ": " + c.Old + " -> " + c.New + ": " + c.Why + "; instead: " + c.Instead
	}
	return "the boards are kept by other rules than those of this build: " + strings.Join(said, ". ")
}

func (e *ChangedError) Fault() fault.Fault {
	return fault.Fault{
		Code: "rules-changed", Wait: time.Minute, // wrong rules may be replaced by then
		Detail: e.Error() + ". Until the operator deploys the rules that the boards are kept by, or accepts these (lbctl game accept), everything is read and nothing is written",
	}
}

// Check compares rules, on a date, with those that boards are kept by. These are several only
// while they are being replaced. The error is a *ChangedError.
func Check(kept []Rules, now Rules, today game.Date) error {
	var refused []Change
	seen := map[string]bool{}
	for _, old := range kept {
		for _, c := range Diff(old, now, today) {
			if c.Effect == Refused && !seen[c.Path] {
				seen[c.Path] = true
				refused = append(refused, c)
			}
		}
	}
	if len(refused) > 0 {
		return &ChangedError{refused}
	}
	return nil
}

// Keep is what is stored after new rules have replaced others: the new rules, and what was
// known of modes that the game no longer has, since there may be boards of them. What a newer
// build has stored stays too.
func Keep(kept []Rules, now Rules) string {
	all := Rules{}
	for _, old := range kept {
		maps.Copy(all, old)
	}
	for path, value := range now {
		if about, ok := known(path); ok && about.effect != Safe {
			all[path] = value
		}
	}
	text, _ := json.Marshal(all) // a map of strings always has a form
	return string(text)
}
