package upstash_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

func TestNewRefusesWhatCannotWork(t *testing.T) {
	for name, tc := range map[string]struct {
		cfg  upstash.Config
		want string
	}{
		"no url":              {upstash.Config{Token: testToken}, "scheme"},
		"no scheme":           {upstash.Config{URL: "name.upstash.io", Token: testToken}, "scheme"},
		"redis protocol":      {upstash.Config{URL: "rediss://name.upstash.io:6379", Token: testToken}, `"rediss"`},
		"no host":             {upstash.Config{URL: "https://", Token: testToken}, "host"},
		"port alone":          {upstash.Config{URL: "https://:443", Token: testToken}, "host"},
		"cannot be parsed":    {upstash.Config{URL: "https://\x7f" + testToken, Token: testToken}, "parsed"},
		"token in the url":    {upstash.Config{URL: "https://h?_token=" + testToken, Token: testToken}, "query"},
		"password in the url": {upstash.Config{URL: "https://default:" + testToken + "@h", Token: testToken}, "credentials"},
		"no token":            {upstash.Config{URL: "https://h"}, "token is empty"},
		"token with newline":  {upstash.Config{URL: "https://h", Token: testToken + "\n"}, "byte 12"},
		"token with space":    {upstash.Config{URL: "https://h", Token: "a b"}, "byte 1"},
		"token not ascii":     {upstash.Config{URL: "https://h", Token: "é"}, "byte 0"},
		"negative timeout":    {upstash.Config{URL: "https://h", Token: testToken, Timeout: -1}, "negative"},
		"negative attempts":   {upstash.Config{URL: "https://h", Token: testToken, Attempts: -1}, "negative"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := upstash.New(tc.cfg)
			require.Nil(t, c)
			require.ErrorContains(t, err, tc.want)
			require.NotContains(t, err.Error(), testToken)
		})
	}
}

func TestPathsFollowTheURL(t *testing.T) {
	for _, prefix := range []string{"", "/", "/redis", "/redis/"} {
		srv := serve(t, ok(`{"result":1}`), ok(`[{"result":1}]`))
		c := client(t, srv.URL+prefix)
		_, err := c.Do(t.Context(), upstash.Cmd("GET", "k"))
		require.NoError(t, err)
		_, err = c.Pipeline(t.Context(), upstash.Cmd("GET", "k"))
		require.NoError(t, err)
		_, err = c.MultiExec(t.Context(), upstash.Cmd("GET", "k"))
		require.NoError(t, err)
		base := ""
		if len(prefix) > 1 {
			base = "/redis"
		}
		got := srv.requests()
		require.Equal(t, []string{base + "/", base + "/pipeline", base + "/multi-exec"},
			[]string{got[0].path, got[1].path, got[2].path})
	}
}
