package doctor

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	openapi "github.com/framedle/leaderboards/api"
)

// noRoute is what a function says of a path that it does not know; of a feature
// that the game does not have it says something else.
const noRoute = "no resource has this path"

// described is an API document, as far as it is needed.
type described struct {
	Info  struct{ Version string }
	Paths map[string]map[string]any
}

// routes asks each route of the document once. Those that change something are
// asked without a credential and with half a body, so that none of them can.
func (e *examination) routes(ctx context.Context, document []byte) {
	var d described
	if err := yaml.Unmarshal(document, &d); err != nil || len(d.Paths) == 0 {
		e.add("version", Wrong, "/openapi.yaml is not the product's API document: something else answers at this address")
		return
	}
	if bytes.Equal(document, openapi.Document) {
		e.add("version", Good, "%s, the API that this command knows", d.Info.Version)
	} else {
		e.add("version", Note, "%s, with another API than this command knows: one of the two is older", d.Info.Version)
	}
	asked, faults := 0, []string{}
	place := strings.NewReplacer("{mode}", "doctor_asks", "{player}", "doctor_asks", "{id}", "doctor_asks", "{code}", "doctor_asks")
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(d.Paths[path])) {
			method = strings.ToUpper(method)
			if !slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, method) {
				continue // what all methods of a path share
			}
			asked++
			body := "{"
			if method == http.MethodGet {
				body = ""
			}
			a, err := e.ask(ctx, method, place.Replace(path), body, nil)
			if fault := routeFault(a, err); fault != "" {
				faults = append(faults, fmt.Sprintf("%s %s: %s", method, path, fault))
			}
		}
	}
	if len(faults) == 0 {
		e.add("routes", Good, "all %d are there", asked)
	}
	for _, fault := range faults {
		e.add("routes", Wrong, "%s", fault)
	}
}

// routeFault is what is wrong with the answer of a route; "" where the function
// that should answer has.
func routeFault(a answer, err error) string {
	kind, detail := a.problem()
	switch {
	case err != nil:
		return "no answer: " + err.Error()
	case a.status == http.StatusTooManyRequests, a.status < 400, kind == "no-database":
		return ""
	case kind == "":
		return "answered with " + a.found() + ". See what stands before the function, and its log"
	case kind == "not-found" && detail == noRoute, kind == "method-not-allowed":
		return "not served, though the API document has it. It reaches a function that does not know it: look at the routes of the gateway or load balancer"
	case a.status >= 500:
		return "answered with " + a.found()
	}
	return ""
}
