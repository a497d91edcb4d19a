package app

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecretsAreSeveralForTheTimeOfAChange(t *testing.T) {
	long, other := strings.Repeat("n", 32), strings.Repeat("o", 40)
	for name, row := range map[string]struct {
		env   map[string]string
		want  []string
		wrong string
	}{
		"Redis' own token":  {env: map[string]string{envRedisToken: "token"}, want: []string{"token"}},
		"one":               {env: map[string]string{envRedisToken: "token", envSecret: long}, want: []string{long}},
		"the first signs":   {env: map[string]string{envSecret: long + ", " + other}, want: []string{long, other}},
		"each is as strong": {env: map[string]string{envSecret: long + ",short"}, wrong: "SECRET has a secret of 5 characters"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := secretsFrom(func(name string) string { return row.env[name] })
			if row.wrong != "" {
				require.ErrorContains(t, err, row.wrong)
				return
			}
			require.NoError(t, err)
			require.Equal(t, row.want, got)
		})
	}
}

func TestSchedulesAreFiredByAnyOfTheTokens(t *testing.T) {
	long, other := strings.Repeat("n", 32), strings.Repeat("o", 40)
	verify, err := scheduleToken(func(name string) string { return map[string]string{envOpsToken: long + "," + other}[name] })
	require.NoError(t, err)
	require.NoError(t, verify(long))
	require.NoError(t, verify(other))
	require.Error(t, verify(long+","+other))
}
