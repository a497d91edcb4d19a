package lambdatest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// maxPayload is Lambda's limit on the answer of a buffered invocation, in bytes:
// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
const maxPayload = 6 * 1024 * 1024

// Response is what a function answered to one event.
type Response struct {
	// Payload is the answer's JSON, or, after an error, the error's.
	Payload []byte
	// ErrorType and ErrorMessage are empty unless the function reported an error.
	ErrorType    string
	ErrorMessage string
	RequestID    string
	// Duration is from handing out the event to the answer.
	Duration time.Duration
}

// Failed reports whether the function reported an error.
func (r Response) Failed() bool { return r.ErrorType != "" || r.ErrorMessage != "" }

type call struct {
	id       string
	event    []byte
	deadline time.Time
	answer   chan Response // holds one
}

// runtimeAPI is the server side of the protocol.
type runtimeAPI struct {
	arn       string
	trace     string // of each invocation
	calls     chan *call
	ready     chan struct{} // closed at the first next
	initError chan Response // holds one
	firstNext time.Time     // valid once ready is closed

	mu        sync.Mutex
	last      int
	started   bool
	extension bool // one has registered
	pending   map[string]*call
}

// noTrace is a trace that is not sampled.
const noTrace = "Root=1-00000000-000000000000000000000000;Parent=0000000000000000;Sampled=0"

func newRuntimeAPI(arn, trace string) *runtimeAPI {
	return &runtimeAPI{
		arn:       arn,
		trace:     trace,
		calls:     make(chan *call),
		ready:     make(chan struct{}),
		initError: make(chan Response, 1),
		pending:   map[string]*call{},
	}
}

func (a *runtimeAPI) routes() http.Handler {
	const base = "/2018-06-01/runtime/"
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+base+"invocation/next", a.next)
	mux.HandleFunc("POST "+base+"invocation/{id}/response", a.response)
	mux.HandleFunc("POST "+base+"invocation/{id}/error", a.invocationError)
	mux.HandleFunc("POST "+base+"init/error", a.initFailed)
	mux.HandleFunc("POST "+extensionBase+"register", a.registerExtension)
	mux.HandleFunc("GET "+extensionBase+"event/next", a.nextOfExtension)
	return mux
}

// newCall makes a numbered invocation; ids have the form of Lambda's. ctx must have a
// deadline.
func (a *runtimeAPI) newCall(ctx context.Context, event []byte) *call {
	deadline, _ := ctx.Deadline()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last++
	c := &call{
		id:       fmt.Sprintf("00000000-0000-4000-8000-%012d", a.last),
		event:    event,
		deadline: deadline,
		answer:   make(chan Response, 1),
	}
	a.pending[c.id] = c
	return c
}

func (a *runtimeAPI) forget(c *call) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.pending, c.id)
}

func (a *runtimeAPI) next(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	a.mu.Lock()
	if !a.started {
		a.started, a.firstNext = true, arrived
		close(a.ready)
	}
	a.mu.Unlock()
	select {
	case <-r.Context().Done():
	case c := <-a.calls:
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Lambda-Runtime-Aws-Request-Id", c.id)
		h.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(c.deadline.UnixMilli(), 10))
		h.Set("Lambda-Runtime-Invoked-Function-Arn", a.arn)
		h.Set("Lambda-Runtime-Trace-Id", a.trace)
		_, _ = w.Write(c.event) // the function may have ended; Invoke notices that
	}
}

func (a *runtimeAPI) response(w http.ResponseWriter, r *http.Request) {
	payload, err := io.ReadAll(io.LimitReader(r.Body, maxPayload+1))
	if err != nil {
		refuse(w, http.StatusBadRequest, "InvalidRequest", err.Error())
		return
	}
	answer := Response{Payload: payload}
	if len(payload) > maxPayload {
		answer = Response{
			ErrorType:    "Function.ResponseSizeTooLarge",
			ErrorMessage: fmt.Sprintf("Response payload size exceeded maximum allowed payload size (%d bytes).", maxPayload),
		}
	}
	if !a.deliver(r.PathValue("id"), answer) {
		refuse(w, http.StatusBadRequest, "InvalidRequestID", "no such invocation is under way")
		return
	}
	if answer.Failed() {
		refuse(w, http.StatusRequestEntityTooLarge, "RequestEntityTooLarge", answer.ErrorMessage)
		return
	}
	accept(w)
}

func (a *runtimeAPI) invocationError(w http.ResponseWriter, r *http.Request) {
	if !a.deliver(r.PathValue("id"), readError(r)) {
		refuse(w, http.StatusBadRequest, "InvalidRequestID", "no such invocation is under way")
		return
	}
	accept(w)
}

func (a *runtimeAPI) initFailed(w http.ResponseWriter, r *http.Request) {
	select {
	case a.initError <- readError(r):
		accept(w)
	default:
		refuse(w, http.StatusForbidden, "InvalidStateTransition", "an init error was reported before")
	}
}

// deliver hands over an answer once; a second answer to the same event is refused.
func (a *runtimeAPI) deliver(id string, r Response) bool {
	a.mu.Lock()
	c, ok := a.pending[id]
	delete(a.pending, id)
	a.mu.Unlock()
	if !ok {
		return false
	}
	r.RequestID = id
	c.answer <- r
	return true
}

func readError(r *http.Request) Response {
	payload, err := io.ReadAll(io.LimitReader(r.Body, maxPayload))
	answer := Response{Payload: payload, ErrorType: r.Header.Get("Lambda-Runtime-Function-Error-Type")}
	var body struct {
		ErrorType    string `json:"errorType"`
		ErrorMessage string `json:"errorMessage"`
	}
	if err != nil || json.Unmarshal(payload, &body) != nil {
		answer.ErrorMessage = "the function reported an error that is not JSON"
		return answer
	}
	answer.ErrorMessage = body.ErrorMessage
	if answer.ErrorType == "" {
		answer.ErrorType = body.ErrorType
	}
	if !answer.Failed() {
		answer.ErrorType = "Unknown"
	}
	return answer
}

func accept(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusAccepted)
	_, _ = io.WriteString(w, `{"status":"OK"}`) // the function may have ended
}

func refuse(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"errorType": kind, "errorMessage": message}) // as above
}
