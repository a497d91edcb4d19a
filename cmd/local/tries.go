package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// tries returns three requests for a shell that has the greeting's variables: one sends a
// score that the game takes, one reads the board, one the player's card. If all modes are
// computed, players submit no scores: then it returns activityTries.
func tries(url string, g *game.Game) string {
	sent := slices.DeleteFunc(slices.Clone(g.Modes), g.Activity.Computes)
	if len(sent) == 0 {
		return activityTries(url, g)
	}
	mode := sent[0]
	if i := slices.IndexFunc(sent, func(m *game.Mode) bool { return !ofServers(m) }); i >= 0 {
		mode = sent[i]
	}
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, "    "+format+"\n", args...) }
	credential, player := `-H "Authorization: Bearer $TOKEN"`, ""
	if ofServers(mode) {
		player = `"player":"user_ana",`
	}
	body := fmt.Sprintf(`{"mode":"%s",%s"score":%s}`, mode.Called(), player, mode.FormatScore(sampleScore(mode)))
	if mode.Composite() {
		body = fmt.Sprintf(`{"mode":"%s",%s"values":%s}`, mode.Called(), player, mode.FormatValues(sampleScore(mode)))
	}
	if ofServers(mode) {
		line(`T=$(date +%%s) BODY='%s'`, body)
		line(`SIGNATURE=$(printf '%%s.POST./v1/scores.%%s' "$T" "$BODY" | openssl dgst -sha256 -hmac "$SIGNING_KEYS" | sed 's/.* //')`)
		credential = `-H "Framedle-Signature: t=$T,v2=$SIGNATURE"`
	}
	if mode.Policy == game.Sum {
		credential += ` -H "Idempotency-Key: \"try-$(date +%s)\""`
	}
	line(`curl -s -X POST %s/v1/scores %s -H 'Content-Type: application/json' -d '%s'`, url, credential, body)
	line(`curl -s '%s/v1/leaderboards/%s?limit=10'`, url, mode.Called())
	line(`curl -s %s/v1/leaderboards/%s/players/me -H "Authorization: Bearer $TOKEN"`, url, mode.Called())
	return text.String()
}

// activityTries returns the requests for a game in which all modes are computed: one sends an
// event that gives points, one computes the boards, one reads a board.
func activityTries(url string, g *game.Game) string {
	rule, pillar := &g.Activity.Events[0], &g.Activity.Pillars[0]
	role := rule.Who[0]
	if counting, count, of := counted(g.Activity); counting != nil {
		rule, role, pillar = counting, count.Role, of
	}
	who := `"from":"user_ana","to":"user_ben"`
	switch {
	case rule.Who[0] == game.User:
		who = `"user":"user_ana"`
	case rule.Who[0] == game.Users:
		who = `"users":["user_ana","user_ben"],"winner":"user_ana"`
	case role == game.To:
		who = `"from":"user_ben","to":"user_ana"`
	}
	group := "north"
	if named := g.Activity.Named(); len(named) > 0 {
		group = named[slices.IndexFunc(named, g.Activity.Knows)]
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
func counted(a *game.Activity) (*game.EventRule, game.CountRule, *game.Pillar) {
	for i := range a.Events {
		for _, count := range a.Events[i].Counts {
			for j := range a.Pillars {
				if slices.ContainsFunc(a.Pillars[j].Terms, func(t game.Term) bool { return t.Counter == count.Counter }) {
					return &a.Events[i], count, &a.Pillars[j]
				}
			}
		}
	}
	return nil, game.CountRule{}, nil
}

// sampleScore is a good score that the mode takes.
func sampleScore(m *game.Mode) game.Score {
	if m.Order == game.Asc {
		return m.Min + (m.Max-m.Min)/5
	}
	return m.Min + (m.Max-m.Min)*4/5
}

// ofServers reports whether a player cannot simply send a score to the mode. A game server can,
// even if players need a play first.
func ofServers(m *game.Mode) bool { return m.Authoritative || m.NeedsPlay }
