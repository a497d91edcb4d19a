package template_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/template"
)

func moment(t *testing.T, s string) time.Time {
	t.Helper()
	parsed, err := time.Parse("2006-01-02 15:04:05", s)
	require.NoError(t, err)
	return parsed
}

func TestNextFiresAsDocumented(t *testing.T) {
	tests := []struct {
		name, expression, after, want string
	}{
		{"daily", "cron(15 0 * * ? *)", "2026-11-21 00:14:59", "2026-11-21 00:15:00"},
		{"daily, strictly after", "cron(15 0 * * ? *)", "2026-11-21 00:15:00", "2026-11-22 00:15:00"},
		{"mondays", "cron(30 0 ? * MON *)", "2026-11-21 00:00:00", "2026-11-23 00:30:00"},
		{"2 is monday", "cron(30 0 ? * 2 *)", "2026-11-21 00:00:00", "2026-11-23 00:30:00"},
		{"weekdays", "cron(0 18 ? * MON-FRI *)", "2026-11-20 18:00:00", "2026-11-23 18:00:00"},
		{"every ten minutes", "cron(0/10 * ? * MON-FRI *)", "2026-11-20 23:55:00", "2026-11-23 00:00:00"},
		{"increment from one", "cron(1/10 * * * ? *)", "2026-11-20 23:55:00", "2026-11-21 00:01:00"},
		{"increment in a range", "cron(10-30/15 8 * * ? *)", "2026-11-20 08:10:00", "2026-11-20 08:25:00"},
		{"list and names", "cron(0 8 1 JAN,JUL ? *)", "2026-11-20 00:00:00", "2027-01-01 08:00:00"},
		{"year", "cron(0 0 1 1 ? 2030)", "2026-11-20 00:00:00", "2030-01-01 00:00:00"},
		{"past year", "cron(0 0 1 1 ? 2020)", "2026-11-20 00:00:00", "never"},
		{"30 february", "cron(0 0 30 2 ? *)", "2026-11-20 00:00:00", "never"},
		{"29 february", "cron(0 0 29 2 ? *)", "2026-11-20 00:00:00", "2028-02-29 00:00:00"},
		{"last day of month", "cron(0 0 L * ? *)", "2028-02-01 00:00:00", "2028-02-29 00:00:00"},
		{"last friday", "cron(15 10 ? * 6L *)", "2026-11-01 00:00:00", "2026-11-27 10:15:00"},
		{"last day of week", "cron(0 0 ? * L *)", "2026-11-16 00:00:00", "2026-11-21 00:00:00"},
		{"second tuesday", "cron(0 0 ? * 3#2 *)", "2026-11-01 00:00:00", "2026-11-10 00:00:00"},
		{"fifth sunday", "cron(0 0 ? * SUN#5 *)", "2026-11-30 00:00:00", "2027-01-31 00:00:00"},
		{"weekday nearest a saturday", "cron(0 0 21W * ? *)", "2026-11-01 00:00:00", "2026-11-20 00:00:00"},
		{"weekday nearest a sunday", "cron(0 0 22W * ? *)", "2026-11-01 00:00:00", "2026-11-23 00:00:00"},
		{"weekday nearest a first that is a saturday", "cron(0 0 1W * ? *)", "2026-07-31 00:00:00", "2026-08-03 00:00:00"},
		{"weekday nearest a last that is a sunday", "cron(0 0 31W * ? *)", "2026-05-01 00:00:00", "2026-05-29 00:00:00"},
		{"before the first year", "cron(0 0 1 1 ? *)", "1950-06-01 00:00:00", "1970-01-01 00:00:00"},
		{"minutes", "rate(5 minutes)", "2026-11-21 10:04:59", "2026-11-21 10:05:00"},
		{"minutes, strictly after", "rate(5 minutes)", "2026-11-21 10:05:00", "2026-11-21 10:10:00"},
		{"hour", "rate(1 hour)", "2026-11-21 10:05:00", "2026-11-21 11:00:00"},
		{"days", "rate(2 days)", "1970-01-01 00:00:00", "1970-01-03 00:00:00"},
		{"before the epoch", "rate(1 day)", "1969-12-30 12:00:00", "1969-12-31 00:00:00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := template.ParseExpression(tt.expression)
			require.NoError(t, err)
			next := s.Next(moment(t, tt.after))
			if tt.want == "never" {
				require.True(t, next.IsZero(), "got %v", next)
				return
			}
			require.Equal(t, moment(t, tt.want), next)
		})
	}
}

