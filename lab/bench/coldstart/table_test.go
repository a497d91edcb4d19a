package main

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/platform/template"
)

func TestTableComparesWithHello(t *testing.T) {
	ms := func(values ...int) (out []time.Duration) {
		for _, v := range values {
			out = append(out, time.Duration(v)*time.Millisecond)
		}
		return out
	}
	got := table([]*program{
		{name: "hello", size: 6_000_000, starts: ms(2, 9, 2), rss: []int64{7_000_000}},
		{name: "submit", size: 9_500_000, starts: ms(3, 3, 50)},
	}, 3)
	require.Regexp(t, `hello +2\.00 +2\.00 +1\.00 +6\.0 +7\.0`, got)
	require.Regexp(t, `submit +3\.00 +3\.00 +1\.50 +9\.5 +-`, got)
}

func TestPercentileIsAValueThatWasMeasured(t *testing.T) {
	values := []int64{5, 1, 4, 2, 3}
	require.EqualValues(t, 3, percentile(values, 50))
	require.EqualValues(t, 4, percentile(values, 90))
	require.Equal(t, []int64{5, 1, 4, 2, 3}, values)
}

func TestDummiesCoverTheTemplate(t *testing.T) {
	values, err := dummies()
	require.NoError(t, err)
	tmpl, err := template.Parse(leaderboards.Template)
	require.NoError(t, err)
	for _, f := range tmpl.Functions {
		for name := range f.Env {
			require.NotEmpty(t, values[name], "%s of %s", name, f.LogicalID)
		}
	}
}

func TestPeakRSSOfNoProcess(t *testing.T) {
	_, ok := peakRSS(-os.Getpid())
	require.False(t, ok)
}
