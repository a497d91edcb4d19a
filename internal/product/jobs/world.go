package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/feature/world"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// The environment variables of cron-merge: all of them or none.
const (
	envSite       = "SITE"                   // what this site is called
	envSiteURLs   = "SITE_REDIS_REST_URLS"   // name=url with commas: the databases of the other sites
	envSiteTokens = "SITE_REDIS_REST_TOKENS" // secret: name=token with commas; tokens that may only read are enough
)

// Sites are this site and the others that it merges boards with; zero: there are no others.
type Sites struct {
	Name   string
	Others []world.Other
}

// validSite reports whether a name is 1 to 32 of a-z, 0-9, _ and -, beginning with a letter or
// digit. A regular expression would be compiled in every process that links this.
func validSite(name string) bool {
	if name == "" || len(name) > 32 || name[0] == '_' || name[0] == '-' {
		return false
	}
	return !strings.ContainsFunc(name, func(c rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789_-", c)
	})
}

// SitesFrom reads the sites that the environment names.
func SitesFrom(getenv func(string) string) (Sites, error) {
	s := Sites{Name: getenv(envSite)}
	urls, tokens := getenv(envSiteURLs), getenv(envSiteTokens)
	if s.Name == "" && urls == "" && tokens == "" {
		return s, nil
	}
	if !validSite(s.Name) {
		return Sites{}, fmt.Errorf("%s: %.40q is not a name; use 1 to 32 of a-z, 0-9, _ and -, such as eu", envSite, s.Name)
	}
	others, err := redis.Listed{URLs: envSiteURLs, Tokens: envSiteTokens}.Addresses(urls, tokens)
	if err != nil {
		return Sites{}, err
	}
	if len(others) >= world.MostSites {
		return Sites{}, fmt.Errorf("%s has %d sites; at most %d are allowed, including this one", envSiteURLs, len(others), world.MostSites)
	}
	for _, at := range others {
		if !validSite(at.Name) || at.Name == s.Name {
			return Sites{}, fmt.Errorf("%s: %.40q is not the name of another site; use 1 to 32 of a-z, 0-9, _ and -, and leave this one out", envSiteURLs, at.Name)
		}
		redis, err := upstash.New(upstash.Config{URL: at.URL, Token: at.Token, TextAnswers: true})
		if err != nil {
			return Sites{}, fmt.Errorf("%s: %s: %w", envSiteURLs, at.Name, err)
		}
		s.Others = append(s.Others, world.Other{Name: at.Name, Redis: redis})
	}
	return s, nil
}

// Sites sets the sites that boards are merged with.
func (j *Jobs) Sites(sites Sites) { j.sites = sites }

func (j *Jobs) sitesFromEnv(getenv func(string) string) (err error) {
	j.sites, err = SitesFrom(getenv)
	return err
}

// Merge is the function cron-merge: it merges the site's boards with those of the others. The
// next run does what a run leaves undone, so its end is not noted; answers of boards of the
// world contain the sites and their ages. A site that does not answer is reported as a
// problem, not as a failure. Without sites it does nothing.
//
// Cost: see [world.Merge.Run].
func (j *Jobs) Merge(ctx context.Context, at time.Time) (any, error) {
	if err := j.arrived(at); err != nil {
		return nil, err
	}
	store := j.closing.Store
	switch {
	case world.RulesOf(store.DB.Game) == nil:
		return merged{Skipped: "the game file has no world"}, nil
	case j.sites.Name == "":
		return merged{Skipped: envSite + ", " + envSiteURLs + " and " + envSiteTokens + " are not set"}, nil
	}
	refused := store.Notices.MayWrite(ctx)
	if wait := (*control.MaintenanceError)(nil); errors.As(refused, &wait) {
		return waits(ctx, j.log, "cron-merge", refused), nil
	}
	if refused != nil {
		return nil, fmt.Errorf("cron-merge: %w", refused)
	}
	m := &world.Merge{Boards: store.Boards, Name: j.sites.Name, Others: j.sites.Others}
	report, err := m.Run(upstash.WithTimeout(ctx, callTime))
	for name, site := range report.Sites {
		if site.Problem == "" {
			continue
		}
		j.log.LogAttrs(ctx, slog.LevelWarn, "a site was not copied", slog.String("site", name), slog.Int64("age_s", site.AgeSeconds), slog.String("problem", shortened(site.Problem)))
		if site.AgeSeconds < 0 || time.Duration(site.AgeSeconds)*time.Second > world.Down {
			usage.ReportProblem(ctx)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cron-merge: %w", err)
	}
	return merged{Report: &report}, nil
}

// merged is the result of cron-merge.
type merged struct {
	*world.Report
	Skipped string `json:"skipped,omitempty"`
}

// shortened keeps a log line short.
func shortened(text string) string {
	const most = 120
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