func TestNextTakesAnyTimeZone(t *testing.T) {
	s, err := template.ParseExpression("cron(0 0 * * ? *)")
	require.NoError(t, err)
	tokyo := time.FixedZone("UTC+9", 9*3600)
	require.Equal(t, moment(t, "2026-11-21 00:00:00"), s.Next(time.Date(2026, 11, 21, 8, 59, 0, 0, tokyo)))
}

func TestParseRefusesWhatEventBridgeRefuses(t *testing.T) {
	tests := []struct {
		name, expression, says string
	}{
		{"nothing", "", "want rate"},
		{"unix cron", "0 0 * * *", "want rate"},
		{"not closed", "cron(0 0 * * ? *", "want rate"},
		{"trailing text", "rate(1 hour) ", "want rate"},
		{"upper case", "CRON(0 0 * * ? *)", "want rate"},
		{"five fields", "cron(0 0 * * ?)", "5 fields"},
		{"seven fields", "cron(0 0 0 * * ? *)", "7 fields"},
		{"no question mark", "cron(0 0 * * * *)", "exactly one"},
		{"two question marks", "cron(0 0 ? * ? *)", "exactly one"},
		{"question mark in minutes", "cron(? 0 * * ? *)", "minutes"},
		{"minute 60", "cron(60 0 * * ? *)", "0 to 59"},
		{"hour 24", "cron(0 24 * * ? *)", "0 to 23"},
		{"day 0", "cron(0 0 0 * ? *)", "1 to 31"},
		{"day 32", "cron(0 0 32 * ? *)", "1 to 31"},
		{"month 13", "cron(0 0 1 13 ? *)", "JAN to DEC"},
		{"weekday 0", "cron(0 0 ? * 0 *)", "SUN to SAT"},
		{"weekday 8", "cron(0 0 ? * 8 *)", "SUN to SAT"},
		{"weekday of two letters", "cron(0 0 ? * MO *)", "SUN to SAT"},
		{"name across two names", "cron(0 0 ? * UNM *)", "SUN to SAT"},
		{"year 1969", "cron(0 0 1 1 ? 1969)", "1970 to 2199"},
		{"year 2200", "cron(0 0 1 1 ? 2200)", "1970 to 2199"},
		{"backwards range", "cron(30-10 0 * * ? *)", "backwards"},
		{"increment 0", "cron(0/0 0 * * ? *)", "increment"},
		{"increment missing", "cron(0/ 0 * * ? *)", "increment"},
		{"empty item", "cron(1,,2 0 * * ? *)", "minutes"},
		{"sign", "cron(+1 0 * * ? *)", "minutes"},
		{"two dashes", "cron(1-2-3 0 * * ? *)", "minutes"},
		{"W without a day", "cron(0 0 W * ? *)", "day-of-month"},
		{"W in a list", "cron(0 0 1,15W * ? *)", "day-of-month"},
		{"W among weekdays", "cron(0 0 ? * 3W *)", "day-of-week"},
		{"sixth tuesday", "cron(0 0 ? * 3#6 *)", "1 to 5"},
		{"two nths", "cron(0 0 ? * 3#1,6#3 *)", "1 to 5"},
		{"L in months", "cron(0 0 1 L ? *)", "month"},
		{"rate 0", "rate(0 minutes)", "above 0"},
		{"rate -1", "rate(-1 minutes)", "above 0"},
		{"rate 05", "rate(05 minutes)", "above 0"},
		{"rate empty", "rate()", "above 0"},
		{"plural of one", "rate(1 hours)", "does not fit"},
		{"singular of five", "rate(5 minute)", "does not fit"},
		{"seconds", "rate(30 seconds)", "does not fit"},
		{"two s", "rate(5 minutess)", "does not fit"},
		{"centuries", "rate(4000000000 days)", "100 years"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := template.ParseExpression(tt.expression)
			require.ErrorContains(t, err, tt.says)
		})
	}
}

// model decides about a minute from the text of the fields alone, without the parser.
type model struct{ fields [6]string }

