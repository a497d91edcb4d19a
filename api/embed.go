// Package openapi holds the description of the HTTP API.
package openapi

import _ "embed"

// Document is the OpenAPI 3.1 description, as it is served at /openapi.yaml.
//
//go:embed openapi.yaml
var Document []byte
