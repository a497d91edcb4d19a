package progress_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/progress"
)

func ExampleLine() {
	halfWay := progress.State{Share: 0.5, Count: 60_000, Unit: "lines", Note: "12 refused"}
	fmt.Println(progress.Bar(halfWay.Share), progress.Line(halfWay, 0, 6*time.Second))
	// Output: [############............]  50.0%  60,000 lines, 10,000/s, 12 refused, 6s left
}

func TestLineTellsNoTimeLeftThatNobodyCanKnow(t *testing.T) {
	for name, test := range map[string]struct {
		state   progress.State
		first   float64
		elapsed time.Duration
		want    string
	}{
		"at the very beginning":         {progress.State{Unit: "lines"}, 0, 0, "  0.0%  0 lines"},
		"nothing done yet":              {progress.State{Unit: "lines"}, 0, time.Second, "  0.0%  0 lines, 0/s"},
		"at the end":                    {progress.State{Share: 1, Count: 1000, Unit: "lines"}, 0, time.Second, "100.0%  1,000 lines, 1,000/s"},
		"resumed, nothing new":          {progress.State{Share: 0.5, Unit: "lines"}, 0.5, time.Second, " 50.0%  0 lines, 0/s"},
		"resumed, a quarter of it done": {progress.State{Share: 0.75, Count: 10, Unit: "lines"}, 0.5, 2 * time.Second, " 75.0%  10 lines, 5/s, 2s left"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, progress.Line(test.state, test.first, test.elapsed))
		})
	}
}

func TestBarStaysInItsFrame(t *testing.T) {
	for _, share := range []float64{-1, 0, 0.5, 1, 2} {
		require.Len(t, progress.Bar(share), 26)
	}
}

func TestCountHasCommas(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 361908: "361,908", -1234567: "-1,234,567"} {
		require.Equal(t, want, progress.Count(n))
	}
}

func TestStopLeavesATerminalClean(t *testing.T) {
	var out bytes.Buffer
	stop := progress.Show(progress.Options{Out: &out, Terminal: true}, func() progress.State { return progress.State{} })
	stop()
	stop()
	require.Equal(t, "\r\x1b[K", out.String()[out.Len()-4:])
}
