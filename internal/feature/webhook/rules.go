package webhook

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// Endpoint is a program that gets messages about what happens, see docs/build/webhooks-out.md.
type Endpoint struct {
	Name    string // see ValidMode for the form
	URL     string
	Events  []game.Happening
	Private bool // its address may be outside the public internet
}

// Local reports whether the program is on this machine, as in development: only then messages
// go to it without TLS.
func (w Endpoint) Local() bool {
	u, err := url.Parse(w.URL)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// Endpoints are those of a game, in the order of its file.
type Endpoints []Endpoint

// Named finds one.
func (w Endpoints) Named(name string) (Endpoint, bool) {
	i := slices.IndexFunc(w, func(one Endpoint) bool { return one.Name == name })
	if i < 0 {
		return Endpoint{}, false
	}
	return w[i], true
}

// Listening are the names of the webhooks for a kind of event.
func (w Endpoints) Listening(kind game.Happening) (names []string) {
	for _, one := range w {
		if slices.Contains(one.Events, kind) {
			names = append(names, one.Name)
		}
	}
	return names
}

const (
	mostWebhooks   = 8
	maxWebhookURL  = 500 // bytes
	webhookURLForm = "use an https address such as https://shop.example.com/leaderboards, or http://localhost:9000 in development"
)

// EndpointsOf returns those of a game.
func EndpointsOf(g *game.Game) Endpoints { return game.RulesOf[Endpoints](g) }

// Check reports what is wrong with webhooks.
func (w Endpoints) Check(g *game.Game, to *game.Checker) {
	c := checker{to}
	if len(w) > mostWebhooks {
		c.Add("webhooks", fmt.Sprintf("%d are too many", len(w)), fmt.Sprintf("use up to %d", mostWebhooks))
	}
	for i, one := range w {
		path := "webhooks." + one.Name
		if !game.ValidName(one.Name) {
			c.Add(path, fmt.Sprintf("%.50q is not a name", one.Name), game.NameForm)
			continue
		}
		if _, twice := w[:i].Named(one.Name); twice {
			c.Add(path, "it is declared twice", "keep one of them")
		}
		c.address(one, path+".url")
		for _, kind := range one.Events {
			c.event(g, kind, path+".events")
		}
		if len(one.Events) == 0 {
			c.Add(path+".events", "it gets no events", "name at least one of "+happenings())
		}
	}
}

// checker collects what is wrong with webhooks.
type checker struct{ *game.Checker }

func (c checker) address(w Endpoint, path string) {
	u, err := url.Parse(w.URL)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "" || u.Fragment != "" || len(w.URL) > maxWebhookURL || u.Scheme != "https" && u.Scheme != "http":
		c.Add(path, fmt.Sprintf("%.80q is not an address", w.URL), webhookURLForm)
	case u.User != nil:
		c.Add(path, "it has a user and a password, which a game file is no place for", "leave them out: each message is signed")
	case u.Scheme == "http" && !w.Local():
		c.Add(path, "what is sent there can be read and changed on the way", webhookURLForm)
	}
}

func (c checker) event(g *game.Game, kind game.Happening, path string) {
	switch {
	case !slices.Contains(game.Happenings, kind):
		c.Add(path, fmt.Sprintf("%.50q is not an event", kind), "use "+happenings())
	case kind == game.BadgeGiven && !announced(g, kind):
		c.Add(path, "the game gives no badges", "declare badges, or leave badge.given out")
	case kind == game.LeagueRolled && !announced(g, kind):
		c.Add(path, "the game has no leagues", "declare leagues, or leave league.rolled out")
	case kind == game.SeasonClosed && len(g.Seasons) == 0:
		c.Add(path, "the game has no seasons", "declare seasons, or leave season.closed out")
	}
}

// announced reports whether a feature of the game has events of a kind.
func announced(g *game.Game, kind game.Happening) bool {
	return slices.ContainsFunc(g.Features, func(f game.FeatureRules) bool {
		a, ok := f.(game.Announcer)
		return ok && a.Announces() == kind
	})
}

func happenings() string {
	words := make([]string, len(game.Happenings))
	for i, kind := range game.Happenings {
		words[i] = string(kind)
	}
	return strings.Join(words, ", ")
}
