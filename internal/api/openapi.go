package api

import "net/http"

// documentCache is how long others may keep the API's document without asking.
const documentCache = "public, max-age=300"

// document is the description of this API, and its entity tag.
type document struct {
	text []byte
	tag  string
}

// getOpenAPI serves the description of this API: GET /openapi.yaml.
func (d document) getOpenAPI(w http.ResponseWriter, r *request) error {
	header := w.Header()
	header.Set("Cache-Control", documentCache)
	header.Set("ETag", d.tag)
	if matches(r.Header.Values("If-None-Match"), d.tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set("Content-Type", "application/yaml")
	send(w, r.Request, http.StatusOK, d.text)
	return nil
}
