package house_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	loader "golang.org/x/tools/go/packages"
)

// removable are the features that the test removes, and how lines of the wiring name them.
var removable = map[string]string{
	"presence":    `(?i)presence`,
	"feed":        `\bfeed\b`,
	"move":        `feature/move|\bmove(Command)?\b`,
	"webhook":     `feature/webhook\b|\bwebhookstore\.|\bwebhook\.Endpoint|(?i)\bwebhooksCommand|\b(deliver|announce)Webhooks\b|webhooksFromEnv|WebhookSecrets\(|\bSecrets\(\[\]string|^\s*"WEBHOOK_SECRETS",|"webhooks": `,
	"world":       `\bworld\.|feature/world|(?i)\bsites(From\w*)?\b|\.Merge\b|apitest\.Merged`,
	"backfill":    `importHistoryCommand|"import-history"`,
	"wallet":      `(?i)\bwallets?\b|walletstore|Wallets\(|"currencies:`,
	"league":      `(?i)league|settleCommand|settles\(|wasClosed`,
	"graph":       `(?i)graph|Planned|\bengine\.`,
	"coldstorage": `\bcold(Flags)?\b`,
	"backup":      `(?i)backup([^ ]| \{)`,
	"importer":    `importCommand|"import"`,
	"friend":      `(?i)friend|Invite(Body|s)|RequestsPath|BlocksPath|\.Lists\(`,
	"queue":       `feature/queue|(^|[^.\w])queue\.[A-Z]|(get|start|run|From)Queue\b|around\.(Dead|Scores)|[*&]Letters|deadLetters|Redrive|\.ingest\b|o\.QueueWindow|envQueueMode|\bs\.(Queue\b|serveQueue)`,
	"audit":       `feature/audit|\baudit(store)?\.[A-Z]|\bastrayOf\(|AuditRecord\(|auditCommand|auditAgain|"score audit",|^\s+"audit": +"score_audit"`,
	"badge":       `feature/badge|\bbadge(store)?\.|\.badges\b|"badges",|"badges": |Badges\(|badgeCommand|"webhooks_out"`,
	"device":      `feature/device|\bdevice\.[CEN]|"device(s|_names)",|"claims(": +"?|: )1|(A|The)Device\(|\bClaims\((\w\.)?(app|a),|\.claim(s|ed)\b|a claim`,
	"activity":    `"activity": |\tchatEvent := |feature/activity|\bactivity(store)?\.|\.Activity\(\)|\{"activity"|j\.(pruneActs|Compute)\b|playActivity|activityTries|actsOf|fires\("compute"\)|\t"acts",|\.EventsPath|apitest\.Active\(`,
	"race":        `feature/race|\brace(store)?\.|\b[rR]aces\(|\{"races"|"races",|"races: |"races": +"`,
	"live":        `feature/live|^\s+"Appsync|\blive\.[A-Z]|\.Live\.|\.Live\b,?$|around\.Live|\b(jobs\.Live|countedLive|eventsFrom)\(|\.live\(|\b[ps]\.Events\b|Events\.Beside|streams\b`,
	"duel":        `feature/duel|\bduel(store)?\.|\w*Duels\(|"duels",|\b(savedDuels|j\.duels)\b|ratingCommand|\.(wins|meets|challenges)\(|"duel_rating"|of duels|^\s+s\.Arrange\(|"/v1/duels",|path: "/v1/duels|"(open_)?duels": +["\d]|"duels: ",|lost\["duels"|(decided|arranged) :=|open := s\.Ch|^\tduels := func|playDuels|"duel result"|"duels" \{`,
	"play":        `feature/play|\b(play|once|review|reviewstore)\.[A-Z]|playKeys|\b(a|k|kept|app)\.Held(Plays)?\b|\bHeldPlays\((a|p\.app), |[gs]\.held\b|"held plays"|savePlays|\ba\.types\(`,
	"clerk":       `"memberships("\]|",|"?: )|"ClerkWebhookSecrets": |feature/clerk|\bclerk(\.[A-Z]|[A-Z]\w*\()|s\.ClerkMessage\(|clerkstore|Roster|syncPlayersCommand`,
}

