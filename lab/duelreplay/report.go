package duelreplay

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/platform/progress"
	"github.com/framedle/leaderboards/lab/model"
)

// Report is the result of a replay.
type Report struct {
	Matches, Teams, Passes int
	Took                   time.Duration
	Repeated               int64 // requests that had to be sent again
	Stored                 int   // ratings that were read from Redis
	Sum                    float64
	Worst                  float64 // largest deviation of a rating
	Top                    []Entry
	Faults                 model.Faults
}

// Entry is a row of the board with its unrounded rating.
type Entry struct {
	Rank   int
	Team   string
	Rating float64
}

// Print writes the report in a form for people.
func (rep Report) Print(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\nTop of %d teams\n", rep.Teams)
	for _, e := range rep.Top {
		fmt.Fprintf(&b, "  %4d  %-28s %9.3f\n", e.Rank, e.Team, e.Rating)
	}
	sent := int64(rep.Matches) * int64(rep.Passes)
	fmt.Fprintf(&b, "\nMatches              %s, sent %d times, in %s: %s per second\n", progress.Count(int64(rep.Matches)), rep.Passes,
		rep.Took.Round(10*time.Millisecond), progress.Count(int64(float64(sent)/rep.Took.Seconds())))
	fmt.Fprintf(&b, "Requests repeated    %s\n", progress.Count(rep.Repeated))
	if rep.Stored > 0 {
		fmt.Fprintf(&b, "Sum of all ratings   %.9f\n", rep.Sum)
	}
	fmt.Fprintf(&b, "Furthest off         %.3g\n", rep.Worst)
	rep.Faults.Print(&b, "Every rating is right.")
	_, err := io.WriteString(out, b.String())
	return err
}
