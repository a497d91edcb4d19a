package upstashtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

const faultsPath = "/faults"

// rule is the body of POST /faults: a fault for tests that are not written in
// Go.
type rule struct {
	Command string          `json:"command"`  // only requests with this command; "" means all
	Times   int64           `json:"times"`    // how many requests; 0 means until DELETE /faults
	DelayMS int64           `json:"delay_ms"` // at most a minute
	Cut     string          `json:"cut"`      // "before" or "after" the effect
	Status  int             `json:"status"`   // 400 to 599, with body, instead of running
	Body    json.RawMessage `json:"body"`
}

func parseRule(data []byte) (rule, error) {
	var r rule
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return rule{}, err
	}
	switch {
	case r.Times < 0:
		return rule{}, fmt.Errorf("times is %d, want 0 or more", r.Times)
	case r.DelayMS < 0 || r.DelayMS > 60_000:
		return rule{}, fmt.Errorf("delay_ms is %d, want 0 to 60000", r.DelayMS)
	case r.Cut != "" && r.Cut != "before" && r.Cut != "after":
		return rule{}, fmt.Errorf("cut is %q, want before or after", r.Cut)
	case r.Status != 0 && (r.Status < 400 || r.Status > 599):
		return rule{}, fmt.Errorf("status is %d, want 400 to 599", r.Status)
	case r.Status == 0 && r.Body != nil:
		return rule{}, errors.New("body without status")
	case r.Status != 0 && r.Body == nil:
		r.Body = json.RawMessage(`{"error":"ERR injected"}`)
	}
	return r, nil
}

// function returns the fault function of the rule, for [Server.Inject].
func (r rule) function() func(Request) Fault {
	fault := Fault{
		Delay:     time.Duration(r.DelayMS) * time.Millisecond,
		CutBefore: r.Cut == "before",
		CutAfter:  r.Cut == "after",
		Status:    r.Status,
		Body:      string(r.Body),
	}
	var used atomic.Int64
	return func(seen Request) Fault {
		if !r.matches(seen) || r.Times > 0 && used.Add(1) > r.Times {
			return Fault{}
		}
		return fault
	}
}

func (r rule) matches(seen Request) bool {
	for _, c := range seen.Commands {
		if strings.EqualFold(c[0], r.Command) {
			return true
		}
	}
	return r.Command == ""
}

// serveFaults sets the fault of the requests to come (POST, PUT) or ends it
// (DELETE).
func (s *Server) serveFaults(w http.ResponseWriter, r *http.Request, x *exchange, may access) {
	if may != accessFull {
		s.fail(w, x, http.StatusBadRequest, noPermission("faults"))
		return
	}
	if r.Method == http.MethodDelete {
		s.Inject(nil)
		s.sendJSON(w, x, map[string]string{"result": "OK"})
		return
	}
	if err := s.readBody(w, r, x, keptBytes); err != nil {
		s.failBody(w, r, x, err, keptBytes)
		return
	}
	rule, err := parseRule(x.body.Bytes())
	if err != nil {
		s.fail(w, x, http.StatusBadRequest, malformed(err))
		return
	}
	s.Inject(rule.function())
	s.sendJSON(w, x, map[string]string{"result": "OK"})
}
