package template_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/querymeter"
	"github.com/framedle/leaderboards/internal/usage"
)

const namespace = "Framedle/Leaderboards/game"

// metric is one metric as a widget or an alarm names it, without dimensions'
// values.
type metric struct{ namespace, name, dimensions string }

// vendors are the metrics of AWS' own that are watched:
// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
var vendors = []metric{
	{"AWS/ApiGateway", "Count", "ApiId"},
	{"AWS/ApiGateway", "5xx", "ApiId"},
	{"AWS/SQS", "ApproximateNumberOfMessagesVisible", "QueueName"},
	{"AWS/SQS", "ApproximateAgeOfOldestMessage", "QueueName"},
	{"AWS/Lambda", "Errors", "FunctionName"},
}

// emitted are the metrics that a function can write, in the namespace that the
// template gives it.
func emitted(t *testing.T) []metric {
	t.Helper()
	given := ""
	for _, f := range project(t).Functions {
		given = render(t, f.Env["METRICS_NAMESPACE"], map[string]string{"AWS::StackName": "game"}).(string)
		require.Equal(t, namespace, given, f.LogicalID)
	}
	var lines bytes.Buffer
	watch := usage.New(usage.Options{Function: "submit", Now: time.Now, Lines: &lines, Namespace: given})
	watch.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		usage.Accepted(r.Context(), 1)
		querymeter.Add(r.Context(), 1, 1)
		w.Header().Set("Idempotency-Replayed", "true")
		w.WriteHeader(http.StatusServiceUnavailable)
	})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
	_, err := watch.Scheduled(func(ctx context.Context, _ time.Time) (any, error) {
		usage.ReportDrift(ctx, 1)
		usage.ReportProblem(ctx)
		return nil, errors.New("failed")
	})(t.Context(), time.Now())
	require.Error(t, err)

	var all []metric
	for line := range bytes.Lines(lines.Bytes()) {
		var told struct {
			AWS struct {
				CloudWatchMetrics []struct {
					Namespace  string
					Dimensions [][]string
					Metrics    []struct{ Name string }
				}
			} `json:"_aws"`
		}
		require.NoError(t, json.Unmarshal(line, &told))
		for _, directive := range told.AWS.CloudWatchMetrics {
			for _, m := range directive.Metrics {
				for _, dimensions := range directive.Dimensions {
					all = append(all, metric{directive.Namespace, m.Name, strings.Join(dimensions, ",")})
				}
			}
		}
	}
	return all
}

// widget is what a dashboard shows in one place.
type widget struct {
	Type          string
	X, Y          int
	Width, Height int
	Properties    struct {
		Title, Region, Stat string
		Period              int
		Metrics             [][]any
	}
}

func dashboard(t *testing.T, parameters map[string]string) []widget {
	t.Helper()
	var body struct{ Widgets []widget }
	text := rendered(t, parameters)["Dashboard"]["DashboardBody"].(string)
	require.NoError(t, json.Unmarshal([]byte(text), &body), text)
	require.NotEmpty(t, body.Widgets)
	return body.Widgets
}

// shown reads one row of a widget: a metric with the values of its dimensions, or
// an expression.
func shown(row []any) (m metric, values []string, options map[string]any) {
	if last, ok := row[len(row)-1].(map[string]any); ok {
		options, row = last, row[:len(row)-1]
	}
	if len(row) == 0 {
		return m, nil, options
	}
	m.namespace, m.name = row[0].(string), row[1].(string)
	var names []string
	for i := 2; i+1 < len(row); i += 2 {
		names, values = append(names, row[i].(string)), append(values, row[i+1].(string))
	}
	m.dimensions = strings.Join(names, ",")
	return m, values, options
}

func TestTheDashboardShowsEveryFunctionByMetricsThatAreWritten(t *testing.T) {
	known := append(emitted(t), vendors...)
	of := map[string][]string{} // functions by metric
	metrics := map[string]bool{}
	for _, w := range dashboard(t, nil) {
		require.Equal(t, "metric", w.Type)
		require.Equal(t, "eu-west-1", w.Properties.Region)
		require.LessOrEqual(t, w.X+w.Width, 24, w.Properties.Title)
		require.Contains(t, []int{3600, 86400}, w.Properties.Period, w.Properties.Title)
		ids := map[string]bool{}
		for _, row := range w.Properties.Metrics {
			m, values, options := shown(row)
			if id, ok := options["id"].(string); ok {
				ids[id] = true
			}
			if expression, ok := options["expression"].(string); ok {
				requireNames(t, expression, ids)
				continue
			}
			require.Contains(t, known, m, w.Properties.Title)
			require.True(t, w.Properties.Stat != "" || options["stat"] != nil, "%s: %v has no statistic", w.Properties.Title, row)
			metrics[m.name+strings.Join(values, ",")] = true
			if m.dimensions == "Function" {
				of[m.name] = append(of[m.name], values[0])
			}
		}
	}
	var names []string
	for _, f := range project(t).Functions {
		names = append(names, f.Name)
	}
	for _, name := range []string{"Commands", "Duration", "Errors"} {
		require.ElementsMatch(t, names, of[name], "the dashboard's widget of %s has one line for each function", name)
	}
	require.LessOrEqual(t, len(metrics), 50, "CloudWatch gives away dashboards of up to 50 metrics")
}

// requireNames holds the names of an expression against those that it can see.
func requireNames(t *testing.T, expression string, ids map[string]bool) {
	t.Helper()
	for _, name := range regexp.MustCompile(`\b[a-z]\w*`).FindAllString(expression, -1) {
		require.True(t, ids[name], "%s in %q is no id of a metric before it", name, expression)
	}
}

