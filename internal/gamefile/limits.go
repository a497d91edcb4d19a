package gamefile

import "github.com/framedle/leaderboards/internal/game"

var limitsKey = Key{Name: "limits", Kind: Mapping, Text: "[rate limits](../operate/limits.md)", Keys: []Key{
	{Name: "submit", Kind: Mapping, Text: "scores", Keys: append([]Key{
		rateOf("anonymous", "60/1m", "scores of devices from one address"),
	}, callerKeys("20/1m")...)},
	{Name: "boards", Kind: Mapping, Text: "reads", Keys: []Key{
		rateOf("ip", "30/1m", "[billed reads](../operate/limits.md#free-reads) of one address"),
		rateOf("player", "120/1m", "billed reads of one player, and requests for the player's own data, friends and duels"),
	}},
	{Name: "auth", Kind: Mapping, Text: "invalid credentials", Keys: []Key{rateOf("ip", "5/1m", "invalid credentials from one address")}},
	{Name: "devices", Kind: Mapping, Text: "devices", Keys: []Key{rateOf("ip", "20/1h", "new devices and claims from one address")}},
	{Name: "duels", Kind: Mapping, Text: "challenges, the queue and results; other keys as for `submit`", Keys: callerKeys("120/1m")},
	{Name: "purchases", Kind: Mapping, Text: "spending from [wallets](../build/wallets.md); other keys as for `submit`", Keys: callerKeys("10/1m")},
	{Name: "commands", Kind: Mapping, Text: "Redis commands that callers may spend", Keys: []Key{
		rateOf("player", "2000/1d", "commands of one player"),
		rateOf("ip", "300/1m", "commands of one address"),
		// 3,000 in any half a minute and process, with burst
		rateOf("unverified", "50/1s", "commands that a process spends on all callers without a valid credential"),
		{Name: "burst", Kind: Number, Default: "1200", Min: "100", Max: "100000", Text: "the same, at once"},
	}},
}}

func rateOf(name, usual, text string) Key {
	return Key{Name: name, Kind: Rate, Default: usual, Words: []string{Off}, Text: text, Min: "1", Max: "10000"}
}

// callerKeys are those of a class of requests, of which each player may send so many.
func callerKeys(aPlayer string) []Key {
	return []Key{
		rateOf("player", aPlayer, "requests of one player"),
		rateOf("key", Off, "requests with one signing key of a game server"),
		rateOf("ip", Off, "requests from one address"),
		{Name: "every", Kind: Duration, Default: Off, Words: []string{Off}, Min: "1s", Max: "1d", Text: "least time between requests of a player"},
		{Name: "redis_down", Kind: Choice, Default: "open", Noun: "a choice", Words: []string{"open", "closed"}, Text: "whether requests are accepted while Redis cannot be asked for the limit"},
	}
}

func readLimits(v Value, g *game.Game) {
	f := v.Fields()
	submit, boards, commands := f.Field("submit").Fields(), f.Field("boards").Fields(), f.Field("commands").Fields()
	g.Limits = game.Limits{
		Submit:    callerLimits(submit),
		Anonymous: submit.Field("anonymous").Rate(),
		Purchases: callerLimits(f.Field("purchases").Fields()),
		Duels:     callerLimits(f.Field("duels").Fields()),
		Boards:    boards.Field("ip").Rate(),
		Own:       boards.Field("player").Rate(),
		Auth:      f.Field("auth").Fields().Field("ip").Rate(),
		Devices:   f.Field("devices").Fields().Field("ip").Rate(),
		Commands: game.CommandLimits{
			Player:     commands.Field("player").Rate(),
			IP:         commands.Field("ip").Rate(),
			Unverified: commands.Field("unverified").Rate(),
			Burst:      commands.Field("burst").Int(),
		},
	}
}

func callerLimits(f Fields) game.CallerLimits {
	return game.CallerLimits{
		Player:    f.Field("player").Rate(),
		Key:       f.Field("key").Rate(),
		IP:        f.Field("ip").Rate(),
		Every:     f.Field("every").Duration(),
		RedisDown: game.Outage(f.Field("redis_down").Text()),
	}
}
