package template_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/platform/price"
	"github.com/framedle/leaderboards/internal/platform/trace"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

const namespace = "Framedle/Leaderboards/game"

// metric is a metric as a widget or an alarm names it, without the values of its
// dimensions.
type metric struct{ namespace, name, dimensions string }

// vendors are the watched metrics of AWS itself:
// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
var vendors = []metric{
	{"AWS/ApiGateway", "Count", "ApiId"},
	{"AWS/ApiGateway", "4xx", "ApiId"},
	{"AWS/ApiGateway", "5xx", "ApiId"},
	{"AWS/SQS", "ApproximateNumberOfMessagesVisible", "QueueName"},
	{"AWS/SQS", "ApproximateAgeOfOldestMessage", "QueueName"},
	{"AWS/Lambda", "Errors", "FunctionName"},
	{"AWS/Lambda", "Duration", "FunctionName"},
}

// line is the log line of a function for a call in which everything happens that can.
func line(t *testing.T, function string, detail bool) []byte {
	t.Helper()
	var lines bytes.Buffer
	watch := usage.New(usage.Options{Function: function, Now: time.Now, Lines: &lines, Detail: detail, Namespace: namespace})
	rare := func(ctx context.Context) {
		usage.Accepted(ctx, 1)
		trace.AddQueries(ctx, 1, 1)
		usage.ReportDrift(ctx, 1)
		usage.ReportProblem(ctx)
	}
	if strings.HasPrefix(function, "cron-") {
		_, err := watch.Scheduled(func(ctx context.Context, _ time.Time) (any, error) {
			rare(ctx)
			return nil, errors.New("failed")
		})(t.Context(), time.Now())
		require.Error(t, err)
		return lines.Bytes()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		rare(r.Context())
		w.Header().Set("Idempotency-Replayed", "true")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	watch.Handler(mux).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
	return lines.Bytes()
}

// embedded are the metrics that CloudWatch makes of a line by itself, with the values of
// their dimensions.
func embedded(t *testing.T, line []byte) map[string]metric {
	t.Helper()
	var answer struct {
		AWS struct {
			CloudWatchMetrics []struct {
				Namespace  string
				Dimensions [][]string
				Metrics    []struct{ Name string }
			}
		} `json:"_aws"`
	}
	var fields map[string]any
	require.NoError(t, json.Unmarshal(line, &answer))
	require.NoError(t, json.Unmarshal(line, &fields))
	all := map[string]metric{}
	for _, directive := range answer.AWS.CloudWatchMetrics {
		require.Equal(t, namespace, directive.Namespace)
		for _, m := range directive.Metrics {
			for _, dimensions := range directive.Dimensions {
				of := metric{directive.Namespace, m.Name, strings.Join(dimensions, ",")}
				id := fmt.Sprint(of)
				for _, d := range dimensions {
					id += fmt.Sprint(" ", fields[d])
				}
				all[id] = of
			}
		}
	}
	return all
}

// filterPattern is the only form of pattern in the template's filters.
var filterPattern = regexp.MustCompile(`^\{ \$\.(\w+) >=? 0 \}$`)

// filtered are the metrics that the template's filters make of log lines, by the log
// group's logical id.
func filtered(t *testing.T) (all map[string][]metric) {
	t.Helper()
	all = map[string][]metric{}
	for id, p := range rendered(t, nil) {
		if p["FilterPattern"] == nil {
			continue
		}
		list := p["MetricTransformations"].([]any)
		require.Len(t, list, 1, id)
		to := list[0].(map[string]any)
		require.NotContains(t, to, "Dimensions", "%s: each value of a dimension is a metric that is billed", id)
		require.NotContains(t, to, "DefaultValue", "%s: a metric that is not there costs nothing", id)
		m := metric{namespace: to["MetricNamespace"].(string), name: to["MetricName"].(string)}
		require.Equal(t, "$."+m.name, to["MetricValue"], id)
		found := filterPattern.FindStringSubmatch(p["FilterPattern"].(string))
		require.NotNil(t, found, "%s: %s", id, p["FilterPattern"])
		require.Equal(t, m.name, found[1], id)
		group := p["LogGroupName"].(string)
		all[group] = append(all[group], m)
	}
	return all
}

// emitted are the metrics that a deployment writes by default: those that filters make of
// lines. CloudWatch itself makes none of such a line.
func emitted(t *testing.T) (all []metric) {
	t.Helper()
	groups := filtered(t)
	for _, f := range project(t).Functions {
		require.Equal(t, namespace, render(t, f.Env["METRICS_NAMESPACE"], map[string]string{"AWS::StackName": "game"}), f.LogicalID)
		require.Equal(t, "!Ref Metrics", f.Env["METRICS"], f.LogicalID)
		text := line(t, f.Name, false)
		require.Empty(t, embedded(t, text))
		var fields map[string]any
		require.NoError(t, json.Unmarshal(text, &fields))
		group := strings.TrimSuffix(f.LogicalID, "Function") + "LogGroup"
		require.Contains(t, groups[group], metric{namespace: namespace, name: "Commands"}, "what %s spends is in no metric", f.Name)
		for _, m := range groups[group] {
			require.Contains(t, fields, m.name, "%s logs no %s", f.Name, m.name)
			if !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
		delete(groups, group)
	}
	require.Empty(t, groups, "filters of log groups that no function has")
	return all
}

// CloudWatch bills a metric for each name and set of dimensions, and for each metric that
// an alarm looks at. By default these are as many as package price assumes.
func TestMetricsAndAlarmsStayWithinTheFreeTier(t *testing.T) {
	metrics := emitted(t)
	require.LessOrEqual(t, len(metrics), 10)
	require.Len(t, metrics, price.Deployed.Metrics, "%v", metrics)
	watched, always := 0, 0
	all := alarms(t, nil)
	for _, r := range project(t).Resources {
		a, is := all[r.LogicalID]
		if !is {
			continue
		}
		watched += len(a.metrics)
		if r.Condition == "" {
			always += len(a.metrics)
		}
	}
	require.LessOrEqual(t, watched, 10, "with a queue, too")
	require.LessOrEqual(t, len(all), 10)
	require.Equal(t, price.Deployed.AlarmMetrics, always)
	for _, p := range project(t).Parameters {
		if p.Name == "Metrics" {
			require.Equal(t, "lean", p.Default)
			require.Equal(t, []string{"lean", "full"}, p.AllowedValues)
		}
	}
}

// With full metrics, those of functions and routes come on top. A filter makes none of
// them, so nothing counts twice.
func TestFullMetricsAddFunctionsAndRoutes(t *testing.T) {
	lean := emitted(t)
	dimensions := map[string]bool{}
	for _, f := range project(t).Functions {
		for _, m := range embedded(t, line(t, f.Name, true)) {
			require.NotContains(t, lean, m)
			dimensions[m.dimensions] = true
		}
	}
	require.Equal(t, map[string]bool{"Function": true, "Function,Route": true}, dimensions)
}

// Lambda's own lines are left out where they would be larger than the functions'.
func TestLambdasOwnLinesAreLeftOut(t *testing.T) {
	var root struct {
		Globals struct {
			Function struct {
				LoggingConfig map[string]yaml.Node `yaml:"LoggingConfig"`
			} `yaml:"Function"`
		} `yaml:"Globals"`
	}
	require.NoError(t, yaml.Unmarshal(leaderboards.Template, &root))
	config := root.Globals.Function.LoggingConfig
	require.Equal(t, "JSON", config["LogFormat"].Value, "levels are for lines of JSON alone")
	var levels []string
	level := config["SystemLogLevel"]
	for _, n := range level.Content {
		levels = append(levels, n.Value)
	}
	require.Equal(t, []string{"HasFullMetrics", "INFO", "WARN"}, levels)
}

// widget is one place of a dashboard.
type widget struct {
	Type          string
	X, Y          int
	Width, Height int
	Properties    struct {
		Title, Region, Stat string
		Query               string
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

// shown reads one row of a widget: a metric with the values of its dimensions, or an
// expression.
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
	var groups [][]string
	for _, w := range dashboard(t, nil) {
		require.Equal(t, "eu-west-1", w.Properties.Region)
		require.LessOrEqual(t, w.X+w.Width, 24, w.Properties.Title)
		if w.Type == "log" {
			groups = append(groups, sourcesOf(t, w.Properties.Query))
			continue
		}
		require.Equal(t, "metric", w.Type)
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
			if m.dimensions == "FunctionName" {
				of[m.name] = append(of[m.name], values[0])
			}
		}
	}
	var functions, logs []string
	for _, f := range project(t).Functions {
		functions = append(functions, f.LogicalID)
		logs = append(logs, strings.TrimSuffix(f.LogicalID, "Function")+"LogGroup")
	}
	for _, name := range []string{"Duration", "Errors"} {
		require.ElementsMatch(t, functions, of[name], "the dashboard's widget of %s has one line for each function", name)
	}
	require.NotEmpty(t, groups)
	for _, read := range groups {
		require.ElementsMatch(t, logs, read, "a query reads the log of each function")
	}
	require.LessOrEqual(t, len(metrics), 50, "CloudWatch gives away dashboards of up to 50 metrics")
}

var (
	source    = regexp.MustCompile(`SOURCE '([^']+)'`)
	fieldName = regexp.MustCompile(`\b[A-Z]\w+\b`)
)

// sourcesOf returns the log groups that a query reads, and checks that its fields are
// those of a line.
func sourcesOf(t *testing.T, query string) (groups []string) {
	t.Helper()
	for _, found := range source.FindAllStringSubmatch(query, -1) {
		groups = append(groups, found[1])
	}
	var fields map[string]any
	require.NoError(t, json.Unmarshal(line(t, "submit", false), &fields))
	for _, name := range fieldName.FindAllString(source.ReplaceAllString(query, ""), -1) {
		require.Contains(t, fields, name, query)
	}
	return groups
}

// requireNames checks that an expression uses only names that it can see.
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

// alarm is what alarms on one metric and on an expression have in common.
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

// The code that watches the schedules must know when they run, whatever the parameters say.
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

// An alarm on a budget reaches its threshold at the same part of the plan, whatever the
// plan is.
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
