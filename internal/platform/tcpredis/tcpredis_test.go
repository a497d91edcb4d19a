package tcpredis

import (
	"cmp"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/upstash"
)

func TestAWrongAddressSaysWhatWouldBeRight(t *testing.T) {
	for address, says := range map[string]string{
		"https://name.upstash.io":    "it is an address for REST: set it as UPSTASH_REDIS_REST_URL",
		"localhost:6379":             `it begins with "localhost": use redis://`,
		"redis:///0":                 "it names no host",
		"redis://:s3cret@h/zero":     `the database "zero" is not a number`,
		"redis://:s3cret@h:99999":    `the port "99999" is not one from 1 to 65535`,
		"redis://user:s3cret#4@h":    "percent-encode what is special in the password",
		"redis://user:s3cret%@h":     "percent-encode what is special in the password",
		"redis://:s3cret@h?db=one":   "the options after ? are not known",
		"redis://:s3cret@h?unknown=": "the options after ? are not known",
	} {
		_, err := Open(t.Context(), address, upstash.Config{})
		require.ErrorContains(t, err, says, address)
		require.NotContains(t, err.Error(), "s3cret", address)
	}
}

func TestAServerThatIsAwayMayComeBack(t *testing.T) {
	client, err := Open(t.Context(), "redis://127.0.0.1:1", upstash.Config{Attempts: 1})
	require.NoError(t, err)
	_, err = client.Do(t.Context(), upstash.Cmd("PING"))
	require.Error(t, err)
}

// What a server says of itself is read from a real one; what is wrong with others is put into
// that.
func TestAServerOfTheWrongKindIsRefused(t *testing.T) {
	server, err := redisd.Start(t.Context(), redisd.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	client, err := Open(t.Context(), server.URL()+"/3", upstash.Config{})
	require.NoError(t, err)
	reply, err := client.Do(t.Context(), upstash.Cmd("INFO"))
	require.NoError(t, err)
	text, err := reply.Text()
	require.NoError(t, err)
	good := fields(text)
	require.NoError(t, fit(good))
	require.Equal(t, "standalone", cmp.Or(good["server_mode"], good["redis_mode"]))
	for _, name := range []string{"role", "redis_version", "maxmemory_policy", "maxmemory"} {
		require.Contains(t, good, name)
	}
	for says, wrong := range map[string]map[string]string{
		"a node of a cluster":              {"redis_mode": "cluster", "server_mode": ""},
		"a Sentinel":                       {"server_mode": "sentinel"},
		"a replica":                        {"role": "slave"},
		`version "6.2.14": use Redis 7.2`:  {"redis_version": "6.2.14"},
		`version "7.0.15": use Redis 7.2`:  {"redis_version": "7.0.15"},
		`version "": use Redis 7.2`:        {"redis_version": ""},
		"evicts keys (maxmemory-policy al": {"maxmemory_policy": "allkeys-lru", "maxmemory": "1000000"},
	} {
		info := maps.Clone(good)
		maps.Copy(info, wrong)
		require.ErrorContains(t, fit(info), says)
	}
	require.NoError(t, fit(map[string]string{"redis_version": "10.0.1"}))

	_, err = client.Do(t.Context(), upstash.Cmd("CONFIG", "SET", "maxmemory", "100mb", "maxmemory-policy", "allkeys-lru"))
	require.NoError(t, err)
	_, err = Open(t.Context(), server.URL(), upstash.Config{})
	require.ErrorContains(t, err, "set noeviction")
}
