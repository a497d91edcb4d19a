package costday

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"
)

// The functions that a day refers to by name.
const (
	functionSubmit      = "submit"
	functionLeaderboard = "leaderboard"
	functionEnqueue     = "enqueue"
	functionIngest      = "ingest"
)

// deployment is the product as deployed: the gateway of template.yaml sends each request
// to a function, and each function has environments of its own.
type deployment struct {
	http.Handler // the gateway

	run    *run
	to     counts
	alone  bool     // one process serves every function, and never ends
	names  []string // of all functions
	fleets map[string]*fleet
	queue  *scoreQueue // nil if scores are written at once
}

// deploy sets the product up; no environment runs yet.
func (s *run) deploy(t Setting, to counts) *deployment {
	d := &deployment{run: s, to: to, alone: t.Alone, fleets: map[string]*fleet{}}
	if t.Window > 0 {
		d.queue = newQueue(t.Window, s.queue.BatchSize, s.clock.Now)
		d.ingestTakes()
	}
	gateway := map[string]http.Handler{}
	for _, f := range s.declared.Functions {
		if len(f.Routes) > 0 && f.Condition != "HasGraphQL" && (f.Name != functionEnqueue || d.queue != nil) {
			gateway[f.Name] = d.function(f.Name)
		}
	}
	everything := slices.Sorted(maps.Keys(gateway))
	for _, f := range s.declared.Functions {
		d.names = append(d.names, f.Name)
		functions := []string{f.Name}
		if d.alone {
			functions = everything
		}
		d.fleets[f.Name] = &fleet{lots: s.lots, start: func() (*environment, error) {
			return s.newEnvironment(d.around(), functions...)
		}}
	}
	if d.alone {
		one := d.fleets[functionSubmit]
		for name := range d.fleets {
			d.fleets[name] = one
		}
	}
	d.Handler = s.declared.Gateway(gateway)
	return d
}

// function returns a handler that sends requests to a function's environments.
func (d *deployment) function(name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e, err := d.take(name)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		e.serves[name].ServeHTTP(w, r)
	})
}

func (d *deployment) take(function string) (*environment, error) {
	e, err := d.fleets[function].take(d.run.clock.Now())
	if err == nil && d.alone {
		e.free = time.Time{} // the one process serves several requests at once
	}
	return e, err
}

// pass moves the clock forward. On the way it ends environments that are idle or old, and
// delivers the batches that are due.
func (d *deployment) pass(ctx context.Context, until time.Time) error {
	for {
		at, do := d.queue.next()
		for _, name := range d.names {
			f := d.fleets[name]
			e := f.next()
			if e == nil || d.alone || do != nil && !e.ends().Before(at) {
				continue
			}
			at, do = e.ends(), func(ctx context.Context) error {
				f.drop(e)
				return d.run.end(ctx, e, d.to)
			}
		}
		if do == nil || at.After(until) {
			d.run.clock.Forward(until)
			return nil
		}
		d.run.clock.Forward(at)
		if err := do(ctx); err != nil {
			return err
		}
	}
}

// close ends all environments at the end of the day.
func (d *deployment) close(ctx context.Context) error {
	for _, name := range d.names {
		f := d.fleets[name]
		for _, e := range f.alive {
			if err := d.run.end(ctx, e, d.to); err != nil {
				return err
			}
		}
		f.alive = nil
	}
	return nil
}

// started is how many environments each function has started.
func (d *deployment) started() map[string]int {
	started := map[string]int{}
	for name, f := range d.fleets {
		if f.started > 0 {
			started[name] = f.started
		}
	}
	return started
}
