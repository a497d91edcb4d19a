package costday

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/platform/price"
)

// The marks around the plan in its page.
const (
	planPage  = "../../docs/internals/scale.md"
	planBegin = "<!-- the plan, by lab/costday -->\n"
	planEnd   = "<!-- end of the plan -->\n"
)

var update = flag.Bool("update", false, "write the tables of docs/internals/scale.md anew")

func TestThePageHasThePlan(t *testing.T) {
	want, err := Plan()
	require.NoError(t, err)
	text, err := os.ReadFile(planPage)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), planBegin)
	old, after, ended := strings.Cut(rest, planEnd)
	require.True(t, found && ended)
	if *update {
		require.NoError(t, os.WriteFile(planPage, []byte(before+planBegin+"\n"+want+planEnd+after), 0o644))
		return
	}
	require.Equal(t, "\n"+want, old, "go test ./lab/costday -run ThePlan -update writes it")
}

// The load is the planned one: 50 million scores and 150 million reads a day, 58,000 and
// 173,600 a second.
func TestThePlanIsForItsLoad(t *testing.T) {
	s := scale{users: 100_000_000}
	d := s.day()
	require.EqualValues(t, 50_000_000, d.Routes[routeSubmit].Requests)
	require.EqualValues(t, 150_000_000, d.Routes[routeWeek].Requests+d.Routes[routePage].Requests)
	require.InEpsilon(t, 58_000, s.second(planScores, planMargin), 0.01)
	require.InEpsilon(t, 173_600, s.second(planCards+planPages, planMargin), 0.01)

	// What the page says beside the tables.
	l, err := price.Current()
	require.NoError(t, err)
	_, _, whole, err := cheaper(l, s.users)
	require.NoError(t, err)
	s.view = true
	_, one, err := s.databases(l)
	require.NoError(t, err)
	const planned = 20_000
	require.Greater(t, whole.Total, float64(planned))
	require.Less(t, one.Total, float64(planned))
	require.Less(t, whole.Total-whole.Of(price.GatewayRequests), float64(planned))
	require.InDelta(t, 22, s.cores(planMargin), 1)
}

// The template and the pages still have the values that the plan takes from them.
func TestThePlanCitesWhatStands(t *testing.T) {
	for pattern, text := range map[string]string{
		`ThrottlingRate:\n +Type: Number\n +Default: 200\n`: string(leaderboards.Template),
		`257 bytes a player`:                           read(t, planPage),
		`32 homes`:                                     read(t, planPage),
		`A band is split above 400,000 players`:        read(t, planPage),
		`\| rank / the player known \| 2 / 1 \|`:       read(t, planPage),
		`hello took 18, they were 82 / 165 for scores`: read(t, "../../docs/internals/benchmarks.md"),
		` 60 for a card, `:                             read(t, "../../docs/internals/benchmarks.md"),
		` 22 / 150 for pages`:                          read(t, "../../docs/internals/benchmarks.md"),
		`3 commands for 500 scores on one board`:       read(t, "../../docs/decisions/0017-queue.md"),
	} {
		require.Regexp(t, regexp.MustCompile(pattern), text)
	}
}

func read(t *testing.T, path string) string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// The databases are enough for the busiest second and for what is stored. Each line is
// the vendor's price for all of them. More users never cost less.
func TestThePlanIsLargeEnough(t *testing.T) {
	l, err := price.Current()
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.IntRange(planUsersEach, 100_000_000).Draw(t, "users")
		many := rapid.IntRange(few, 100_000_000).Draw(t, "more users")
		s, databases, bill, err := cheaper(l, few)
		require.NoError(t, err)
		require.LessOrEqual(t, s.second(s.commandsEach(), planMargin), float64(databases)*redisSecond)
		most := 0.0
		for _, v := range l.Vendors {
			for _, p := range v.Plans {
				for _, m := range p.Meters {
					if v.Name == upstashVendor && p.Name == bill.Plans[upstashVendor] && m.Item == price.RedisStoredGB {
						most = m.Most
					}
				}
			}
		}
		require.LessOrEqual(t, s.stored()/1e9, float64(databases)*most)
		sum := 0.0
		for _, line := range bill.Lines {
			sum += line.Dollars
		}
		require.InDelta(t, sum, bill.Total, 1e-6)
		_, _, more, err := cheaper(l, many)
		require.NoError(t, err)
		require.GreaterOrEqual(t, more.Total, bill.Total-1e-6)
	})
}
