package api

// handlers are those of every resource, each made of what it needs.
type handlers struct {
	scores   scores
	enqueue  enqueue
	boards   boards
	streams  streams
	document document
	game     description
	me       me
	devices  devices
	exports  exports
	friends  friendships
	duels    duels
	events   events
	ops      ops
	lists    operatorLists
	state    maintaining
	status   statusOf
	dead     deadLetters
	usage    usages
	webhooks webhooks
}

func (a *API) handlers(s Services) handlers {
	c, k := a.config, a.kernel
	return handlers{
		scores:   a.scores,
		enqueue:  enqueue{a.scores, c.Calendar, s.Queue},
		boards:   a.boards,
		streams:  streams{a.boards, s.Live, c.LiveURL},
		document: document{c.OpenAPI, entityTag(c.OpenAPI)},
		game:     newDescription(k, c),
		me:       me{k, c.Boards, c.Profiles, c.History, c.Notices, c.Notices, s.Removals},
		devices:  devices{k, a.credentials, c.Claims, a.scores.devices, c.Profiles, c.History},
		exports:  exports{c.Game, c.People},
		friends:  friendships{k, s.Friends, c.Boards, c.Notices, c.Notices},
		duels:    duels{k, s.Duels, c.Notices, c.Notices, c.Secret},
		events:   events{c.Activity},
		ops:      ops{k, c.Notices, s.Removals},
		lists:    operatorLists{c.People},
		state:    maintaining{k.now, c.Notices},
		status:   statusOf{s.Status},
		dead:     deadLetters{k, c.Notices, s.Dead},
		usage:    usages{k, c.Usage, c.Plan},
		webhooks: webhooks{c.Notices, s.News},
	}
}