// folders are what features have elsewhere.
var folders = map[string][]string{
	"audit":    {"internal/dev/apitest/audit.go"},
	"backfill": {"lab/bench/past"},
	"clerk":    {"functions/webhook"},
	"activity": {"functions/compute", "functions/events", "lab/activityreplay", "lab/cmd/replay/activity.go", "lab/model/activity.go"},
	"duel":     {"functions/duel", "lab/duelreplay", "lab/cmd/replay/duels.go", "lab/bench/http/duels.go"},
	"live":     {"functions/live", "internal/dev/apitest/live.go"},
	"friend":   {"functions/friends", "internal/dev/apitest/friends.go", "lab/costday/friends.go", "lab/bench/http/friends.go", "lab/bench/invocation/friends.go"},
	"queue":    {"cmd/consume", "functions/enqueue", "functions/ingest", "internal/dev/apitest/queue.go", "lab/costday/ingest.go"},
	"graph":    {"functions/graphql", "functions/graphql_test.go", "internal/dev/apitest/graph.go"},
	"world":    {"functions/cron-merge", "internal/dev/apitest/world.go"},
}

// benches are files of benches whose lines name a feature.
var benches = map[string][]string{
	"duel":   {"lab/bench/http/world.go"},
	"friend": {"lab/bench/http/world.go", "lab/bench/invocation/"},
}

// required are the parts that a feature adds to answers of the kernel, and settings the parameters
// of the template that only a feature reads.
var (
	required = map[string]string{"badge": "badges", "duel": "duels"}
	settings = map[string][]string{
		"webhook": {"WebhookSecrets"}, "world": {"Site", "SiteRedisRestUrls", "SiteRedisRestTokens"}, "graph": {"Graphql"},
		"queue": {"QueueMode", "QueueWindow"}, "activity": {"Activity"}, "clerk": {"ClerkWebhookSecrets"}, "live": {"AppsyncEventsUrl", "AppsyncEventsKey"},
	}
)

// variables are those of functions that do not come from a parameter.
var variables = map[string][]string{"queue": {"FAILED_RUNS_QUEUE_URL", "DEAD_SCORES_QUEUE_URL"}}

// webhookEvents are the events that endpoints of webhooks get of a feature.
var webhookEvents = map[string]string{"badge": "badge.given", "league": "league.rolled"}

// with are the features that go with another, because they cannot be without it.
var with = map[string][]string{
	"importer": {"backfill"},
	"friend":   {"graph"},          // a query reads friends
	"duel":     {"graph", "race"},  // and duels, and races move the same ratings
	"activity": {"badge", "queue"}, // badges are for acts too, and a message of the queue may have events
	"live":     {"duel", "race"},   // their streams are boards' streams
	"play":     {"race"},           // racers play the same challenge
}

// A feature is its folder, the files named for it, and its lines in the wiring: without them the
// product and all other tests compile. Each day draws three of the features, which are removed
// together; FEATURES names others.
func TestFeaturesCanBeRemoved(t *testing.T) {
	dir := copied(t)
	drawn := strings.Fields(os.Getenv("FEATURES"))
	if len(drawn) == 0 {
		names := slices.Sorted(maps.Keys(removable))
		first := 3 * int(time.Now().Unix()/(24*3600))
		for i := range 3 {
			drawn = append(drawn, names[(first+i)%len(names)])
		}
	}
	for i := 0; i < len(drawn); i++ {
		for _, other := range with[drawn[i]] {
			if !slices.Contains(drawn, other) {
				drawn = append(drawn, other)
			}
		}
	}
	for _, name := range drawn {
		remove(t, dir, name)
	}
	compiles(t, dir, drawn)
	if !t.Failed() {
		passes(t, dir)
	}
}

// quick are packages whose tests know all features and take a few seconds.
var quick = []string{"./internal/gamefile/...", "./internal/api/problem", "./internal/product/app"}

// telling are the packages whose tests name what a person removes: pages and clients keep
// what they say of the feature. The tests of this folder would run in each other.
var telling = regexp.MustCompile(`/(docs|client|sdk|web|openapi|house)(/|$)`)

