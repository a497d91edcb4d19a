package gamefile

import "github.com/framedle/leaderboards/internal/game"

var limitsKey = key{name: "limits", kind: mapping, text: "[rate limits](../operate/limits.md)", keys: []key{
	{name: "submit", kind: mapping, text: "scores", keys: append([]key{
		rateOf("anonymous", "60/1m", "scores of devices from one address"),
	}, callerKeys("20/1m")...)},
	{name: "boards", kind: mapping, text: "reads", keys: []key{
		rateOf("ip", "30/1m", "[billed reads](../operate/limits.md#free-reads) of one address"),
		rateOf("player", "120/1m", "billed reads of one player, and requests for the player's own data, friends and duels"),
	}},
	{name: "auth", kind: mapping, text: "invalid credentials", keys: []key{rateOf("ip", "5/1m", "invalid credentials from one address")}},
	{name: "devices", kind: mapping, text: "devices", keys: []key{rateOf("ip", "20/1h", "new devices and claims from one address")}},
	{name: "duels", kind: mapping, text: "challenges, the queue and results; other keys as for `submit`", keys: callerKeys("120/1m")},
	{name: "purchases", kind: mapping, text: "spending from [wallets](../build/wallets.md); other keys as for `submit`", keys: callerKeys("10/1m")},
	{name: "commands", kind: mapping, text: "Redis commands that callers may spend", keys: []key{
		rateOf("player", "2000/1d", "commands of one player"),
		rateOf("ip", "300/1m", "commands of one address"),
		// 3,000 in any half a minute and process, with burst
		rateOf("unverified", "50/1s", "commands that a process spends on all callers without a valid credential"),
		{name: "burst", kind: number, usual: "1200", min: "100", max: "100000", text: "the same, at once"},
	}},
}}

func rateOf(name, usual, text string) key {
	return key{name: name, kind: rate, usual: usual, words: []string{off}, text: text, min: "1", max: "10000"}
}

// callerKeys are those of a class of requests, of which each player may send so many.
func callerKeys(aPlayer string) []key {
	return []key{
		rateOf("player", aPlayer, "requests of one player"),
		rateOf("key", off, "requests with one signing key of a game server"),
		rateOf("ip", off, "requests from one address"),
		{name: "every", kind: duration, usual: off, words: []string{off}, min: "1s", max: "1d", text: "least time between requests of a player"},
		{name: "redis_down", kind: choice, usual: "open", noun: "a choice", words: []string{"open", "closed"}, text: "whether requests are accepted while Redis cannot be asked for the limit"},
	}
}

func readLimits(v value, g *game.Game) {
	f := v.fields()
	submit, boards, commands := f.field("submit").fields(), f.field("boards").fields(), f.field("commands").fields()
	g.Limits = game.Limits{
		Submit:    callerLimits(submit),
		Anonymous: submit.field("anonymous").rate(),
		Purchases: callerLimits(f.field("purchases").fields()),
		Duels:     callerLimits(f.field("duels").fields()),
		Boards:    boards.field("ip").rate(),
		Own:       boards.field("player").rate(),
		Auth:      f.field("auth").fields().field("ip").rate(),
		Devices:   f.field("devices").fields().field("ip").rate(),
		Commands: game.CommandLimits{
			Player:     commands.field("player").rate(),
			IP:         commands.field("ip").rate(),
			Unverified: commands.field("unverified").rate(),
			Burst:      commands.field("burst").int(),
		},
	}
}

func callerLimits(f fields) game.CallerLimits {
	return game.CallerLimits{
		Player:    f.field("player").rate(),
		Key:       f.field("key").rate(),
		IP:        f.field("ip").rate(),
		Every:     f.field("every").duration(),
		RedisDown: game.Outage(f.field("redis_down").text()),
	}
}
