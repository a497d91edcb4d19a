package local

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/upstash"
)

// control has the endpoints that exist only in the local product.
type controlDoor struct{ p *Product }

// mount adds to the product's endpoints those that move the clock, issue tokens, fire
// schedules and report what was spent.
func (c controlDoor) mount(product http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", product)
	mux.HandleFunc("POST /_local/token", c.postToken)
	mux.HandleFunc("GET /_local/secrets", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, c.p.Secrets) })
	mux.HandleFunc("PUT /_local/clock", c.putClock)
	mux.HandleFunc("POST /_local/schedules/{function}", c.postSchedule)
	mux.HandleFunc("GET /_local/usage", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, c.p.Usage()) })
	mux.HandleFunc("DELETE /_local/usage", c.deleteUsage)
	mux.HandleFunc("GET /_local/queue", c.getQueue)
	mux.HandleFunc("POST /_local/queue/redrive", c.postRedrive)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isControl(r) && path.Clean(r.URL.Path) == r.URL.Path {
			mux.ServeHTTP(w, r)
			return
		}
		product.ServeHTTP(w, r)
	})
}

func (c controlDoor) postToken(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Player  string   `json:"player"`
		Name    string   `json:"name"`
		Picture string   `json:"picture"`
		Country string   `json:"country"`
		Groups  []string `json:"groups"`
	}
	if !read(w, r, &asked) {
		return
	}
	if err := game.ValidPlayer(asked.Player); err != nil {
		refuse(w, http.StatusBadRequest, "player: "+err.Error())
		return
	}
	token, err := c.p.Token(devissuer.Claims{
		Player: asked.Player, Name: asked.Name, Picture: asked.Picture, Country: asked.Country, Groups: asked.Groups,
	})
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	answer(w, http.StatusOK, map[string]string{"token": token})
}

func (c controlDoor) putClock(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Now *time.Time `json:"now"`
	}
	if !read(w, r, &asked) {
		return
	}
	var now time.Time
	if asked.Now != nil {
		now = *asked.Now
	}
	c.p.Clock.Set(now)
	answer(w, http.StatusOK, map[string]string{"now": c.p.Clock.Now().Format(time.RFC3339Nano)})
}

func (c controlDoor) postSchedule(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Time *time.Time `json:"time"`
	}
	if !read(w, r, &asked) {
		return
	}
	at := c.p.Clock.Now()
	if asked.Time != nil {
		at = *asked.Time
	}
	for _, f := range c.p.functions {
		if f.name != r.PathValue("function") || f.run == nil {
			continue
		}
		// Runs may overlap, as on Lambda; runs that fire by themselves do not.
		result, err := f.scheduled(r.Context(), at)
		var refused *host.EventError
		if errors.As(err, &refused) {
			refuse(w, http.StatusBadRequest, refused.Reason)
			return
		}
		if err != nil {
			refuse(w, http.StatusInternalServerError, err.Error())
			return
		}
		answer(w, http.StatusOK, result)
		return
	}
	refuse(w, http.StatusNotFound, "no scheduled function has this name")
}

func (c controlDoor) deleteUsage(w http.ResponseWriter, _ *http.Request) {
	for _, f := range c.p.functions {
		f.meter.Reset()
	}
	c.p.background.Reset()
	w.WriteHeader(http.StatusNoContent)
}

// Usage is what the functions have spent since the start or the last reset.
type Usage struct {
	Commands   int64                    `json:"commands"` // billed
	RoundTrips int64                    `json:"round_trips"`
	ByFunction map[string]FunctionUsage `json:"by_function"`
}

// FunctionUsage is what one function has spent.
type FunctionUsage struct {
	Commands      int64            `json:"commands"`
	RoundTrips    int64            `json:"round_trips"`
	BytesSent     int64            `json:"bytes_sent"`
	BytesReceived int64            `json:"bytes_received"`
	ByCommand     map[string]int64 `json:"by_command"`
}

// Usage reads the meters.
func (p *Product) Usage() Usage {
	all := Usage{ByFunction: map[string]FunctionUsage{}}
	for _, f := range p.functions {
		all.add(f.name, &f.meter)
	}
	all.add("background", &p.background)
	return all
}

func (all *Usage) add(name string, meter *upstash.Meter) {
	u := meter.Usage()
	all.Commands += u.Commands
	all.RoundTrips += u.RoundTrips
	all.ByFunction[name] = FunctionUsage{u.Commands, u.RoundTrips, u.BytesSent, u.BytesReceived, u.ByName}
}

// maxControlBody is far more than any control request needs.
const maxControlBody = 64 << 10

func read(w http.ResponseWriter, r *http.Request, into any) bool {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxControlBody))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		refuse(w, http.StatusBadRequest, "the body is not what this endpoint takes: "+err.Error())
		return false
	}
	return true
}

func answer(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}

func refuse(w http.ResponseWriter, status int, detail string) {
	body, _ := json.Marshal(map[string]any{"type": "about:blank", "code": host.CodeOf(status), "title": http.StatusText(status), "status": status, "detail": detail})
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}