// passes makes the generated files, and runs the tests of what is left in dir: those of the quick
// packages, or with TESTS=all all of them but those that name what is removed by hand.
func passes(t *testing.T, dir string) {
	t.Helper()
	command := func(name string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s %s: %s", name, args, out)
		return string(out)
	}
	command("go", "test", "-vet=off", "./internal/gamefile", "-run", "TestWhatIsMadeFromTheKeysIsCurrent", "-update")
	packages := quick
	if os.Getenv("TESTS") == "all" {
		command("make", "generate")
		require.NoError(t, os.WriteFile(filepath.Join(dir, "docs/reference/lbctl.md"), []byte(command("go", "run", "./cmd/lbctl", "reference")), 0o600))
		tools, err := filepath.Abs("../../.build/tools")
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Join(dir, ".build"), 0o755))
		require.NoError(t, os.Symlink(tools, filepath.Join(dir, ".build/tools"))) // what the scripts install
		command("git", "init", "-q")
		command("git", "add", ".")
		packages = slices.DeleteFunc(strings.Fields(command("go", "list", "./...")), telling.MatchString)
	}
	command("go", append([]string{"test", "-vet=off", "-skip=TestEveryCommandAndFlagOfThePagesExists"}, packages...)...)
}

// compiles checks the types of all code in dir, with its tests. It removes imports that only a
// removed feature needed.
func compiles(t *testing.T, dir string, without []string) {
	t.Helper()
	checked, err := loader.Load(&loader.Config{Mode: loader.LoadAllSyntax, Dir: dir, Tests: true, Context: t.Context()}, "./...")
	require.NoError(t, err)
	require.Greater(t, len(checked), 200)
	unused := map[string][]int{} // lines by file
	for _, p := range checked {
		for _, fault := range p.Errors {
			if !strings.HasSuffix(fault.Msg, "imported and not used") {
				t.Errorf("without %s: %s", without, fault)
				continue
			}
			at := strings.Split(fault.Pos, ":")
			line, err := strconv.Atoi(at[1])
			require.NoError(t, err)
			unused[at[0]] = append(unused[at[0]], line)
		}
	}
	for path, lines := range unused {
		change(t, path, func(text string) string {
			kept := strings.SplitAfter(text, "\n")
			for _, line := range lines {
				kept[line-1] = ""
			}
			return strings.Join(kept, "")
		})
	}
}

var (
	section = regexp.MustCompile(`(?:\bkey = |Key: )gamefile\.Key\{\s*Name: "(\w+)"`)
	kind    = regexp.MustCompile(`problem\.Register\("([a-z-]+)"`)
	pattern = regexp.MustCompile(`Pattern:\s*"(GET|POST|PUT|PATCH|DELETE) (/[^"]*)"`)
)

// removeFacts removes what a feature's code says to others: its section of game files, also of
// those within tests, and its routes in the OpenAPI document.
func removeFacts(t *testing.T, dir, name string) {
	t.Helper()
	if part := required[name]; part != "" {
		change(t, filepath.Join(dir, "api/openapi.yaml"), func(text string) string {
			return regexp.MustCompile(`(required: \[.*)\b`+part+`, `).ReplaceAllString(text, "$1")
		})
	}
	if event := webhookEvents[name]; event != "" {
		change(t, filepath.Join(dir, "internal/dev/local/erased_test.go"), func(text string) string {
			return strings.ReplaceAll(text, ", "+event, "")
		})
	}
	for _, setting := range settings[name] {
		removeSetting(t, dir, setting)
	}
	for _, variable := range variables[name] {
		change(t, filepath.Join(dir, "template.yaml"), func(text string) string {
			return regexp.MustCompile(`(?m)^ +`+variable+`: .*\n`).ReplaceAllString(text, "")
		})
	}
	for _, folder := range folders[name] {
		if function, is := strings.CutPrefix(folder, "functions/"); is && !strings.Contains(function, ".") {
			removeFunction(t, dir, function)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "internal/feature", name, "*.go"))
	require.NoError(t, err)
	within, err := filepath.Glob(filepath.Join(dir, "internal/feature", name, "*/*.go"))
	require.NoError(t, err)
	for _, path := range append(files, within...) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if found := section.FindSubmatch(text); found != nil {
			removeSection(t, dir, string(found[1]))
		}
		for _, of := range kind.FindAllSubmatch(text, -1) {
			removeKind(t, dir, string(of[1]))
		}
		for _, route := range pattern.FindAllSubmatch(text, -1) {
			removeRoute(t, dir, string(route[1]), string(route[2]))
			removeEvents(t, dir, string(route[1])+" "+string(route[2]))
			removeDrills(t, dir, string(route[2]))
			if path, _, _ := strings.Cut(string(route[2]), "/{"); !slices.Contains(shared, path) {
				removeLines(t, filepath.Join(dir, "internal/dev/local/erased_test.go"), regexp.MustCompile(`"`+path+`[/"?]`))
			}
			for _, table := range append(tables, "internal/platform/template/project_test.go") {
				removeLines(t, filepath.Join(dir, table), regexp.MustCompile(`"`+regexp.QuoteMeta(string(route[1])+" "+string(route[2]))+`( \d{3})?"`))
			}
		}
	}
}

