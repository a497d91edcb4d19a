package jobs_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	merging "github.com/framedle/leaderboards/internal/feature/world"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

func TestSitesSayWhatIsWrongAndShowNoToken(t *testing.T) {
	from := func(name, urls, tokens string) (jobs.Sites, error) {
		return jobs.SitesFrom(func(variable string) string {
			return map[string]string{"SITE": name, "SITE_REDIS_REST_URLS": urls, "SITE_REDIS_REST_TOKENS": tokens}[variable]
		})
	}
	none, err := from("", "", "")
	require.NoError(t, err)
	require.Equal(t, jobs.Sites{}, none)
	three, err := from("eu", "us=https://a.example,ap=https://b.example", "ap=secret,us=secret")
	require.NoError(t, err)
	require.Equal(t, []string{"eu", "us", "ap"}, []string{three.Name, three.Others[0].Name, three.Others[1].Name})
	var many, tokens []string
	for _, name := range strings.Split("abcdefgh", "") {
		many, tokens = append(many, name+"=https://x.example"), append(tokens, name+"=secret")
	}
	for _, c := range []struct{ name, urls, tokens, wrong string }{
		{"EU", "us=https://a.example", "us=secret", `SITE: "EU" is not a name; use 1 to 32 of a-z`},
		{"", "us=https://a.example", "us=secret", `SITE: "" is not a name`},
		{"-eu", "us=https://a.example", "us=secret", `SITE: "-eu" is not a name`},
		{"e u", "us=https://a.example", "us=secret", `SITE: "e u" is not a name`},
		{"eü", "us=https://a.example", "us=secret", `SITE: "eü" is not a name`},
		{strings.Repeat("e", 33), "us=https://a.example", "us=secret", `is not a name`},
		{"eu", "", "", "SITE_REDIS_REST_URLS is empty"},
		{"eu", "us=a.example", "us=secret", `SITE_REDIS_REST_URLS: the address of "us"`},
		{"eu", "us=https://a.example", "", `SITE_REDIS_REST_TOKENS has no token for "us"`},
		{"eu", "eu=https://a.example", "eu=secret", `"eu" is not the name of another site`},
		{"eu", "US=https://a.example", "US=secret", `"US" is not the name of another site`},
		{"eu", strings.Join(many, ","), strings.Join(tokens, ","), "has 8 sites; at most 8 are allowed, including this one"},
	} {
		_, err := from(c.name, c.urls, c.tokens)
		require.ErrorContains(t, err, c.wrong)
		require.NotContains(t, err.Error(), "secret")
	}
}

func TestCronMergeTellsOfSitesThatAreDownAndWaitsWhileWritesDo(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	redis := testkit.NewRedis(t, "", testkit.AtOnce)
	nobody, err := upstash.New(upstash.Config{URL: "http://127.0.0.1:1", Token: "x"})
	require.NoError(t, err)
	var lines strings.Builder
	run := func(text, maintenance string, sites jobs.Sites) string {
		a := app.New(app.Parts{
			Game: testkit.Game(t, text), Redis: redis.Client, Now: func() time.Time { return now }, Log: slog.New(slog.NewJSONHandler(&lines, nil)),
			Secrets: []string{"a secret that is long enough for it"}, Maintenance: maintenance,
		})
		j := jobs.New(a, nil)
		j.Sites(sites)
		result, err := j.Merge(t.Context(), now)
		require.NoError(t, err)
		said, err := json.Marshal(result)
		require.NoError(t, err)
		return string(said)
	}
	const alone, merged = "name: t\nmodes: {m: {max: 9}}\n", "name: t\nworld: {}\nmodes: {m: {max: 9}}\n"
	sites := jobs.Sites{Name: "eu", Others: []merging.Other{{Name: "us", Redis: nobody}}}
	cost, _ := redis.Spent(func() {
		require.JSONEq(t, `{"skipped":"the game file has no world"}`, run(alone, "", sites))
		require.JSONEq(t, `{"skipped":"SITE, SITE_REDIS_REST_URLS and SITE_REDIS_REST_TOKENS are not set"}`, run(merged, "", jobs.Sites{}))
	})
	require.Zero(t, cost)
	require.Contains(t, run(merged, "moving", sites), "moving")
	require.Empty(t, redis.Do("KEYS", "world:*"))

	said := run(merged, "", sites)
	require.Contains(t, said, `"age_s":-1`)
	require.Contains(t, lines.String(), `"msg":"a site was not copied","site":"us"`)
	require.EqualValues(t, 1, redis.Do("EXISTS", merging.SitesKey))
}