func (m model) fires(t time.Time) bool {
	names := strings.NewReplacer("SUN", "1", "MON", "2", "TUE", "3", "WED", "4", "THU", "5", "FRI", "6", "SAT", "7")
	for i, v := range [6]int{t.Minute(), t.Hour(), t.Day(), int(t.Month()), int(t.Weekday()) + 1, t.Year()} {
		text := m.fields[i]
		if i == 4 {
			text = names.Replace(text)
		}
		if text != "?" && !listHas(text, v, [6]int{59, 23, 31, 12, 7, 2199}[i]) {
			return false
		}
	}
	return true
}

func listHas(text string, v, highest int) bool {
	for item := range strings.SplitSeq(text, ",") {
		var from, to, step int
		switch {
		case item == "*":
			return true
		case scan(item, "%d-%d/%d", &from, &to, &step):
		case scan(item, "%d/%d", &from, &step):
			to = highest
		case scan(item, "%d-%d", &from, &to):
			step = 1
		case scan(item, "%d", &from):
			to, step = from, 1
		}
		if v >= from && v <= to && (v-from)%step == 0 {
			return true
		}
	}
	return false
}

func scan(text, format string, into ...any) bool {
	n, err := fmt.Sscanf(text, format, into...)
	if err != nil || n != len(into) {
		return false
	}
	values := make([]any, n)
	for i, p := range into {
		values[i] = *p.(*int)
	}
	return fmt.Sprintf(format, values...) == text
}

func drawField(t *rapid.T, name string, lowest, highest int) string {
	items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		from := rapid.IntRange(lowest, highest).Draw(t, "from")
		to := rapid.IntRange(from, highest).Draw(t, "to")
		step := rapid.IntRange(1, highest).Draw(t, "step")
		return rapid.SampledFrom([]string{
			"*", fmt.Sprint(from), fmt.Sprintf("%d-%d", from, to),
			fmt.Sprintf("%d/%d", from, step), fmt.Sprintf("%d-%d/%d", from, to, step),
		}).Draw(t, "item")
	}), 1, 3).Draw(t, name)
	return strings.Join(items, ",")
}

func TestNextAgreesWithLookingAtEveryMinute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := model{[6]string{
			drawField(t, "minutes", 0, 59), drawField(t, "hours", 0, 23),
			"?", "*", "?", "*",
		}}
		if rapid.Bool().Draw(t, "by weekday") {
			m.fields[4] = rapid.SampledFrom([]string{"*", "MON", "SUN-TUE", "2-6", "SAT,SUN", "1/3"}).Draw(t, "day-of-week")
		} else {
			m.fields[2] = drawField(t, "day-of-month", 1, 31)
		}
		s, err := template.ParseExpression("cron(" + strings.Join(m.fields[:], " ") + ")")
		require.NoError(t, err)

		after := time.Unix(rapid.Int64Range(0, 7_000_000_000).Draw(t, "after"), 0).UTC()
		next := s.Next(after)
		want := after.Truncate(time.Minute)
		for want = want.Add(time.Minute); !m.fires(want); want = want.Add(time.Minute) {
			if !m.mayFireOn(want) {
				want = want.Truncate(24 * time.Hour).Add(24*time.Hour - time.Minute)
			}
		}
		require.Equal(t, want, next)
	})
}

func (m model) mayFireOn(t time.Time) bool {
	m.fields[0], m.fields[1] = "*", "*"
	return m.fires(t)
}

func FuzzParseExpression(f *testing.F) {
	for _, seed := range []string{"cron(15 0 * * ? *)", "rate(5 minutes)", "cron(0 0 ? * 3#2 2026-2030/2)", "cron(0 0 15W JAN-MAR ? *)", "cron(0 0 L * ? *)"} {
		f.Add(seed, int64(1_800_000_000))
	}
	f.Fuzz(func(t *testing.T, expression string, unix int64) {
		s, err := template.ParseExpression(expression)
		if err != nil {
			return
		}
		after := time.Unix(unix%10_000_000_000, 0)
		next := s.Next(after)
		if !next.IsZero() && !next.After(after) {
			t.Fatalf("%q fires at %v, not after %v", expression, next, after)
		}
	})
}

func ExampleExpression_Next() {
	s, err := template.ParseExpression("cron(30 0 ? * MON *)")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Next(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)))
	// Output: 2026-11-23 00:30:00 +0000 UTC
}
