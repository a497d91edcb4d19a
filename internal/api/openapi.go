package api

import "net/http"

// documentCache is how long others may keep the API's document without asking.
const documentCache = "public, max-age=300"

// getOpenAPI serves the description of this API: GET /openapi.yaml.
func (a *API) getOpenAPI(w http.ResponseWriter, r *request) error {
	header := w.Header()
	header.Set("Cache-Control", documentCache)
	header.Set("ETag", a.documentTag)
	if matches(r.Header.Values("If-None-Match"), a.documentTag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set("Content-Type", "application/yaml")
	send(w, r.Request, http.StatusOK, a.OpenAPI)
	return nil
}
