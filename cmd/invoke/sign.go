package main

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

const signatureHeader = "framedle-signature"

// signed adds a game server's signature to a request that has no credentials. It returns
// any other event unchanged, including malformed ones: the user may want to see how a
// function answers them.
func signed(event []byte, key string, now time.Time) []byte {
	var request struct {
		RawPath         string            `json:"rawPath"`
		Headers         map[string]string `json:"headers"`
		Body            string            `json:"body"`
		IsBase64Encoded bool              `json:"isBase64Encoded"`
		RequestContext  struct {
			HTTP *struct {
				Method string `json:"method"`
			} `json:"http"`
		} `json:"requestContext"`
	}
	var whole map[string]any
	if json.Unmarshal(event, &request) != nil || json.Unmarshal(event, &whole) != nil || request.RequestContext.HTTP == nil {
		return event
	}
	for name := range request.Headers {
		if strings.EqualFold(name, signatureHeader) || strings.EqualFold(name, "authorization") {
			return event
		}
	}
	body := []byte(request.Body)
	if request.IsBase64Encoded {
		decoded, err := base64.StdEncoding.DecodeString(request.Body)
		if err != nil {
			return event
		}
		body = decoded
	}
	path, err := url.PathUnescape(request.RawPath)
	if err != nil {
		return event
	}
	headers := map[string]string{signatureHeader: auth.SignRequest(key, now, auth.Request{Method: request.RequestContext.HTTP.Method, Path: path, Body: body})}
	for name, value := range request.Headers {
		headers[name] = value
	}
	whole["headers"] = headers
	out, err := json.Marshal(whole)
	if err != nil {
		return event
	}
	return out
}
