package jobs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCredentialsOfTheAccountBelongTogether(t *testing.T) {
	from := func(pairs map[string]string) (Bill, error) {
		return billFrom(func(name string) string { return pairs[name] })
	}
	b, err := from(nil)
	require.NoError(t, err)
	require.Nil(t, b)
	b, err = from(map[string]string{"UPSTASH_EMAIL": "a@example.com", "UPSTASH_API_KEY": "k", "UPSTASH_DATABASE_ID": "d"})
	require.NoError(t, err)
	require.NotNil(t, b)
	_, err = from(map[string]string{"UPSTASH_EMAIL": "a@example.com", "UPSTASH_API_KEY": "secret"})
	require.ErrorContains(t, err, "UPSTASH_EMAIL, UPSTASH_API_KEY, UPSTASH_DATABASE_ID: ")
	require.NotContains(t, err.Error(), "secret")
}
