package apitest

import (
	"strings"
)

const (
	FeedPath = "/v1/feed?mode=daily"
	Keeping  = "outbox: true\n"
)

// Fed has a call made in a game that keeps every submission, where somebody has played.
func Fed(c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		if !strings.Contains(s.Game, Keeping) {
			s.Game = Keeping + s.Game // others add modes at the end
			s.Handler = s.Process()
		}
		s.Play(Another("user_f"), "daily", "5")
		return c(s)
	}
}

const (
	EventsPath = "/v1/events"
	GoodEvents = `{"events":[{"id":"e-1","type":"chat.message","at":"2026-11-18T11:00:00Z","group":"g1","from":"user_a","to":"user_b"}]}`
	// Activity and activeMode are what the test's game lacks.
	Activity = `activity:
  groups: [g1]
  events:
    chat.message: {who: [from, to], message: true, count: {sent: from}, distinct: {senders: {of: to, by: from}}}
  pillars:
    social: {sent: 0.5, senders: 1}
`
	ActiveMode = "  social: {policy: latest, ties: shared, decimals: 2, max: 1000, scopes: [group]}\n"
)

// Active makes a call where the game has activity.
func Active(c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		if !strings.HasPrefix(s.Game, Activity) {
			s.Game = Activity + strings.Replace(s.Game, "modes:\n", "modes:\n"+ActiveMode, 1)
			s.Handler = s.Process()
		}
		return c(s)
	}
}
