package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// SchedulesPath begins the paths at which a process that serves everything lets its schedules
// be fired: POST, with a bearer token, one path for each schedule.
const SchedulesPath = "/v1/ops/schedules/"

// scheduleTime is how long a run may take: the longest that Lambda and Cloud Scheduler allow,
// less a little to answer in.
const scheduleTime = 14*time.Minute + 30*time.Second

// RunAll is RunHTTP for a process that serves everything: one handler for all requests, and
// schedules by name. The holder of SCHEDULE_TOKEN and every operator who may
// administer can fire a schedule. settings returns what is wrong in the variables that wire reads.
func RunAll(by Linked, settings func() error, wire func(*App) (Function, map[string]host.ScheduledFunc, error)) {
	var verify func(bearer string) error
	var pages []string
	by.settings = func() error {
		var noToken, noPages error
		verify, noToken = scheduleToken(Getenv)
		pages, noPages = pagesFrom(Getenv(envPages))
		return errors.Join(noToken, noPages, settings())
	}
	run(by, func(ctx context.Context, a *App, w watch, ending *host.Ending) error {
		requests, jobs, err := wire(a)
		if err != nil {
			return err
		}
		served, err := a.served(requests, w)
		if err != nil {
			return err
		}
		// Each schedule is counted under its own name, as on Lambda, where it is a function.
		watches := map[string]*usage.Watch{}
		defer func() { // all at once, which leaves most of the time to the requests' counters
			var all sync.WaitGroup
			for _, watched := range watches {
				all.Go(func() { watch{Watch: watched}.close(ctx, a.parts.Log, host.AfterRequests/4) })
			}
			all.Wait()
		}()
		for name, job := range jobs {
			watches[name] = a.Watch(name)
			jobs[name] = watches[name].Scheduled(job)
		}
		var looking sync.WaitGroup
		looking.Go(func() { lookAtRedis(ctx, a.parts.Redis, a.parts.Log) })
		defer looking.Wait()
		if len(pages) > 0 && by.Pages != nil {
			if served, err = by.Pages(pages, served); err != nil {
				return err
			}
		}
		h := WithSchedules(jobs, Firing{verify, requests.API.RefuseInvalid, a.parts.Now}, served)
		return host.Run(ctx, a.origin.handler(h), ending)
	})
}

const envPages = "PAGES" // on, off, or names with commas; on when empty

// allPages are the pages that PAGES may name.
var allPages = []string{"page", "widget", "play", "ops"}

// pagesFrom reads which pages are served.
func pagesFrom(text string) ([]string, error) {
	switch text {
	case "", "on":
		return allPages, nil
	case "off":
		return nil, nil
	}
	names := list(text)
	if len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(allPages, name) }) {
		return nil, fmt.Errorf("%s is %.40q: use on, off, or some of %s", envPages, text, strings.Join(allPages, ","))
	}
	return names, nil
}

// errRole is returned for the token of an operator who may not fire schedules.
var errRole = errors.New("permission denied")

// scheduleToken makes the check whether a bearer token may fire schedules; nil if no token is
// configured.
func scheduleToken(getenv func(string) string) (func(bearer string) error, error) {
	var may []*auth.Operators
	if tokens := list(getenv(envScheduleToken)); len(tokens) > 0 {
		o, err := auth.NewOperators(tokens...)
		if err != nil {
			return nil, fmt.Errorf("%s: use at least 32 letters, digits and -._~+/", envScheduleToken)
		}
		may = append(may, o)
	}
	if operators, err := operatorsFrom(getenv); err == nil && operators != nil { // FromEnv returns the error
		may = append(may, operators)
	}
	if len(may) == 0 {
		return nil, nil
	}
	return MayFire(may...), nil
}

// MayFire makes the check whether a bearer token is that of an operator who may fire schedules.
func MayFire(may ...*auth.Operators) func(bearer string) error {
	return func(bearer string) error {
		err := errors.New("there is no bearer token")
		for _, o := range may {
			var who auth.Operator
			if who, err = o.Verify(bearer); err == nil && who.Role == auth.Administer {
				return nil
			}
			if err == nil {
				return fmt.Errorf("%w: %s has the role %s; schedules need %s", errRole, who.Actor(), who.Role, auth.Administer)
			}
		}
		return err
	}
}

// Firing is how schedules are fired by requests.
type Firing struct {
	Verify func(bearer string) error // nil: every request is refused
	// TooMany counts an invalid token against its address. It reports whether there were too
	// many, and has then answered so.
	TooMany func(http.ResponseWriter, *http.Request) bool
	Now     func() time.Time
}

// WithSchedules serves POST /v1/ops/schedules/{name} and passes all other requests to next.
// Body and headers are those of [host.ScheduledHandler]. A schedule that is running is not
// fired again meanwhile.
func WithSchedules(jobs map[string]host.ScheduledFunc, f Firing, next http.Handler) http.Handler {
	running := map[string]*sync.Mutex{}
	for name := range jobs {
		running[name] = new(sync.Mutex)
	}
	names := strings.Join(slices.Sorted(maps.Keys(jobs)), ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, asked := strings.CutPrefix(r.URL.Path, SchedulesPath)
		if !asked {
			next.ServeHTTP(w, r)
			return
		}
		bearer, _ := auth.Bearer(r.Header.Get("Authorization"))
		var refused error
		if f.Verify != nil {
			refused = f.Verify(bearer)
		}
		switch {
		case f.Verify == nil:
			host.WriteProblem(w, r, http.StatusUnauthorized, "manual runs of schedules are off: set "+envScheduleToken)
		case errors.Is(refused, errRole):
			host.WriteProblem(w, r, http.StatusForbidden, refused.Error())
		case refused != nil:
			if r.Header.Get("Authorization") != "" && f.TooMany(w, r) {
				return
			}
			w.Header().Set("WWW-Authenticate", `Bearer realm="schedules"`)
			host.WriteProblem(w, r, http.StatusUnauthorized, "send the schedules' token (Authorization: Bearer …)")
		case jobs[name] == nil:
			host.WriteProblem(w, r, http.StatusNotFound, "unknown schedule; use one of "+names)
		case !running[name].TryLock():
			w.Header().Set("Retry-After", "60")
			host.WriteProblem(w, r, http.StatusConflict, "this schedule is already running; try again when it has finished")
		default:
			defer running[name].Unlock()
			fire(jobs[name], f.Now, w, r)
		}
	})
}

// fire runs a schedule. It replaces the deadlines of the request and of the server, which are
// far too short for a run.
func fire(job host.ScheduledFunc, now func() time.Time, w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), scheduleTime)
	defer cancel()
	deadline, _ := ctx.Deadline()
	// A server without write deadlines needs no change.
	_ = http.NewResponseController(w).SetWriteDeadline(deadline)
	// A caller who may fire a schedule may know why it failed.
	host.ScheduledHandler(job, now, os.Stderr, true).ServeHTTP(w, r.WithContext(ctx))
}
