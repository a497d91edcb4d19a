package api

import "github.com/framedle/leaderboards/internal/world"

// handlers are those of every resource, each made of what it needs.
type handlers struct {
	scores    scores
	enqueue   enqueue
	plays     plays
	boards    boards
	worlds    worlds
	streams   streams
	liveDuels duelStreams
	liveRaces raceStreams
	document  document
	game      description
	me        me
	badges    badgeLists
	wallets   wallets
	present   present
	feed      feed
	devices   devices
	exports   exports
	results   ownResultsOf
	leagues   leagues
	friends   friendships
	duels     duels
	races     races
	events    events
	graphs    graphs
	ops       ops
	lists     operatorLists
	audit     scoreAudits
	held      heldPlays
	state     maintaining
	status    statusOf
	dead      deadLetters
	usage     usages
	webhooks  webhooks
}

func (a *API) handlers(s Services) handlers {
	c, k := a.config, a.kernel
	watching := streams{a.boards, s.Live, c.LiveURL}
	return handlers{
		scores:    a.scores,
		plays:     plays{a.scores},
		enqueue:   enqueue{a.scores, c.Calendar, s.Queue},
		boards:    a.boards,
		worlds:    worlds{a.boards, world.Reader{Boards: c.Boards}},
		streams:   watching,
		liveDuels: duelStreams{watching, s.Duels},
		liveRaces: raceStreams{watching, races{k, s.Races, c.Notices, c.Notices, c.Secret, c.Plays}},
		document:  document{c.OpenAPI, entityTag(c.OpenAPI)},
		game:      newDescription(k, c),
		me:        me{k, c.Boards, c.Profiles, c.History, c.Notices, c.Notices, s.Removals},
		badges:    badgeLists{k, c.History},
		wallets:   wallets{k, c.Wallets, c.Notices},
		present:   present{c.Presence},
		feed:      newFeed(a.boards, c),
		devices:   devices{k, a.credentials, c.Claims, a.scores.devices, c.Profiles, c.History},
		exports:   exports{c.Game, c.People},
		results:   ownResultsOf{c.Game, c.People},
		leagues:   leagues{c.Game, c.Leagues},
		friends:   friendships{k, s.Friends, c.Boards, c.Notices, c.Notices},
		duels:     duels{k, s.Duels, c.Notices, c.Notices, c.Secret},
		races:     races{k, s.Races, c.Notices, c.Notices, c.Secret, c.Plays},
		events:    events{c.Activity},
		graphs:    graphs{k, a.boards, c.Boards, c.Boards, s.Friends, s.Duels, a.credentials, s.Graphs},
		ops:       ops{k, c.Notices, s.Removals},
		lists:     operatorLists{c.People},
		audit:     scoreAudits{k, c.People},
		held:      heldPlays{a.scores, c.Notices, acts{k, c.People}},
		state:     maintaining{k.now, c.Notices, acts{k, c.People}},
		status:    statusOf{s.Status},
		dead:      deadLetters{k, c.Notices, s.Dead, acts{k, c.People}},
		usage:     usages{k, c.Usage, c.Plan},
		webhooks:  webhooks{c.Notices, s.News},
	}
}