// shared are the paths below which several features have routes.
var shared = []string{"/v1/leaderboards", "/v1/live", "/v1/players", "/v1/ops"}

func removeSection(t *testing.T, dir, key string) {
	t.Helper()
	which := regexp.MustCompile("(?m)(^|`)" + key + ":[^\n`]*\n?(?:\n*[ \t-][^\n`]*\n)*")
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".yaml") && !strings.HasSuffix(path, ".md") && !strings.HasSuffix(path, "_test.go") && !strings.Contains(path, "/internal/dev/") {
			return err
		}
		if text, err := os.ReadFile(path); err != nil || !which.Match(text) {
			return err
		}
		change(t, path, func(text string) string { return which.ReplaceAllString(text, "$1") })
		return nil
	}))
}

// removeSetting removes a parameter of the template, with its rule, its conditions and what depends
// on them, from variables and from the workflow that deploys.
func removeSetting(t *testing.T, dir, name string) {
	t.Helper()
	change(t, filepath.Join(dir, "template.yaml"), func(text string) string {
		for _, found := range regexp.MustCompile(`(?m)^  (\w+): .*!Ref `+name+`\b.*\n`).FindAllStringSubmatch(text, -1) {
			condition := found[1]
			text = regexp.MustCompile(`!If \[`+condition+`, .*, ""\]`).ReplaceAllString(text, `""`)
			for _, alarm := range regexp.MustCompile(`(?m)^  (\w+Alarm):\n    Type: .*\n    Condition: `+condition+`\n`).FindAllStringSubmatch(text, -1) {
				change(t, filepath.Join(dir, "docs/operate/slo.md"), func(text string) string {
					return regexp.MustCompile("(?m)^.*`"+alarm[1]+"`.*\n").ReplaceAllString(text, "")
				})
			}
			text = without(text, `  \w+:\n(?:    .*\n|\n)*`, "    Condition: "+condition+"\n") // resources and outputs
			text = without(text, `        - .*\n(?:          .*\n)*`, condition)               // policies
		}
		return regexp.MustCompile(`(?m)^  `+name+`:\n(?:    .*\n)*|^  \w+:\n    Assertions:\n      - Assert: .*!Ref `+name+`\b.*\n        AssertDescription: .*\n\n|^.*!Ref `+name+`\b.*\n`).ReplaceAllString(text, "")
	})
	variable := strings.ToUpper(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(name, "${1}_$2"))
	change(t, filepath.Join(dir, "examples/github/deploy.yml"), func(text string) string {
		return regexp.MustCompile(`(?m)^ +`+variable+`: .*\n`).ReplaceAllString(text, "")
	})
}

// without removes the blocks of a pattern that have a text.
func without(text, block, has string) string {
	return regexp.MustCompile(`(?m)^`+block).ReplaceAllStringFunc(text, func(one string) string {
		if strings.Contains(one, has) {
			return ""
		}
		return one
	})
}

// removeFunction removes what the template, the Makefile and the sample events have of a function.
func removeFunction(t *testing.T, dir, folder string) {
	t.Helper()
	name := ""
	for part := range strings.SplitSeq(folder, "-") {
		name += strings.ToUpper(part[:1]) + part[1:]
	}
	change(t, filepath.Join(dir, "template.yaml"), func(text string) string {
		return regexp.MustCompile(`(?m)^  `+name+`(Function|FunctionName|Role|LogGroup|Commands|Problems|Accepted):\n(?:    .*\n|\n)*|^ +\["AWS/Lambda", .*\$\{`+name+`Function\}.*\n| \| SOURCE '\$\{`+name+`LogGroup\}'`).ReplaceAllString(text, "")
	})
	change(t, filepath.Join(dir, "Makefile"), func(text string) string {
		return regexp.MustCompile(`(?m)^build-`+name+`Function: .*\n| build-`+name+`Function\b`).ReplaceAllString(text, "")
	})
	change(t, filepath.Join(dir, "events/README.md"), func(text string) string {
		return regexp.MustCompile(`(?m)^.*\b`+name+`Function\b.*\n|^.*`+"`"+folder+`-\w+\.json`+"`"+`.*\n`).ReplaceAllString(text, "")
	})
	removeEvents(t, dir, folder)
	for _, table := range []string{"cmd/invoke/invoke_test.go", "functions/drivers_test.go", "functions/functions_test.go", "internal/platform/template/project_test.go", "lab/bench/http/deployed.go"} {
		removeLines(t, filepath.Join(dir, table), regexp.MustCompile(`(?m)^\s+"`+folder+`",$|: +"`+folder+`",|\{"`+folder+`", map`))
	}
}

