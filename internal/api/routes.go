package api

import (
	"slices"

	openapi "github.com/framedle/leaderboards/api"
	"github.com/framedle/leaderboards/internal/api/route"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/device"
	"github.com/framedle/leaderboards/internal/feature/friend/friendapi"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/feature/matches"
	"github.com/framedle/leaderboards/internal/feature/play/playapi"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/feature/world"
	"github.com/framedle/leaderboards/internal/platform/ops"
)

// intake are the routes of the functions that take scores and events. They are separate because
// these functions are to start fastest: they link nothing that serves other routes.
func intake(a *API, s Services) []route.Route {
	return slices.Concat(
		scores{a}.routes(),
		playapi.Endpoints{Game: a.Game, Now: a.Now, Dealer: a.Plays, Reader: a.reader}.Routes(),
		enqueue{scores{a}, s.Queue}.routes(),
		events{a}.routes(),
	)
}

// routes are the routes of all functions. make generate writes their patterns to patterns.go.
func routes(a *API, s Services) (all []route.Route) {
	boards, matching := boards{a}, matchesOf(a, s)
	badges := badge.NewBadges(a.Game, a.Now, a.problems, a.History)
	all = slices.Concat(
		intake(a, s),
		boards.routes(),
		worlds{boards, world.Reader{Boards: a.Boards}}.routes(),
		liveOf(a, s).routes(),
		feed{a}.routes(),
		present{a}.routes(),
		description{a}.routes(),
		newDocument(openapi.Document).routes(),
		me{a, s, badges}.routes(),
		badges.Routes(),
		results{a, s.People}.routes(),
		league.Endpoints{Game: a.Game, Leagues: s.Leagues}.Routes(),
		wallet.Endpoints{Game: a.Game, Gate: a.Gate, Notices: a.Notices, Wallets: a.Wallets}.Routes(),
		device.Endpoints{
			Game: a.Game, Now: a.Now, Gate: a.Gate, Tokens: a.Devices, Claims: s.Claims, Claimed: a.claimed,
			Profiles: a.Profiles, History: a.History,
		}.Routes(),
		friendapi.Endpoints{Gate: a.Gate, Friends: s.Friends, Names: a.Boards, Notices: a.Notices, Codes: a.Codes}.Routes(),
		matches.Duels{Config: matching}.Routes(),
		matches.Races{Config: matching}.Routes(),
		graphs{a, s}.routes(),
		ops.New(ops.Config{
			Game: a.Game, Now: a.Now, Log: a.Log, Gate: a.Gate, Notices: a.Notices, Removals: s.Removals, People: s.People,
			Held: a.Held, Calendar: a.Calendar, Pass: scores{a}.pass,
			Status: s.Status, Dead: s.Dead, Usage: s.Usage, Plan: a.Plan, Steady: func() map[string]int { return steady(all) },
		}).Routes(),
		exports{a, s.People}.routes(),
		webhooks{a, s.News}.routes(),
	)
	return all
}

// steady is the cost of each route in the steady state, by its pattern.
func steady(rows []route.Route) map[string]int {
	costs := map[string]int{}
	for _, r := range rows {
		costs[r.Pattern] = r.Steady
	}
	return costs
}

// matchesOf is the Config of duels and races.
func matchesOf(a *API, s Services) matches.Config {
	return matches.Config{
		Game: a.Game, Now: a.Now, Gate: a.Gate, Notices: a.Notices, Secret: a.Secret, Dealer: a.Plays, Duels: s.Duels, Races: s.Races,
	}
}
