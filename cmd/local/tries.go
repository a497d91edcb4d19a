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
	sent := slices.DeleteFunc(slices.Clone(g.Modes), func(m *game.Mode) bool { return m.Computed })
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