func TestWidgetsDoNotOverlap(t *testing.T) {
	taken := map[[2]int]string{}
	for _, w := range dashboard(t, nil) {
		for x := w.X; x < w.X+w.Width; x++ {
			for y := w.Y; y < w.Y+w.Height; y++ {
				require.Empty(t, taken[[2]int{x, y}], w.Properties.Title)
				taken[[2]int{x, y}] = w.Properties.Title
			}
		}
	}
}

// alarm is what is common to alarms on one metric and on an expression.
type alarm struct {
	metrics    map[string]metric // by id
	periods    []int             // seconds
	expression string
	threshold  float64
}

func alarms(t *testing.T, parameters map[string]string) map[string]alarm {
	t.Helper()
	all := map[string]alarm{}
	properties := rendered(t, parameters)
	for _, r := range project(t).Resources {
		if r.Type != "AWS::CloudWatch::Alarm" {
			continue
		}
		p := properties[r.LogicalID]
		require.NotEmpty(t, p["AlarmDescription"], r.LogicalID)
		require.Equal(t, []any{"Alarms"}, p["AlarmActions"], "%s tells whoever AlarmEmail names", r.LogicalID)
		require.Equal(t, "notBreaching", p["TreatMissingData"], r.LogicalID)
		a := alarm{metrics: map[string]metric{}, threshold: number(t, p["Threshold"])}
		if p["MetricName"] != nil {
			a.metrics[""] = metricOf(p)
			a.periods = []int{int(number(t, p["Period"]))}
		}
		list, _ := p["Metrics"].([]any)
		for _, item := range list {
			m := item.(map[string]any)
			if e, ok := m["Expression"].(string); ok {
				require.Equal(t, "true", m["ReturnData"], r.LogicalID)
				a.expression = e
				continue
			}
			require.Equal(t, "false", m["ReturnData"], r.LogicalID)
			stat := m["MetricStat"].(map[string]any)
			a.metrics[m["Id"].(string)] = metricOf(stat["Metric"].(map[string]any))
			a.periods = append(a.periods, int(number(t, stat["Period"])))
		}
		all[r.LogicalID] = a
	}
	return all
}

func metricOf(p map[string]any) metric {
	m := metric{namespace: p["Namespace"].(string), name: p["MetricName"].(string)}
	list, _ := p["Dimensions"].([]any)
	var names []string
	for _, d := range list {
		names = append(names, d.(map[string]any)["Name"].(string))
	}
	m.dimensions = strings.Join(names, ",")
	return m
}

func number(t *testing.T, v any) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(v.(string), 64)
	require.NoError(t, err)
	return n
}

func TestAlarmsWatchMetricsThatAreWritten(t *testing.T) {
	known := append(emitted(t), vendors...)
	all := alarms(t, nil)
	for _, name := range []string{"DailyBudgetAlarm", "HourlyPaceAlarm", "ErrorRateAlarm", "UsageDriftAlarm", "FailedRunsAlarm", "StatusAlarm"} {
		require.Contains(t, all, name)
	}
	for name, a := range all {
		ids := map[string]bool{}
		for id, m := range a.metrics {
			require.Contains(t, known, m, name)
			ids[id] = true
		}
		requireNames(t, a.expression, ids)
		slices.Sort(a.periods)
		require.Len(t, slices.Compact(a.periods), 1, "%s: metrics of one expression have one period", name)
	}
	require.Equal(t, metric{namespace, "Drift", ""}, all["UsageDriftAlarm"].metrics[""])
	require.InDelta(t, 100*usage.MostDrift, all["UsageDriftAlarm"].threshold, 1e-9)
	require.Equal(t, metric{namespace, "Problems", ""}, all["StatusAlarm"].metrics[""])
	require.InDelta(t, 1, all["StatusAlarm"].threshold, 1e-9, "any problem")
	require.Equal(t, []int{12 * 3600}, all["StatusAlarm"].periods, "runs look every 8 hours, and may be 4 late")
}

// Who looks after the schedules must know when they are to run, whatever the
// parameters say.
func TestWhoWatchesKnowsTheSchedules(t *testing.T) {
	for _, f := range project(t).Functions {
		for variable, parameter := range map[string]string{"DAILY_SCHEDULE": "DailySchedule", "WEEKLY_SCHEDULE": "WeeklySchedule", "SAVE_SCHEDULE": "SaveSchedule"} {
			if !slices.Contains([]string{"cron-daily", "cron-save", "ops"}, f.Name) {
				require.NotContains(t, f.Env, variable, f.Name)
				continue
			}
			require.Equal(t, "rate(7 days)", render(t, f.Env[variable], map[string]string{parameter: "rate(7 days)"}), f.Name)
		}
	}
}

// What an alarm on a budget computes reaches its threshold at that part of the
// plan, whatever the plan.
func TestAlarmsOnBudgetsFollowThePlan(t *testing.T) {
	for _, plan := range []float64{usage.FreePlan, 5_000_000, 1000} {
		all := alarms(t, map[string]string{"PlanCommands": strconv.FormatFloat(plan, 'f', -1, 64)})
		for name, want := range map[string]struct {
			commands float64
			period   int
		}{
			"DailyBudgetAlarm": {0.8 * plan / 31, 86400},
			"HourlyPaceAlarm":  {plan / 31 / 8, 3600},
		} {
			a := all[name]
			require.Equal(t, map[string]metric{"commands": {namespace, "Commands", ""}}, a.metrics, "of all functions")
			require.Equal(t, []int{want.period}, a.periods)
			require.InDelta(t, a.threshold, arithmetic(t, a.expression, map[string]float64{"commands": want.commands}), 1e-6, name)
		}
	}
	for _, p := range project(t).Parameters {
		if p.Name == "PlanCommands" {
			require.Equal(t, strconv.Itoa(usage.FreePlan), p.Default)
		}
	}
}
