package apitest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	openapi "github.com/framedle/leaderboards/api"
)

// Contract is the API's document, ready to be held against requests and answers.
type Contract struct {
	Doc     *openapi3.T
	all     map[string]*openapi3.Operation // by ServeMux pattern
	mux     *http.ServeMux                 // finds the path of the document that a request is for
	Missing *openapi3.Operation
	held    sync.Map // answers' bodies that were held against the document, by bodyKey
}

// readStreams has the validator take a stream as a text.
var readStreams = sync.OnceFunc(func() {
	openapi3filter.RegisterBodyDecoder("text/event-stream", openapi3filter.PlainBodyDecoder)
})

// LoadContract is the one contract of all tests, which they only read: to make it takes
// longer than most of them.
func LoadContract(tb testing.TB) *Contract {
	tb.Helper()
	c, err := onlyContract()
	require.NoError(tb, err)
	return c
}

var onlyContract = sync.OnceValues(func() (*Contract, error) {
	readStreams()
	text, err := sealed(openapi.Document)
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	c := &Contract{Doc: doc, all: map[string]*openapi3.Operation{}, mux: http.NewServeMux()}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			pattern := method + " " + path
			c.all[pattern] = operation
			c.mux.Handle(pattern, http.NotFoundHandler())
		}
	}
	c.Missing = &openapi3.Operation{Responses: openapi3.NewResponses(
		openapi3.WithStatus(http.StatusNotFound, &openapi3.ResponseRef{Value: doc.Components.Responses["NotFound"].Value}),
		openapi3.WithStatus(http.StatusMethodNotAllowed, &openapi3.ResponseRef{Value: notAllowed(doc)}),
	)}
	return c, nil
})

// notAllowed is the answer of every path to a method that it does not have: a problem, with
// the header Allow. An operation of the document cannot describe it.
func notAllowed(doc *openapi3.T) *openapi3.Response {
	r := *doc.Components.Responses["NotFound"].Value
	r.Headers = maps.Clone(r.Headers)
	r.Headers["Allow"] = &openapi3.HeaderRef{Value: &openapi3.Header{Parameter: openapi3.Parameter{Required: true, Schema: openapi3.NewStringSchema().NewRef()}}}
	return &r
}

// sealed forbids fields that the document does not tell of. The document itself
// leaves answers open, so that clients are ready for more.
func sealed(document []byte) ([]byte, error) {
	var root map[string]any
	if err := yaml.Unmarshal(document, &root); err != nil {
		return nil, err
	}
	for _, schema := range root["components"].(map[string]any)["schemas"].(map[string]any) {
		if s := schema.(map[string]any); s["properties"] != nil {
			s["additionalProperties"] = false
		}
	}
	return yaml.Marshal(root)
}

// Operations are all of the document, by ServeMux pattern.
func (c *Contract) Operations() map[string]*openapi3.Operation { return c.all }

// Check holds an answer against the document and, where the request was
// granted, the request too: the document must not refuse what the code takes.
func (c *Contract) Check(r *http.Request, a Answer) error {
	misrouted := a.Status == http.StatusMethodNotAllowed || strings.Contains(string(a.Body), `#not-found"`)
	request := c.RequestOf(r, misrouted)
	if a.Status < 300 && !readLoosely(r, a) {
		if err := openapi3filter.ValidateRequest(r.Context(), request); err != nil {
			return fmt.Errorf("the document refuses what was granted: %w", err)
		}
	}
	if (a.Status == http.StatusNotModified || r.Method == http.MethodHead) && len(a.Body) > 0 {
		return errors.New("there is a body where there must be none")
	}
	if a.Status == http.StatusNotModified {
		return c.checkNotModified(request.Route, a)
	}
	if r.Method == http.MethodHead { // the validator would pass over its headers
		request.Options.ExcludeResponseBody = true
		asGet := *r
		asGet.Method = http.MethodGet
		request.Request = &asGet
	}
	key := BodyKey{request.Route.Operation, a.Status, a.Header.Get("Content-Type"), sha256.Sum256(instances.ReplaceAll(a.Body, nil))}
	if _, known := c.held.Load(key); known {
		request.Options.ExcludeResponseBody = true
	}
	err := openapi3filter.ValidateResponse(r.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: request, Status: a.Status, Header: a.Header,
		Body: io.NopCloser(bytes.NewReader(a.Body)), Options: request.Options,
	})
	if err == nil && !request.Options.ExcludeResponseBody {
		c.held.Store(key, true)
	}
	return err
}

