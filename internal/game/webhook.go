package game

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
)

// Happening is a kind of event about which other programs get messages.
type Happening string

// The kinds.
const (
	PeriodClosed Happening = "period.closed" // a day, week or month of a mode is over and in the archive
	SeasonClosed Happening = "season.closed"
	BadgeGiven   Happening = "badge.given"
	LeagueRolled Happening = "league.rolled" // a week of leagues is settled
)

// Happenings are all of them.
var Happenings = []Happening{PeriodClosed, SeasonClosed, BadgeGiven, LeagueRolled}

// Webhook is a program that gets messages about what happens, see docs/build/webhooks-out.md.
type Webhook struct {
	Name    string // see ValidMode for the form
	URL     string
	Events  []Happening
	Private bool // its address may be outside the public internet
}

// Local reports whether the program is on this machine, as in development: only then messages
// go to it without TLS.
func (w Webhook) Local() bool {
	u, err := url.Parse(w.URL)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// Webhooks are those of a game, in the order of its file.
type Webhooks []Webhook

// Named finds one.
func (w Webhooks) Named(name string) (Webhook, bool) {
	i := slices.IndexFunc(w, func(one Webhook) bool { return one.Name == name })
	if i < 0 {
		return Webhook{}, false
	}
	return w[i], true
}

// Listening are the names of the webhooks for a kind of event.
func (w Webhooks) Listening(kind Happening) (names []string) {
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

// webhookChecker collects what is wrong with webhooks.
type webhookChecker struct{ *Checker }

func (c webhookChecker) check(g *Game) {
	if len(g.Webhooks) > mostWebhooks {
		c.Add("webhooks", fmt.Sprintf("%d are too many", len(g.Webhooks)), fmt.Sprintf("use up to %d", mostWebhooks))
	}
	for i, w := range g.Webhooks {
		path := "webhooks." + w.Name
		if !ValidName(w.Name) {
			c.Add(path, fmt.Sprintf("%.50q is not a name", w.Name), NameForm)
			continue
		}
		if _, twice := g.Webhooks[:i].Named(w.Name); twice {
			c.Add(path, "it is declared twice", "keep one of them")
		}
		c.address(w, path+".url")
		for _, kind := range w.Events {
			c.event(g, kind, path+".events")
		}
		if len(w.Events) == 0 {
			c.Add(path+".events", "it gets no events", "name at least one of "+happenings())
		}
	}
}

func (c webhookChecker) address(w Webhook, path string) {
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

func (c webhookChecker) event(g *Game, kind Happening, path string) {
	switch {
	case !slices.Contains(Happenings, kind):
		c.Add(path, fmt.Sprintf("%.50q is not an event", kind), "use "+happenings())
	case kind == BadgeGiven && len(g.Badges) == 0:
		c.Add(path, "the game gives no badges", "declare badges, or leave badge.given out")
	case kind == LeagueRolled && !announced(g, kind):
		c.Add(path, "the game has no leagues", "declare leagues, or leave league.rolled out")
	case kind == SeasonClosed && len(g.Seasons) == 0:
		c.Add(path, "the game has no seasons", "declare seasons, or leave season.closed out")
	}
}

// announced reports whether a feature of the game has events of a kind.
func announced(g *Game, kind Happening) bool {
	return slices.ContainsFunc(g.Features, func(f FeatureRules) bool {
		a, ok := f.(Announcer)
		return ok && a.Announces() == kind
	})
}

func happenings() string {
	words := make([]string, len(Happenings))
	for i, kind := range Happenings {
		words[i] = string(kind)
	}
	return strings.Join(words, ", ")
}