// removeEvents removes the sample events of a function or a route.
func removeEvents(t *testing.T, dir, of string) {
	t.Helper()
	samples, err := filepath.Glob(filepath.Join(dir, "events/*.json"))
	require.NoError(t, err)
	for _, path := range samples {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		name := filepath.Base(path)
		if name != of+".json" && !strings.HasPrefix(name, of+"-") && !bytes.Contains(text, []byte(`"routeKey": "`+of+`"`)) {
			continue
		}
		require.NoError(t, os.Remove(path))
		change(t, filepath.Join(dir, "events/README.md"), func(text string) string {
			return regexp.MustCompile("(?m)^\\| `"+name+"` .*\n").ReplaceAllString(text, "")
		})
		removeLines(t, filepath.Join(dir, "cmd/invoke/invoke_test.go"), regexp.MustCompile(`^\s+"`+name+`": `))
	}
}

// removeDrills removes what the runbook calls of a route, so that its drills can be run.
func removeDrills(t *testing.T, dir, path string) {
	t.Helper()
	change(t, filepath.Join(dir, "docs/operate/runbook.md"), func(text string) string {
		return without(text, "```sh drill .*\n(?:[^`].*\n)*```\n", `$API`+path+`"`)
	})
}

func removeKind(t *testing.T, dir, kind string) {
	t.Helper()
	change(t, filepath.Join(dir, "docs/problems.md"), func(text string) string {
		return regexp.MustCompile(`(?m)^## `+kind+`\n(?:(?:[^#\n].*)?\n)*`).ReplaceAllString(text, "")
	})
	change(t, filepath.Join(dir, "api/openapi.yaml"), func(text string) string {
		return regexp.MustCompile(`(?m)^ +- (?:\S+problems\.md#)?`+kind+`\n`).ReplaceAllString(text, "")
	})
}

func removeRoute(t *testing.T, dir, method, path string) {
	t.Helper()
	change(t, filepath.Join(dir, "api/openapi.yaml"), func(text string) string {
		paths := regexp.MustCompile(`(?m)^  ` + regexp.QuoteMeta(path) + `:\n(?:    .*\n|\n)*`)
		return paths.ReplaceAllStringFunc(text, func(of string) string {
			of = regexp.MustCompile(`(?m)^    `+strings.ToLower(method)+`:\n(?:      .*\n|\n)*`).ReplaceAllString(of, "")
			if !regexp.MustCompile(`(?m)^    (get|post|put|patch|delete):`).MatchString(of) {
				return ""
			}
			return of
		})
	})
}

func change(t *testing.T, path string, how func(string) string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte(how(string(text))), 0o600))
}

// remove removes a feature from the code in dir.
func remove(t *testing.T, dir, name string) {
	t.Helper()
	lines := regexp.MustCompile(removable[name])
	removeFacts(t, dir, name)
	for _, folder := range append(folders[name], "internal/feature/"+name) {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, folder)))
	}
	removed, files := 0, 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		within, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		test := strings.HasSuffix(path, "_test.go")
		wires := !test && (startsWith(within, wiring) || startsWith(within, benches[name]))
		switch {
		case isOf(filepath.Base(path), name) && (wires && !startsWith(within, kits) || test && startsWith(within, tested)):
			files++
			return os.Remove(path)
		case wires || startsWith(within, tables):
			removed += removeLines(t, path, lines)
		}
		return nil
	}))
	require.Positive(t, removed+files)
	t.Log(name, "has", removed, "lines of wiring, and", files, "files in other folders")
}

