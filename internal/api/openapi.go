package api

import (
	"net/http"
	"sync"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/respond"
)

// documentCache is how long others may keep the API's document without asking.
const documentCache = "public, max-age=300"

// document is the description of this API, and its entity tag.
type document struct {
	text []byte
	tag  func() string // computed at the first request: the text is long
}

// routes are the routes of the document.
func (d document) routes() []gate.Route {
	return []gate.Route{
		{Function: "leaderboard", Pattern: "GET /openapi.yaml", Auth: gate.Public, Limit: limit.Boards, Serve: d.getOpenAPI},
	}
}

func newDocument(text []byte) document {
	return document{text, sync.OnceValue(func() string { return respond.Tag(text) })}
}

// getOpenAPI serves the description of this API: GET /openapi.yaml.
func (d document) getOpenAPI(w http.ResponseWriter, r *gate.Request) error {
	header := w.Header()
	header.Set("Cache-Control", documentCache)
	header.Set("ETag", d.tag())
	if respond.Unchanged(header, r.Request) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set("Content-Type", "application/yaml")
	respond.Send(w, r.Request, http.StatusOK, d.text)
	return nil
}
