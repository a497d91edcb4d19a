package replay

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
	Submissions int64
	Took        time.Duration // for the submissions
	Billed      int64         // commands of the submissions, as the product's meter counted them
	RoundTrips  int64
	Counted     int64 // commands, as Redis counted them; 0 if Redis was not asked

	HighTotals  int64 // answers with a total that includes players who had not been sent yet
	HighestOver int64 // largest number of such players

	HeapAtTenth, HeapAtEnd uint64 // live bytes; 0 if the product runs elsewhere

	Top      []Entry
	Ties     [Tries]int64 // players by tries, as the board has them
	Checked  int64        // entries of the board that were compared with the model
	Exact    bool         // the order within each step was known too
	Pages    int64
	WalkTook time.Duration
	Cards    int64
	Faults   model.Faults
}

// Print writes the report in a form for people.
func (rep Report) Print(out io.Writer, d Day) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\nTop of %s, %s players\n", d.Date, progress.Count(int64(d.Players)))
	for _, e := range rep.Top {
		fmt.Fprintf(&b, "  %4d  %-16s %5d\n", e.Rank, e.Player, e.Score)
	}
	b.WriteString("\nTies\n")
	for tries, players := range rep.Ties {
		fmt.Fprintf(&b, "  %4d points  %9s players  %s\n", Points[tries], progress.Count(players), solvedIn(tries))
	}
	seconds := rep.Took.Seconds()
	fmt.Fprintf(&b, "\nSubmissions          %s in %s, %s per second\n",
		progress.Count(rep.Submissions), rep.Took.Round(10*time.Millisecond), progress.Count(int64(float64(rep.Submissions)/seconds)))
	fmt.Fprintf(&b, "Billed commands      %.4f per submission (%s), %.4f round trips\n",
		rep.per(rep.Billed), progress.Count(rep.Billed), rep.per(rep.RoundTrips))
	if rep.Counted > 0 {
		fmt.Fprintf(&b, "Counted by Redis     %.4f per submission (%s)\n", rep.per(rep.Counted), progress.Count(rep.Counted))
	}
	if rep.HeapAtEnd > 0 {
		fmt.Fprintf(&b, "Heap alive           %s KB after a tenth, %s KB at the end: %+.1f bytes per submission\n",
			progress.Count(int64(rep.HeapAtTenth>>10)), progress.Count(int64(rep.HeapAtEnd>>10)),
			(float64(rep.HeapAtEnd)-float64(rep.HeapAtTenth))/(0.9*float64(rep.Submissions)))
	}
	if rep.HighTotals > 0 {
		fmt.Fprintf(&b, "Totals too high      in %s answers, by at most %s; ranks do not depend on them\n",
			progress.Count(rep.HighTotals), progress.Count(rep.HighestOver))
	}
	known := "equal scores by the step they were sent in"
	if rep.Exact {
		known = "equal scores by the order of sending"
	}
	fmt.Fprintf(&b, "Ranks                %s read back in %s pages in %s, %s; %d cards\n",
		progress.Count(rep.Checked), progress.Count(rep.Pages), rep.WalkTook.Round(10*time.Millisecond), known, rep.Cards)
	rep.Faults.Print(&b, "Every rank is right.")
	_, err := io.WriteString(out, b.String())
	return err
}

func (rep Report) per(n int64) float64 { return float64(n) / float64(rep.Submissions) }

func solvedIn(tries int) string {
	if tries == Tries-1 {
		return "not solved"
	}
	return fmt.Sprintf("solved at guess %d", tries+1)
}
