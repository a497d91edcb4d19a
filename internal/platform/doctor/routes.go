package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	openapi "github.com/framedle/leaderboards/api"
)

// noRoute is a function's answer for a path that it does not know. For a feature that the game
// does not have it answers differently.
const noRoute = "no such endpoint"

// described is the part of an API document that is used here.
type described struct {
	Info  struct{ Version string }
	Paths map[string]map[string]any
}

// needs returns the feature that a route belongs to; "" if the route always exists.
func (d described) needs(path, method string) string {
	operation, _ := d.Paths[path][method].(map[string]any)
	feature, _ := operation["x-feature"].(string)
	return feature
}

// features returns the optional features that the game has.
func (e *examination) features(ctx context.Context) []string {
	var g struct{ Features []string }
	if a, err := e.ask(ctx, http.MethodGet, "/v1/game", "", nil); err != nil || json.Unmarshal(a.body, &g) != nil {
		return nil // the check of the route /v1/game reports it
	}
	return g.Features
}

// routes asks each route of the document once. It asks changing routes without a credential
// and with half a body, so that they cannot change anything.
func (e *examination) routes(ctx context.Context, document []byte) {
	var d described
	if err := yaml.Unmarshal(document, &d); err != nil || len(d.Paths) == 0 {
		e.add("version", Wrong, "/openapi.yaml is not the product's API document: something else responds at this address")
		return
	}
	if bytes.Equal(document, openapi.Document) {
		e.add("version", Good, "%s, same API as this command", d.Info.Version)
	} else {
		e.add("version", Note, "%s, another API than this command's: one of the two is older", d.Info.Version)
	}
	asked, faults, features := 0, []string{}, e.features(ctx)
	place := strings.NewReplacer("{mode}", "doctor_asks", "{player}", "doctor_asks", "{id}", "doctor_asks", "{code}", "doctor_asks")
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(d.Paths[path])) {
			feature := d.needs(path, method)
			method = strings.ToUpper(method)
			if !slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, method) {
				continue // shared by all methods of a path
			}
			body := "{"
			if method == http.MethodGet {
				body = ""
			}
			a, err := e.ask(ctx, method, place.Replace(path), body, nil)
			if feature != "" && !slices.Contains(features, feature) && unserved(a) {
				continue
			}
			asked++
			if fault := routeFault(a, err); fault != "" {
				faults = append(faults, fmt.Sprintf("%s %s: %s", method, path, fault))
			}
		}
	}
	if len(faults) == 0 {
		e.add("routes", Good, "all %d are available", asked)
	}
	for _, fault := range faults {
		e.add("routes", Wrong, "%s", fault)
	}
}

// routeFault returns what is wrong with the answer of a route; "" if the right function has
// answered.
func routeFault(a answer, err error) string {
	kind, _ := a.problem()
	switch {
	case err != nil:
		return "no answer: " + err.Error()
	case a.status == http.StatusTooManyRequests, a.status < 400, kind == "no-database":
		return ""
	case kind == "":
		return "response: " + a.describe() + ". Check what is in front of the function, and its log"
	case unserved(a):
		return "not served, but documented: the wrong function receives it. Check the routes of the gateway or load balancer"
	case a.status >= 500:
		return "response: " + a.describe()
	}
	return ""
}

// unserved reports whether the answer says that no function knows the route.
func unserved(a answer) bool {
	kind, detail := a.problem()
	return kind == "not-found" && detail == noRoute || kind == "method-not-allowed"
}
