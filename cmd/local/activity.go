package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/dev/demo"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
)

// activityTries returns the requests for a game in which all modes are computed: one sends an
// event that gives points, one computes the boards, one reads a board.
func activityTries(url string, g *game.Game) string {
	rules := activity.RulesOf(g)
	rule, pillar := &rules.Events[0], &rules.Pillars[0]
	role := rule.Who[0]
	if counting, count, of := counted(rules); counting != nil {
		rule, role, pillar = counting, count.Role, of
	}
	who := `"from":"user_ana","to":"user_ben"`
	switch {
	case rule.Who[0] == activity.User:
		who = `"user":"user_ana"`
	case rule.Who[0] == activity.Users:
		who = `"users":["user_ana","user_ben"],"winner":"user_ana"`
	case role == activity.To:
		who = `"from":"user_ben","to":"user_ana"`
	}
	group := "north"
	if named := rules.Named(); len(named) > 0 {
		group = named[slices.IndexFunc(named, rules.Knows)]
	}
	scope := ""
	if i := slices.IndexFunc(g.Modes, func(m *game.Mode) bool { return m.Called() == pillar.Mode }); g.Modes[i].HasScope(game.Group) {
		scope = "scope=group:" + group // a group's board has the group's own date, as the event does
	}
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, "    "+format+"\n", args...) }
	line(`T=$(date +%%s) BODY='{"events":[{"id":"try-'$(date +%%s)'","type":"%s","at":"'$(date -u +%%FT%%TZ)'","group":"%s",%s}]}'`, rule.Name, group, who)
	line(`SIGNATURE=$(printf '%%s.POST./v1/events.%%s' "$T" "$BODY" | openssl dgst -sha256 -hmac "$SIGNING_KEYS" | sed 's/.* //')`)
	line(`curl -s -X POST %s/v1/events -H "Framedle-Signature: t=$T,v2=$SIGNATURE" -H 'Content-Type: application/json' -d "$BODY"`, url)
	line(`curl -s -X POST %s/_local/schedules/compute`, url)
	line(`curl -s '%s/v1/leaderboards/%s?%s'`, url, pillar.Mode, strings.Trim(scope+"&limit=10", "&"))
	return text.String()
}

// counted finds an event type that adds to a counter which gives points, and the pillar that
// uses the counter; nil if the game has none.
func counted(a *activity.Rules) (*activity.EventRule, activity.CountRule, *activity.Pillar) {
	for i := range a.Events {
		for _, count := range a.Events[i].Counts {
			for j := range a.Pillars {
				if slices.ContainsFunc(a.Pillars[j].Terms, func(t activity.Term) bool { return t.Counter == count.Counter }) {
					return &a.Events[i], count, &a.Pillars[j]
				}
			}
		}
	}
	return nil, activity.CountRule{}, nil
}

// actsOf are the types of events of a game.
func actsOf(g *game.Game) (acts []demo.Act) {
	if activity.RulesOf(g) == nil {
		return nil
	}
	for _, rule := range activity.RulesOf(g).Events {
		act := demo.Act{Type: rule.Name}
		for _, role := range rule.Who {
			act.Who = append(act.Who, string(role))
		}
		acts = append(acts, act)
	}
	return acts
}