// BodyKey identifies everything on which the validation of a body depends. The validator
// compiles a schema again for each body, so equal bodies are validated once.
type BodyKey struct {
	operation *openapi3.Operation
	status    int
	kind      string
	body      [sha256.Size]byte
}

// instances are what two equal problems differ by.
var instances = regexp.MustCompile(`"instance":"[0-9a-f]{32}"`)

// readLoosely reports whether the code has accepted something that the document need not
// describe: a batch in which scores or events were refused one by one, or an ignored event of
// Clerk.
func readLoosely(r *http.Request, a Answer) bool {
	switch r.URL.Path {
	case "/v1/scores/batch":
		return bytes.Contains(a.Body, []byte(`{"problem":`))
	case "/v1/events":
		return bytes.Contains(a.Body, []byte(`"reason":`))
	case "/v1/webhooks/clerk":
		return !strings.Contains(a.Call.Body, `"user.`) && !strings.Contains(a.Call.Body, `"organizationMembership.`)
	}
	return false
}

// RequestOf is a request with what the document says of its operation; one
// that is misrouted has none.
func (c *Contract) RequestOf(r *http.Request, misrouted bool) *openapi3filter.RequestValidationInput {
	route := &routers.Route{Spec: c.Doc, Method: r.Method, Operation: c.Missing, PathItem: &openapi3.PathItem{}}
	if _, pattern := c.mux.Handler(r); pattern != "" && !misrouted {
		route.Operation = c.Operations()[pattern]
		_, route.Path, _ = strings.Cut(pattern, " ")
		route.PathItem = c.Doc.Paths.Value(route.Path)
	}
	return &openapi3filter.RequestValidationInput{
		Request: r, PathParams: pathParams(route.Path, r.URL.Path), Route: route,
		Options: &openapi3filter.Options{
			IncludeResponseStatus: true, MultiError: true,
			AuthenticationFunc:      openapi3filter.NoopAuthenticationFunc,
			SchemaValidationOptions: []openapi3.SchemaValidationOption{openapi3.WithStringFormatValidators(formats)},
		},
	}
}

// checkNotModified does by hand what the validator passes over.
func (c *Contract) checkNotModified(route *routers.Route, a Answer) error {
	documented := route.Operation.Responses.Status(a.Status)
	if documented == nil {
		return errors.New("304 is not documented")
	}
	for name, header := range documented.Value.Headers {
		if header.Value.Required && a.Header.Get(name) == "" {
			return fmt.Errorf("the header %s is missing", name)
		}
	}
	return nil
}

// formats are stricter than the validator's own, which look at shapes alone.
var formats = map[string]openapi3.StringFormatValidator{
	"date": openapi3.NewCallbackValidator(func(s string) error {
		t, err := time.Parse(time.DateOnly, s)
		if err == nil && t.Year() < 1 {
			err = errors.New("the calendar begins with the year 1")
		}
		return err
	}),
	"date-time": openapi3.NewCallbackValidator(func(s string) error {
		_, err := time.Parse(time.RFC3339Nano, s)
		return err
	}),
	"uri": openapi3.NewCallbackValidator(func(s string) error {
		u, err := url.Parse(s)
		if err == nil && !u.IsAbs() {
			err = errors.New("not absolute")
		}
		return err
	}),
}

func pathParams(pattern, path string) map[string]string {
	params := map[string]string{}
	names, values := strings.Split(pattern, "/"), strings.Split(path, "/")
	for i, name := range names {
		if strings.HasPrefix(name, "{") && i < len(values) {
			params[strings.Trim(name, "{}")] = values[i]
		}
	}
	return params
}