// wiring are the folders whose lines name features, and tables tests with rows for features.
var (
	wiring = []string{"internal/product/", "internal/dev/local/", "internal/dev/apitest/stack.go", "internal/dev/apitest/devices.go", "internal/dev/apitest/statuses.go", "internal/dev/apitest/plays.go", "cmd/", "functions/", "lab/costday/warmup.go", "lab/costday/around.go", "lab/costday/journey.go", "lab/cmd/replay/main.go"}
	kits   = []string{"internal/dev/apitest/"} // they only send requests
	tested = []string{"internal/", "cmd/", "functions/", "examples/", "lab/attack/", "lab/cmd/", "lab/model/", "lab/costday/", "client/", "test/"}
	tables = []string{
		"internal/api/banned_test.go", "internal/api/budgets_test.go", "internal/api/caching_test.go", "internal/api/dearest_test.go", "internal/api/degraded_test.go", "internal/api/game_test.go", "internal/api/has_test.go", "internal/api/hostile_names_test.go", "internal/api/interrupted_test.go", "internal/api/limits_test.go",
		"internal/api/own_rows_test.go", "internal/api/people_test.go", "internal/api/renamed_test.go", "internal/api/reserved_ids_test.go", "internal/api/routes_test.go", "internal/api/values_test.go", "internal/api/view_test.go",
		"internal/archive/outage_test.go", "internal/archive/trips_test.go",
		"internal/dev/apitest/devices.go", "internal/dev/local/away_test.go", "internal/dev/local/erased_test.go",
		"cmd/lbctl/backup_drill_test.go", "cmd/lbctl/history_test.go", "cmd/lbctl/right_game_test.go", "cmd/lbctl/status_test.go", "functions/http_test.go", "functions/rotation_test.go", "functions/wrong_values_test.go",
		"internal/lifecycle/closing/sides_test.go",
		"lab/attack/signatures_test.go", "lab/costday/costday_queue_test.go", "lab/costday/journey_internal_test.go", "lab/cmd/replay/main_test.go", "lab/model/independent_test.go",
		"internal/product/jobs/activity_erased_test.go", "internal/product/jobs/features_internal_test.go", "internal/product/jobs/history_test.go", "internal/product/jobs/overtaken_test.go", "internal/product/jobs/patterns_internal_test.go", "internal/product/jobs/people_test.go",
	}
)

func startsWith(path string, any []string) bool {
	return slices.ContainsFunc(any, func(one string) bool { return strings.HasPrefix(path, one) })
}

// isOf reports whether a file is a feature's by its name: wallet.go, wallets_model_test.go or
// claimed_wallet_test.go.
func isOf(file, feature string) bool {
	return slices.ContainsFunc(strings.Split(strings.TrimSuffix(file, ".go"), "_"), func(part string) bool {
		return part == feature || part == feature+"s"
	})
}

// copied is a copy of the Go code, and of what it embeds.
func copied(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range tracked(t) {
		if strings.HasPrefix(name, "docs/img/") || strings.HasPrefix(name, "site/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join("../..", name))
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		}
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	return dir
}

var comment = regexp.MustCompile(`(^|\s)//.*`)

// removeLines removes the lines that match; of a statement, its block too. It returns how many.
func removeLines(t *testing.T, path string, which *regexp.Regexp) (removed int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return 0 // it went with another feature
	}
	require.NoError(t, err)
	var kept [][]byte
	depth := 0     // of the block that is being removed
	prose := false // a text of several lines, which may name what it likes
	for line := range bytes.Lines(text) {
		code := comment.ReplaceAll(line, nil)
		within := prose
		if bytes.Count(code, []byte("`"))%2 == 1 {
			prose = !prose
			code = code[:bytes.LastIndexByte(code, '`')]
		}
		if depth == 0 && (within || !which.Match(code)) {
			kept = append(kept, line)
			continue
		}
		removed++
		for _, open := range []string{"{", "(", "["} {
			depth += bytes.Count(code, []byte(open))
		}
		for _, closed := range []string{"}", ")", "]"} {
			depth -= bytes.Count(code, []byte(closed))
		}
		depth = max(depth, 0)
	}
	if removed > 0 {
		require.NoError(t, os.WriteFile(path, bytes.Join(kept, nil), 0o600))
	}
	return removed
}

// tracked are the files of the repository, and new ones that it does not ignore.
func tracked(t *testing.T) []string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = "../.."
	out, err := list.Output()
	require.NoError(t, err)
	return strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
}
