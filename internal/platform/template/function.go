package template

import (
	"net/http"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// Function is one serverless function, with the template's Globals merged in.
type Function struct {
	LogicalID string // as in SubmitFunction
	// Name is the folder of the function under functions/, taken from the logical
	// id: CronDailyFunction is cron-daily.
	Name          string
	CodeURI       string
	Handler       string
	Runtime       string
	Architectures []string
	BuildMethod   string // from Metadata
	MemoryMB      int
	TimeoutS      int
	Routes        []Route
	Schedules     []Schedule
	Queues        []Queue
	// Condition is the template's condition under which the function exists; empty: it always
	// exists.
	Condition string
	// Env has every variable of the function. A value that depends on the deployment is
	// written as in the template, "!Ref UpstashRedisRestToken".
	Env  map[string]string
	Line int
}

// Route is one route of the HTTP API to a function.
type Route struct {
	// Method is upper case, or ANY.
	Method string
	// Path is as in the template, with {name} for one segment and {name+} for the rest; or
	// $default for every request without another route.
	Path string
}

// Schedule is one EventBridge rule that starts a function.
type Schedule struct {
	Name string // of the event in the template
	// Expression is a cron() or rate() expression; package template reads it. A
	// reference to a parameter is replaced by the parameter's default.
	Expression string
}

// Queue is an SQS queue whose messages start a function.
type Queue struct {
	Name      string // of the event in the template
	BatchSize int    // largest number of messages in a batch
	WindowS   int    // seconds for which a batch waits to fill
}

// Pattern returns the route as a pattern of http.ServeMux. ServeMux chooses among patterns as
// an HTTP API chooses among routes: the more specific one wins.
func (r Route) Pattern() string {
	if r.Path == "$default" {
		return "/"
	}
	path := strings.ReplaceAll(r.Path, "+}", "...}")
	if strings.HasSuffix(path, "/") {
		path += "{$}" // a route of an HTTP API does not match longer paths
	}
	if r.Method == "ANY" {
		return path
	}
	return r.Method + " " + path
}

func (t *Template) readFunction(id string, resource, properties, globals fields) (Function, error) {
	lookup := func(name string) string {
		if s := properties.text(name); s != "" {
			return s
		}
		return globals.text(name)
	}
	metadata, err := resource.fields("Metadata")
	if err != nil {
		return Function{}, err
	}
	name, err := folderOf(id, resource.node)
	if err != nil {
		return Function{}, err
	}
	f := Function{
		LogicalID:   id,
		Name:        name,
		CodeURI:     lookup("CodeUri"),
		Handler:     lookup("Handler"),
		Runtime:     lookup("Runtime"),
		BuildMethod: metadata.text("BuildMethod"),
		Env:         map[string]string{},
		Condition:   resource.text("Condition"),
		Line:        resource.node.Line,
	}
	if f.Architectures = properties.texts("Architectures"); f.Architectures == nil {
		f.Architectures = globals.texts("Architectures")
	}
	if f.MemoryMB, err = number(t.resolve(lookup("MemorySize")), 128, 10240); err != nil {
		return Function{}, errorAt(resource.node, "MemorySize of %s is %q: want megabytes, 128 to 10240", id, lookup("MemorySize"))
	}
	if f.TimeoutS, err = number(lookup("Timeout"), 1, 900); err != nil {
		return Function{}, errorAt(resource.node, "Timeout of %s is %q: want seconds, 1 to 900", id, lookup("Timeout"))
	}
	for _, level := range []fields{globals, properties} {
		env, err := level.fields("Environment", "Variables")
		if err != nil {
			return Function{}, err
		}
		for _, name := range env.names {
			f.Env[name] = env.text(name)
		}
	}
	return f, t.readEvents(&f, properties)
}

func (t *Template) readEvents(f *Function, properties fields) error {
	events, err := properties.fields("Events")
	if err != nil {
		return err
	}
	for _, name := range events.names {
		event, err := events.fields(name)
		if err != nil {
			return err
		}
		p, err := event.fields("Properties")
		if err != nil {
			return err
		}
		switch kind := event.text("Type"); kind {
		case "HttpApi":
			route, err := readRoute(name, event.node, p)
			if err != nil {
				return err
			}
			f.Routes = append(f.Routes, route)
		case "Schedule":
			expression := t.resolve(p.text("Schedule"))
			if expression == "" {
				return errorAt(event.node, "event %s has no Schedule: want a cron() or rate() expression", name)
			}
			f.Schedules = append(f.Schedules, Schedule{Name: name, Expression: expression})
		case "SQS":
			queue, err := t.readQueue(name, event.node, p)
			if err != nil {
				return err
			}
			f.Queues = append(f.Queues, queue)
		default:
			return errorAt(event.node, "event %s is of type %q: the local host knows HttpApi, Schedule and SQS", name, kind)
		}
	}
	return nil
}

func (t *Template) readQueue(name string, node *yaml.Node, p fields) (Queue, error) {
	q := Queue{Name: name}
	var err error
	if q.BatchSize, err = number(t.resolve(p.text("BatchSize")), 1, 10_000); err != nil {
		return q, errorAt(node, "BatchSize of event %s is %q: want messages, 1 to 10000", name, p.text("BatchSize"))
	}
	if q.WindowS, err = number(t.resolve(p.text("MaximumBatchingWindowInSeconds")), 0, 300); err != nil {
		return q, errorAt(node, "MaximumBatchingWindowInSeconds of event %s is %q: want seconds, 0 to 300", name, p.text("MaximumBatchingWindowInSeconds"))
	}
	return q, nil
}

func readRoute(name string, node *yaml.Node, p fields) (Route, error) {
	method, path := strings.ToUpper(p.text("Method")), p.text("Path")
	if method == "" && path == "" {
		return Route{Method: "ANY", Path: "$default"}, nil
	}
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, "ANY":
	default:
		return Route{}, errorAt(node, "event %s has the method %q: want an HTTP method, or ANY", name, method)
	}
	if !validPath(path) {
		return Route{}, errorAt(node, "event %s has the path %q: want one that begins with / and has {name} for whole segments, each name once, {name+} only at the end", name, path)
	}
	return Route{Method: method, Path: path}, nil
}

// validPath reports whether both an HTTP API and http.ServeMux take a path.
func validPath(path string) bool {
	if !strings.HasPrefix(path, "/") {
		return false
	}
	segments := strings.Split(path[1:], "/")
	seen := map[string]bool{}
	for i, s := range segments {
		last := i == len(segments)-1
		variable, isVariable := strings.CutPrefix(s, "{")
		if !isVariable {
			if strings.ContainsAny(s, "{} \t\r\n%") || s == "." || s == ".." || s == "" && !last {
				return false
			}
			continue
		}
		variable, closed := strings.CutSuffix(variable, "}")
		variable, greedy := strings.CutSuffix(variable, "+")
		if !closed || greedy && !last || !isIdentifier(variable) || seen[variable] {
			return false
		}
		seen[variable] = true
	}
	return true
}

func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// folderOf turns CronDailyFunction into cron-daily.
func folderOf(id string, node *yaml.Node) (string, error) {
	stem, ok := strings.CutSuffix(id, "Function")
	if !ok || stem == "" {
		return "", errorAt(node, "function %s: want a logical id that ends in Function, as in CronDailyFunction for functions/cron-daily", id)
	}
	var b strings.Builder
	for i, r := range stem {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String(), nil
}

func number(s string, lowest, highest int) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < lowest || n > highest {
		return 0, strconv.ErrRange
	}
	return n, nil
}
